"""--marginal: words, and public references with a number."""

import json

import pytest

from tacit.cli import main


@pytest.fixture
def planned(capsys):
    def run(*words):
        code = main(["plan", "--epsilon", "1", "--json", *words])
        return code, capsys.readouterr().out

    return run


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--class", "real-thresholds", "--marginal", "spike=0.01"], "a spike"),
        (["--class", "real-thresholds", "--marginal", "kappa=2"], "kappa 2"),
        (["--class", "real-thresholds", "--marginal", "kappa=open"], "as the records allow"),
        (["--class", "halfspaces", "--columns", "3", "--marginal", "band=0.3"], "a band 0.3"),
        (["--class", "halfspaces", "--columns", "3", "--marginal", "caps=0.9"], "caps 0.9"),
    ],
)
def test_references_are_planned(planned, words, told):
    code, output = planned(*words)
    assert code == 0
    record = json.loads(output)
    assert told in record["task"]
    assert record["options"]


@pytest.mark.parametrize(
    "words",
    [
        ["--class", "points", "--bits", "8", "--marginal", "kappa=2"],
        ["--class", "real-thresholds", "--marginal", "band=0.3"],
        ["--class", "real-thresholds", "--marginal", "gaussian"],
        ["--class", "real-thresholds", "--marginal", "spike="],
    ],
)
def test_what_fits_nothing_is_refused(planned, words):
    code, _ = planned(*words)
    assert code == 2


def test_public_records_are_planned(planned):
    code, output = planned("--class", "real-thresholds", "--public", "3000")
    assert code == 0
    assert json.loads(output)["options"][0]["algorithm"] == "public-cover"
