"""``tacit plan``: tables and every public class, the answer first, the same defaults as learn."""

import json

import pytest
from tests.cli.class_words import OPTIONS, SCHEMA

from tacit import plan
from tacit.cli import main
from tacit.cli.classes import public_classes
from tacit.core import Task
from tacit.domains import Schema
from tacit.estimators import TreeClassifier


@pytest.fixture
def schema(tmp_path):
    path = tmp_path / "schema.toml"
    path.write_text(SCHEMA)
    return path


def run(*words, capsys):
    code = main(["plan", *map(str, words)])
    said = capsys.readouterr()
    return code, said.out, said.err


@pytest.mark.parametrize("name", OPTIONS)
def test_every_public_class_is_planned_by_its_own_options(name, schema, tmp_path, capsys):
    more = list(OPTIONS[name])
    if isinstance(public_classes()[name].tiny().domain, Schema):
        more += ["--schema", schema]
    if name == "table":
        (tmp_path / "m.csv").write_text("0,1\n1,0\n")
        more += ["--matrix", tmp_path / "m.csv"]
    code, out, err = run("--class", name, "--epsilon", 1, *more, "--json", capsys=capsys)
    assert code == 0, err
    assert json.loads(out)["options"], out


def test_a_table_is_planned_like_its_classifier(schema, capsys):
    code, out, _ = run(
        "--schema", schema, "--model", "tree", "--depth", 2, "--epsilon", "0.5", "--alpha", "5%",
        "--json", capsys=capsys,
    )  # fmt: skip
    assert code == 0
    task = TreeClassifier(domain=str(schema), depth=2, epsilon="0.5").task(alpha="0.05")
    assert isinstance(task, Task)
    assert json.loads(out)["options"][0]["n"] == plan(task).best.n


def test_records_at_hand_are_answered(schema, capsys):
    code, out, _ = run("--schema", schema, "--epsilon", "0.5", "--n", 3000, capsys=capsys)
    assert code == 0
    assert "With 3000 records: an error of 0." in out


def test_an_error_says_what_it_is_compared_with_and_which_smaller_epsilon_errs_less(schema, capsys):
    errors = {}
    for epsilon in ("0.25", "1"):
        words = ("--schema", schema, "--epsilon", epsilon, "--n", 3000)
        _, out, _ = run(*words, capsys=capsys)
        first = out.splitlines()[0]
        assert "above the best tree of two levels at this epsilon" in first
        assert "best of the class" not in out
        code, out, _ = run(*words, "--json", capsys=capsys)
        assert code == 0
        errors[epsilon], less = (json.loads(out)["with"][key] for key in ("least_alpha", "gentler"))
        assert (less is not None) == ("is proved: with more epsilon" in first)
    # The smaller epsilon has the smaller proved error; whoever asks for the larger one is told.
    assert float(errors["0.25"]) < float(errors["1"])
    assert float(less["least_alpha"]) < float(errors["1"])


def test_fewer_records_at_a_smaller_epsilon_are_said(schema, capsys):
    _, out, _ = run("--schema", schema, "--epsilon", "1", capsys=capsys)
    assert "To run with epsilon = 0." in out
    _, out, _ = run("--schema", schema, "--epsilon", "0.1", capsys=capsys)
    assert "To run with epsilon" not in out


def test_what_is_said_to_suffice_at_this_epsilon_is_not_denied(schema, capsys):
    words = ("--schema", schema, "--epsilon", "0.5", "--n", 3000, "--json")
    _, out, _ = run(*words, capsys=capsys)
    reached = json.loads(out)["with"]["least_alpha"]
    _, out, _ = run(*words, "--alpha", reached, capsys=capsys)
    record = json.loads(out)["with"]
    assert float(record["least_epsilon"]) <= 0.5
    assert record["least_epsilon_runs"]


def test_the_answer_comes_first_and_names_come_only_when_asked(capsys):
    words = ("--class", "thresholds", "--size", 111, "--epsilon", "0.5", "--alpha", "0.05")
    code, out, _ = run(*words, capsys=capsys)
    assert code == 0
    assert len(out.splitlines()) == 3
    assert out.splitlines()[0].startswith("4,247 records suffice")
    assert "Not used" not in out
    _, full, _ = run(*words, "--verbose", capsys=capsys)
    assert "Not used" in full


