"""``tacit optimal``: the same failure in words and in JSON, and wrong words refused."""

import json

import pytest

from tacit.cli import main

ASKED = ["optimal", "--class", "thresholds", "--size", "2", "--n", "2", "--epsilon", "1"]


def test_the_proved_failure_is_not_above_the_best_learners(capsys):
    assert main([*ASKED, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert 0 < told["certified_float"] <= told["failure"] + 1e-9
    assert told["failure"] - told["certified_float"] < 0.01
    assert all(abs(sum(one["chances"]) - 1) < 1e-6 for one in told["learner"])
    assert main([*ASKED, "--learner"]) == 0
    shown = capsys.readouterr().out
    assert f"{told['failure']:.6f}" in shown
    assert shown.count("->") == len(told["learner"])


@pytest.mark.parametrize("wrong", [["--output", "best"], ["--epsilon", "no"], ["--n", "0"]])
def test_wrong_words_are_refused(wrong, capsys):
    assert main([*ASKED, *wrong]) == 2
    assert "Traceback" not in capsys.readouterr().err
