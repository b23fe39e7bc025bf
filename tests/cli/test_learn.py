"""``tacit learn``: every public class by its own options, and no option that is ignored."""

import json

import numpy as np
import pandas as pd
import pytest
from tests.cli.class_words import OPTIONS, SCHEMA

from tacit.cli import main
from tacit.cli.classes import public_classes
from tacit.domains import Schema

ROWS = 400


@pytest.fixture
def schema(tmp_path):
    path = tmp_path / "schema.toml"
    path.write_text(SCHEMA)
    return path


def people(path, columns):
    rng = np.random.default_rng(3)
    frame = pd.DataFrame({name: rng.integers(0, 2, ROWS) for name in columns})
    if "sex" in columns:
        frame["sex"] = rng.choice(["f", "m"], ROWS)
    frame["sick"] = rng.integers(0, 2, ROWS)
    frame.to_csv(path, index=False)
    return path


def run(*words, capsys):
    code = main(["learn", *map(str, words)])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.mark.parametrize("name", OPTIONS)
def test_every_public_class_is_learned_by_its_own_options(name, schema, tmp_path, capsys):
    more, domain = list(OPTIONS[name]), public_classes()[name].tiny().domain
    if name == "table":
        (tmp_path / "m.csv").write_text("0,1\n1,0\n")
        more += ["--matrix", tmp_path / "m.csv"]
    if isinstance(domain, Schema):
        more, columns = [*more, "--schema", schema], ["age", "sex"]
    else:
        width = {
            "k-term-dnf": 3,
            "parities": 4,
            "lines": 2,
            "halfspaces": 2,
            "grid-balls": 2,
            "grid-boxes": 2,
            "grid-halfspaces": 2,
        }.get(name, 1)
        columns = [f"x{place}" for place in range(width)]
        more += ["--column", ",".join(columns)]
    data = people(tmp_path / "people.csv", columns)
    words = ["--label", "sick", "--epsilon", 1, "--alpha", "0.2", "--no-ledger", "--json"]
    code, out, err = run(data, "--class", name, *more, *words, capsys=capsys)
    assert code == 0, err
    release = json.loads(out)
    assert release["certificate"]["n"] == ROWS
    assert release["rule"]


@pytest.mark.parametrize("name", ["halfspaces", "grid-balls", "grid-boxes", "grid-halfspaces"])
def test_too_few_columns_cost_nothing(name, tmp_path, capsys):
    data = people(tmp_path / "people.csv", ["x0"])
    words = [*OPTIONS[name], "--column", "x0", "--label", "sick", "--epsilon", 1, "--alpha", "0.2"]
    code, _, err = run(data, "--class", name, *words, "--no-ledger", capsys=capsys)
    assert code == 2
    assert "this domain has 2 columns" in err
    assert "charged" not in err


def test_the_options_of_a_class_are_told(tmp_path, capsys):
    data = people(tmp_path / "people.csv", ["x"])
    words = [data, "--label", "sick", "--epsilon", 1, "--no-ledger"]
    code, _, err = run(*words, "--class", "thresholds", "--sise", 9, capsys=capsys)
    assert code == 2
    assert "did you mean --size?" in err
    code, _, err = run(*words, "--class", "threshold", "--size", 9, capsys=capsys)
    assert code == 2
    assert "did you mean thresholds?" in err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--class", "points", "--size", 4, "--model", "tree"], "--model needs --schema"),
        (["--model", "tree"], "--model needs --schema"),
        (["--size", 4], "--size needs --class"),
        ([], "say what to learn"),
        (["--schema", "SCHEMA", "--size", 4], "--size needs --class"),
        (["--schema", "SCHEMA", "--depht", 4], "did you mean --depth?"),
        (["--class", "points", "--size", 4, "word"], "there is no place for 'word'"),
    ],
)
def test_no_option_is_ignored(given, said, schema, tmp_path, capsys):
    data = people(tmp_path / "people.csv", ["x"])
    words = [schema if word == "SCHEMA" else word for word in given]
    code, _, err = run(
        data, "--label", "sick", "--epsilon", 1, "--no-ledger", *words, capsys=capsys
    )
    assert code == 2
    assert said in err


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["--schema", "SCHEMA"], "there is no option --depht; did you mean --depth?"),
        (["--class", "points", "--size", 4], "name the file first"),
    ],
)
def test_an_option_that_is_not_known_is_not_taken_for_the_file(
    given, said, schema, tmp_path, capsys
):
    data = people(tmp_path / "people.csv", ["x"])
    words = [schema if word == "SCHEMA" else word for word in given]
    more = ["--label", "sick", "--epsilon", 1, "--no-ledger"]
    for first in (["--depht", 3], ["--depht=3"]):
        code, _, err = run(*first, data, *more, *words, capsys=capsys)
        assert code == 2
        assert said in " ".join(err.split())