def test_plan_and_learn_assume_the_same_setting(tmp_path, capsys):
    # What plan says suffices, learn certifies: both are agnostic unless told otherwise.
    words = ["--class", "thresholds", "--size", "50", "--epsilon", "1", "--alpha", "0.2"]
    code, out, _ = run(*words, "--json", capsys=capsys)
    assert code == 0
    n = json.loads(out)["options"][0]["n"]
    data = tmp_path / "people.csv"
    data.write_text("age,sick\n" + "".join(f"{i % 50},{int(i % 50 >= 20)}\n" for i in range(n)))
    given = [*words, "--column", "age", "--label", "sick", "--no-ledger"]
    assert main(["learn", str(data), *given]) == 0
    assert "NOT CERTIFIED" not in capsys.readouterr().out


def test_synthetic_tables_are_planned(capsys):
    words = ("--class", "thresholds", "--size", 120, "--epsilon", 1, "--goal", "sanitize")
    code, out, _ = run(*words, capsys=capsys)
    assert code == 0
    assert "in every answer" in out


def test_synthetic_tables_of_several_columns_are_planned(tmp_path, capsys):
    schema = tmp_path / "s.toml"
    schema.write_text('[columns.smoker]\nkind = "boolean"\n[columns.sick]\nkind = "boolean"\n')
    words = ("--schema", schema, "--epsilon", 1, "--goal", "sanitize")
    code, out, _ = run(*words, "--ways", 2, "--n", 3000, capsys=capsys)
    assert code == 0
    assert "suffice for an error of 0.1 in every answer" in out
    assert "(all-combinations)" in out
    assert "it will state its worst error" in out
    assert "With 3,000 records that is stated at most 0.0" in out
    several = ("--unit", "patient", "--rows-per-unit", 3)
    code, out, _ = run(*words, *several, capsys=capsys)
    assert code == 0
    assert "suffice" not in out
    assert "it will state its worst error" in out
    for wrong, hint in (
        (("--ways", 9), "at most 2"),
        (("--depth", 2), "--depth is not for"),
        (("--model", "tree"), "--model is not for"),
        (("--k", 3), "--k is about rules"),
        (("--setting", "anything"), "--setting is about rules"),
        (("--output-kind", "proper"), "--output-kind is about rules"),
        (("--marginal", "uniform"), "--marginal is about rules"),
        (("--public", 100), "--public is about rules"),
        (("--classes", "a,b"), "--classes is about rules"),
        (("--other", "ignore"), "--other is about rules"),
    ):
        code, _, err = run(*words, *wrong, capsys=capsys)
        assert code == 2
        assert hint in err


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("--class", "tresholds"), "did you mean thresholds?"),
        (("--class", "points", "--bitz", 8), "did you mean --bits?"),
        (("--class", "intervals", "--bits", 64), "--class grid-intervals takes it"),
        (("--class", "points", "--bits", "eight"), "whole number"),
        (("--class", "points", "--bits", "--8"), "whole number"),
        (("--class", "real-boxes", "--bounds", "0..1..2"), "two ends for each column"),
        (("--class", "real-boxes", "--bounds", "0"), "two ends for each column"),
        (("--class", "boxes", "--chosen", "age,sex"), "by their places"),
        (("--class", "points", "--bits", 8, "--seed-bits", 2), "no option --seed-bits"),
        (("--model", "tree"), "give its --schema"),
        ((), "name a class"),
    ],
)
def test_mistakes_are_answered_with_what_to_do(words, hint, capsys):
    code, _, err = run("--epsilon", 1, *words, capsys=capsys)
    assert code == 2
    assert hint in err


def test_a_mistyped_command_is_answered_with_the_nearest(capsys):
    assert main(["plna"]) == 2
    assert "did you mean 'plan'?" in capsys.readouterr().err


