"""``tacit plan --labels``: as many labels at once as are named, as ``learn`` takes them."""

import json

import pytest

from tacit.cli import main

PLAN = ["plan", "--schema", "s.toml", "--epsilon", "1", "--delta", "1e-6"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    columns = "".join(
        f'[columns.{name}]\nkind = "integer"\nlow = 0\nhigh = 9\n'
        for name in ("age", "dx_a", "dx_b")
    )
    (tmp_path / "s.toml").write_text(columns, encoding="utf-8")


def told(capsys, *words):
    assert main([*PLAN, *words]) == 0
    return capsys.readouterr().out


def test_named_labels_are_planned_as_so_many(capsys):
    for more in ((), ("--n", "500"), ("--shared",)):
        told_so_many = told(capsys, "--features", "age", "--k", "3", *more)
        named = told(capsys, "--features", "age", "--labels", "sick=yes/no,smoker, c", *more)
        assert named == told_so_many
    assert "of the 3 labels can be learned at once" in told(
        capsys, "--features", "age", "--labels", "a,b,c", "--n", "500"
    )


def test_labels_that_a_smaller_epsilon_is_proved_to_learn_are_counted(capsys):
    """Three labels draw at a larger rate each than ten, and less is proved of new records."""
    words = ("--features", "age,dx_a,dx_b", "--n", "6500")
    ten = told(capsys, *words, "--labels", "a,b,c,d,e,f,g,h,i,j")
    assert "; all of the 10 labels can be learned at once" in ten
    few = told(capsys, *words, "--labels", "a,b,c")
    least = few.partition("; ")[2].partition(" is the least epsilon")[0]
    assert "; 1 of the 3 labels can be learned at once" in few
    assert f" (all of them with epsilon = {least})." in few
    few = told(capsys, *words[:2], "--n", "500", "--labels", "a,b,c")
    assert "all of them" not in few


def test_a_pattern_is_read_by_the_names_of_the_schema(capsys):
    words = ("--features", "age", "--n", "900")
    both = told(capsys, *words, "--labels", "dx_*")
    assert both == told(capsys, *words, "--k", "2")
    assert told(capsys, *words, "--labels", "dx_*,sick") == told(capsys, *words, "--k", "3")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--labels", "no_*"], "a pattern needs names here"),
        (["--labels", "dx_*"], "the label 'dx_a' must not be a column of the schema"),
        (["--labels", "a"], "at least two different label columns"),
        (["--labels", "a,a"], "at least two different label columns"),
        (["--labels", "a,b", "--k", "2"], "leave out --k"),
        (["--labels", "a,b", "--classes", "x,y,z"], "--classes is for one --label"),
        (["--labels", "a,b", "--goal", "sanitize"], "--labels is for rules: over a table"),
        (["--labels", "a=yes/no,b", "--unit", "pid"], "--unit all labels have the same two"),
        (["--labels", "a,b", "--unit", "pid", "--other", "ignore"], "leave --other out"),
        (["--labels", "a=x/y/z,b", "--unit", "pid"], "--unit all labels have the same two"),
        (["--labels", "a,b", "--class", "trees"], "--labels is for rules: over a table"),
    ],
)
def test_what_learn_would_refuse_is_refused(capsys, more, said):
    assert main([*PLAN, *more]) == 2
    assert said in capsys.readouterr().err


def test_costs_of_one_label_are_not_taken_for_those_of_a_value(capsys):
    for labels in ("a,smoker", "a,b"):
        words = ("--features", "age", "--labels", labels, "--cost", "smoker:yes=20")
        assert main([*PLAN, *words]) != 0
        said = " ".join(capsys.readouterr().err.split())
        assert "costs that are the same for all labels: --cost yes=20" in said
    assert "greatest cost, 20" in told(
        capsys, "--features", "age", "--labels", "a,b", "--cost", "yes=20"
    )


def test_no_error_is_planned_where_learn_has_too_few_records_to_balance(capsys):
    words = ("--features", "age", "--labels", "a,b", "--cost", "balanced")
    plain = [one for one in PLAN if one not in ("--delta", "1e-6")]
    for n, promised in ((2262, False), (2263, True)):
        assert main([*plain, *words, "--n", str(n)]) == 0
        said = capsys.readouterr().out
        assert ("no error below 1 is certain" not in said) == promised
    assert main([*plain, *words, "--relation", "add-remove", "--verbose"]) == 2
    assert "need a public number of records" in " ".join(capsys.readouterr().err.split())


def test_many_labels_are_planned_as_learn_takes_them(capsys, tmp_path):
    """By default a private choice between own and shared questions; either by request."""
    columns = "".join(
        f'[columns.c{place}]\nkind = "number"\nlow = 0\nhigh = 1\nbins = 16\n'
        for place in range(20)
    )
    (tmp_path / "s.toml").write_text(columns, encoding="utf-8")
    words = ("--model", "tree", "--depth", "2", "--k", "100", "--beta", "0.05")
    text = told(capsys, *words)
    assert "own or shared questions" in text
    assert "as a mean over the labels" in " ".join(text.split())
    assert "labels side by side" in told(capsys, *words, "--own")
    assert "own or shared questions" not in told(capsys, *words, "--shared")
    assert main([*PLAN, "--model", "tree", "--own"]) == 2
    assert "--own is for several labels" in capsys.readouterr().err
    grid = ("--sweep", "epsilon=0.5,1", "--json")
    swept = json.loads(told(capsys, *words, *grid))
    best = {row["epsilon"]: row for row in swept["rows"] if row["best"]}
    assert best[1.0]["algorithm"] == "own or shared questions"
    assert f"{best[1.0]['records']:,} records suffice" in text
    own = json.loads(told(capsys, *words, *grid, "--own"))["rows"]
    assert "own or shared questions" not in {row["algorithm"] for row in own}
    shown = " ".join(told(capsys, *words, *grid[:2]).split())
    assert "own or shared questions: the error is counted" in shown
    assert "as a mean over the labels" in shown


def test_a_plan_of_labels_says_what_no_computer_can_run(capsys, tmp_path):
    paper = "(on paper: no computer can run that at this size)"
    columns = "".join(
        f'[columns.{name}]\nkind = "integer"\nlow = 0\nhigh = 7\n'
        for name in ("age", "bmi", "dose")
    )
    (tmp_path / "s.toml").write_text(columns, encoding="utf-8")
    words = ["plan", "--schema", "s.toml", "--epsilon", "2", "--n", "4000", "--labels", "a,b"]
    assert main([*words, "--error-share", "0"]) == 0
    pure = capsys.readouterr().out.splitlines()[0]
    assert "at this epsilon (labels side by side);" in pure
    assert f"least epsilon for an error of 0.1 above the best tree of two levels {paper};" in pure
    for more in ([], ["--delta", "1e-6"]):
        assert main([*words, *more]) == 0
        assert "at this epsilon (labels side by side);" in capsys.readouterr().out