def visits(path):
    """Three rows of each of 200 persons, in no order."""
    rng = np.random.default_rng(4)
    ids = rng.permutation(np.repeat(np.arange(200), 3))
    age = rng.integers(0, 100, len(ids))
    frame = pd.DataFrame({"person": [f"p{one}" for one in ids], "age": age, "sick": age >= 60})
    frame.to_csv(path, index=False)
    return path


def test_persons_are_protected_and_counted(tmp_path, capsys):
    data = visits(tmp_path / "visits.csv")
    words = ["--label", "sick", "--positive", "true", "--class", "thresholds", "--size", 100]
    words += ["--epsilon", 1, "--setting", "realizable", "--no-ledger"]
    who = ["--unit", "person", "--rows-per-unit", 3]
    code, out, err = run(data, *words, *who, "--json", capsys=capsys)
    assert code == 0, err
    found = json.loads(out)
    assert found["certificate"]["n"] == 200
    assert found["certificate"]["asked"]["unit"] == "person"
    assert found["certificate"]["asked"]["rows_per_unit"] == 3
    assert found["column"] == "age"
    code, out, err = run(data, *words, *who, capsys=capsys)
    assert code == 0, err
    assert "200; how many rows they have is private" in " ".join(out.split())
    assert "600" not in out + err


@pytest.mark.parametrize("more", [["--rows-per-unit", 2], ["--rows", "independent"]])
def test_what_is_said_of_persons_needs_their_column(tmp_path, capsys, more):
    data = visits(tmp_path / "visits.csv")
    words = ["--label", "sick", "--class", "thresholds", "--size", 100, "--column", "age"]
    code, _, err = run(data, *words, "--epsilon", 1, "--no-ledger", *more, capsys=capsys)
    assert code == 2
    assert "needs --unit" in err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--positive", "true", "--unit", "person", "--rows-per-unit", 0], "at least 1"),
        (["--positive", ""], "--positive and --negative must be values of the label"),
    ],
)
def test_empty_and_zero_are_not_taken_for_a_default(tmp_path, capsys, more, said):
    data = visits(tmp_path / "visits.csv")
    words = ["--label", "sick", "--class", "thresholds", "--size", 100, "--column", "age"]
    code, _, err = run(data, *words, "--epsilon", 1, "--no-ledger", *more, capsys=capsys)
    assert code == 2
    assert said in err


def test_the_private_file_is_refused_as_the_public_one(tmp_path, capsys):
    data = tmp_path / "r1.csv"
    data.write_text("a,y\n" + "".join(f"{i / 300},{int(i > 150)}\n" for i in range(300)))
    (tmp_path / "soft.csv").symlink_to(data)
    (tmp_path / "hard.csv").hardlink_to(data)
    asked = ["--class", "real-thresholds", "--column", "a", "--label", "y", "--epsilon", "1"]
    asked += ["--alpha", "0.1", "--beta", "0.05", "--no-ledger"]
    pattern = [tmp_path / "r*.csv", "--glob"]  # without the links: those are refused as such
    for private, public in (
        ([data], data),
        ([data], tmp_path / "soft.csv"),
        ([data], tmp_path / "hard.csv"),
        (pattern, data),
    ):
        code, out, err = run(*private, "--public", public, *asked, capsys=capsys)
        assert code == 2
        assert "must be other records than the private ones" in err
        assert "SHA-256" not in out + err
    other = tmp_path / "other" / "r2.csv"
    other.parent.mkdir()
    other.write_text("a\n" + "".join(f"{i / 3000}\n" for i in range(3000)))
    code, out, err = run(data, "--public", other, *asked, capsys=capsys)
    assert code == 0, err