def test_a_plan_says_how_many_rows_of_a_person_a_model_uses(schema, capsys):
    words = ["--schema", schema, "--epsilon", 1, "--unit", "id", "--rows-per-unit", 3]
    code, out, _ = run(*words, capsys=capsys)
    assert code == 0
    assert "One row of each person is used, though up to 3 are allowed." in " ".join(out.split())
    code, _, err = run(*words, "--rows", "independent", capsys=capsys)
    assert code == 2
    assert "a model uses one row of each person" in " ".join(err.split())


def test_a_goal_that_is_none_is_refused_with_a_schema_too(schema, capsys):
    code, _, err = run("--schema", schema, "--epsilon", 1, "--goal", "sanitise", capsys=capsys)
    assert code == 2
    assert "goal must be one of" in err


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("--questions", 3, "--k", 2), "--k does not go with --questions"),
        (("--questions", 3, "--n", 9), "--n does not go with --questions"),
        (("--questions", 3, "--goal", "sanitize"), "--goal does not go with --questions"),
        (("--questions", 3, "--sweep", "alpha=0.1"), "--sweep does not go with --questions"),
        (("--sweep", "alpha=0.1", "--n", 9), "--n does not go with --sweep"),
        (("--sweep", "alpha=0.1", "--sweep", "alpha=0.2"), "each parameter once"),
    ],
)
def test_what_a_plan_would_not_heed_is_refused(words, hint, capsys):
    code, _, err = run("--class", "points", "--size", 4, "--epsilon", 1, *words, capsys=capsys)
    assert code == 2
    assert hint in err


@pytest.mark.parametrize(
    "words",
    [
        ("--features", "age"),
        ("--model", "selection"),
        ("--model", "selection", "--among", "stump,interval", "--tries", 2),
    ],
)
def test_a_model_is_planned_by_the_options_it_is_learned_by(words, schema, capsys):
    code, out, err = run("--schema", schema, "--epsilon", 1, *words, capsys=capsys)
    assert code == 0, err
    assert "suffice" in out


def test_fewer_columns_need_fewer_records(schema, capsys):
    def needed(*more):
        words = ("--schema", schema, "--epsilon", 1, "--model", "stump", *more, "--json")
        return json.loads(run(*words, capsys=capsys)[1])["options"][0]["n"]

    assert needed("--features", "age") < needed()


@pytest.mark.parametrize("name", ["domain", "ledger", "rng", "public-columns", "costs"])
def test_a_parameter_of_the_classifier_is_no_option(name, schema, capsys):
    code, _, err = run("--schema", schema, "--epsilon", 1, f"--{name}", "x", capsys=capsys)
    assert code == 2
    assert f"--{name} is not for --model tree" in err


def test_one_record_is_one(capsys):
    words = ("--class", "points", "--size", 2, "--epsilon", 15, "--alpha", "0.9", "--beta", "0.9")
    code, out, _ = run(*words, "--n", 1, capsys=capsys)
    assert code == 0
    assert out.startswith("With 1 record: ")
    assert "\n1 record suffices for an error" in out
    code, out, _ = run(*words, "--unit", "patient", "--verbose", capsys=capsys)
    assert "1 person suffices for" in out
    assert "1 person suffices, by" in out


@pytest.mark.parametrize("option", ["setting=realizable", "marginal=uniform", "output-kind=proper"])
def test_what_learn_does_not_take_of_a_table_is_not_planned(schema, option, capsys):
    name, _, value = option.partition("=")
    words = ("--schema", schema, "--epsilon", 1, f"--{name}", value)
    code, _, err = run(*words, capsys=capsys)
    assert code == 2
    assert f"--{name} needs --class, not --schema" in err


def test_a_model_that_no_algorithm_learns_is_refused_with_what_to_do(schema, capsys):
    words = ("--schema", schema, "--epsilon", 1)
    for model in ("box", "conjunction", "interval"):
        code, out, err = run(*words, "--model", model, "--classes", "a,b,c", capsys=capsys)
        assert (code, out) == (2, "")
        assert "--model tree, rule, rule-list" in err
    code, out, err = run(*words, "--k", 3, "--classes", "a,b,c", capsys=capsys)
    assert (code, out) == (2, "")
    assert "No algorithm of this package does this task" in err
    assert run(*words, "--classes", "a,b,c", capsys=capsys)[0] == 0
