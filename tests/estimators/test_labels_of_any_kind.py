"""Several labels without a delta, with costs that are bounded, and with more than two values."""

import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from tacit import Ledger, save, verify
from tacit.checks.testing import seeded
from tacit.cli import main
from tacit.core import BadInput
from tacit.estimators import (
    BestRuleClassifier,
    BoxClassifier,
    MultiTaskClassifier,
    RatedClassifier,
    RuleListClassifier,
    ScoreClassifier,
    StumpClassifier,
    TreeClassifier,
)
from tacit.estimators.several_labels import Own, learn_labels
from tacit.report.release_file import digest_of, load, release_text
from tacit.sources.frames import FrameTable
from tacit.sources.opening import read

DOMAIN = {"age": (0, 100), "dose": (0, 1)}
RISKS = ("low", "mid", "high")
CLASSES = {"flu": ("no", "yes"), "cold": ("no", "yes"), "risk": RISKS}
DELTA = "1e-6"


def table(n=4000, *, seed=0):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"age": rng.uniform(0, 100, n), "dose": rng.uniform(0, 1, n)})
    frame["flu"] = np.where(frame["age"] >= 75, "yes", "no")
    frame["cold"] = np.where(frame["dose"] >= 0.5, "yes", "no")
    thirds = [frame["age"] < 25, frame["age"] < 75]
    frame["risk"] = np.select(thirds, RISKS[:2], RISKS[2])
    return frame


def tree(kind=TreeClassifier, **more):
    given = {"domain": DOMAIN, "classes": ("no", "yes"), "epsilon": 2} | more
    given.setdefault("ledger", Ledger.memory(given["epsilon"], given.get("delta", 0)))
    return kind(**given)


def fitted(names, base=None, *, frame=None, **more):
    frame = table() if frame is None else frame
    return MultiTaskClassifier(tree() if base is None else base, **more).fit(
        frame[list(DOMAIN)], frame[list(names)]
    )


def checks(release, path):
    path.unlink(missing_ok=True)
    save(release, path)
    return {one.name: one.state.value for one in verify(path, seconds=None).checks}


def forged(path, change):
    """Whether a file that says something else, with its digest made anew, is believed."""
    record = json.loads(path.read_text())
    change(record)
    record["digests"]["release"] = digest_of(record)
    other = path.with_suffix(".forged")
    other.write_text(release_text(record))
    return bool(verify(other, seconds=None))


@pytest.mark.parametrize(
    "kind", [TreeClassifier, StumpClassifier, RuleListClassifier, BoxClassifier]
)
def test_without_a_delta_there_is_one_charge_and_one_certificate(kind, tmp_path):
    model = fitted(["flu", "cold"], tree(kind))
    paper = model.certificate_
    assert len(model.estimator.ledger.entries) == 1
    assert (paper.epsilon, paper.delta, paper.beta) == (2, 0, Fraction(1, 20))
    assert paper.several.epsilon == Fraction(1, 10)
    fresh = table(seed=1)
    wrong = (model.predict(fresh[list(DOMAIN)]) != fresh[["flu", "cold"]].to_numpy()).mean(axis=0)
    assert all(wrong <= [float(one.error) for one in paper.several.labels])
    assert max(one.error for one in paper.several.labels) < Fraction(1, 8)
    found = checks(model.release_, tmp_path / "r.json")
    assert found["errors"] == found["computed anew"] == "holds"
    assert "FAILS" not in found.values()
    for change in (
        lambda r: r["certificate"]["certified"]["several"].update(epsilon="1/2"),
        lambda r: r["certificate"]["certified"]["several"]["labels"][0].update(error="0.001"),
        lambda r: r["certificate"]["certified"]["several"]["labels"][0].update(noisy_mistakes=999),
        lambda r: r["certificate"]["asked"].update(beta="0.5"),
        lambda r: r["certificate"]["certified"]["several"]["labels"].pop(),
    ):
        assert not forged(tmp_path / "r.json", change)


def test_without_a_delta_the_number_of_records_may_be_private():
    told = fitted(["flu", "cold"], tree(relation="add-remove", error_share="0.1")).certificate_
    assert (told.n, told.several) == (None, None)
    assert "Mistakes were counted with noise, and are not stated" in str(told)


@pytest.mark.parametrize("delta", [0, DELTA])
@pytest.mark.parametrize("costs", [{"yes": 9}, "balanced"])
def test_costs_are_bounded_for_every_label_at_once(costs, delta, tmp_path):
    model = fitted(["flu", "cold"], tree(costs=costs, delta=delta, epsilon=4))
    several = model.certificate_.several
    fresh = table(seed=1)
    said = model.predict(fresh[list(DOMAIN)])
    for place, one in enumerate(several.labels):
        truth, found = fresh[one.label] == "yes", said[:, place] == "yes"
        rates = [(found & ~truth).mean(), (~found & truth).mean()]
        told = [value.cost for value in one.values]
        assert [value.label for value in one.values] == ["no", "yes"]
        assert (told == [1, 9]) is (costs != "balanced")
        assert sum(rates) <= one.error
        assert np.dot(told, rates) <= one.cost
        assert (one.balanced is None) is (costs != "balanced")
        if one.balanced is not None:
            each = rates[0] / (~truth).mean() + rates[1] / truth.mean()
            assert each / 2 <= one.balanced < Fraction(1, 4)
    words = " ".join(str(model.certificate_).split())
    assert ("cost at most so much a record on average" in words) is (costs != "balanced")
    assert ("would err on 50 % on that average" in words) is (costs == "balanced")
    path = tmp_path / "r.json"
    found = checks(model.release_, path)
    assert found["errors"] == found["computed anew"] == "holds"
    assert load(path).certificate == model.certificate_

    def first(record):
        return record["certificate"]["certified"]["several"]["labels"][0]

    for change in (
        lambda r: first(r).update(cost="0.001"),
        lambda r: first(r)["values"][1].update(cost=2),
        lambda r: first(r)["values"][1].update(noisy_mistakes=999),
        lambda r: first(r)["values"][0].update(rate="0"),
        lambda r: first(r).pop("values"),
        lambda r: first(r).update(balanced="0.001"),
        lambda r: r["certificate"]["certified"]["several"].update(sizes="1"),
    ):
        assert not forged(path, change)


def test_costs_of_single_labels_are_bounded_by_the_words_of_their_values(tmp_path):
    model = fitted(["flu", "cold"], costs={"flu": {"yes": 20}}, classes={"cold": ("no", "yes")})
    flu, cold = model.certificate_.several.labels
    assert [(one.label, one.cost) for one in flu.values] == [("no", 1), ("yes", 20)]
    assert [one.cost for one in cold.values] == [1, 1]
    assert cold.cost == cold.error
    found = checks(model.release_, tmp_path / "r.json")
    assert found["computed anew"] == "holds"
    assert not forged(
        tmp_path / "r.json",
        lambda r: r["certificate"]["recipe"].update(label_costs=[[1, 2], [1, 1]]),
    )


@pytest.mark.parametrize("delta", [0, DELTA])
@pytest.mark.parametrize(
    "kind", [TreeClassifier, RuleListClassifier, ScoreClassifier, BestRuleClassifier]
)
def test_labels_of_two_and_three_values_have_one_certificate(kind, delta, tmp_path):
    model = fitted(CLASSES, tree(kind, delta=delta, epsilon=4), classes=CLASSES)
    fresh = table(seed=1)
    said = model.predict(fresh[list(DOMAIN)])
    assert [set(column) for column in said.T] == [{"no", "yes"}, {"no", "yes"}, set(RISKS)]
    wrong = (said != fresh[list(CLASSES)].to_numpy()).mean(axis=0)
    assert max(wrong) < 0.1
    assert all(wrong <= [float(one.error) for one in model.certificate_.several.labels])
    assert [list(one) for one in model.classes_] == [list(one) for one in CLASSES.values()]
    assert "risk is mid" in model.describe()
    assert 0.7 < model.score(fresh[list(DOMAIN)], fresh[list(CLASSES)]) <= 1
    path = tmp_path / "r.json"
    found = checks(model.release_, path)
    assert found["errors"] == found["computed anew"] == "holds"
    assert (load(path).predict(fresh[list(DOMAIN)]) == said).all()

    def other(record):
        record["certificate"]["recipe"]["label_values"][2] = ["low", "mid", "dead"]

    def fewer(record):
        record["certificate"]["recipe"]["label_values"][2] = ["low", "high"]

    def named(record):
        record["rule"]["rules"][2]["label"]["values"] = ["high", "mid", "low"]

    for change in (other, fewer, named, lambda r: r["certificate"]["recipe"].pop("label_values")):
        assert not forged(path, change)


@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("other", ["negative", "ignore"])
def test_the_same_rules_from_a_file_that_is_counted_and_from_a_frame(depth, other, tmp_path):
    """Some labels are missing: of three values they count as the first, or are left out."""
    frame = table(1500)
    rng = np.random.default_rng(3)
    for name in CLASSES:
        frame.loc[rng.random(1500) < 0.3, name] = None
    frame.to_parquet(tmp_path / "t.parquet", row_group_size=400)
    frame.to_csv(tmp_path / "t.csv", index=False)
    sources = [FrameTable(frame), read(tmp_path / "t.parquet"), read(tmp_path / "t.csv")]
    found = []
    for data in sources:
        base = tree(depth=depth, other=other, epsilon=9, rng=seeded(4), ledger=Ledger.memory())
        release = learn_labels(base, data, list(CLASSES), own=Own(classes=CLASSES))
        found.append((release.value.describe(), release.certificate.several))
    base = tree(depth=depth, other=other, epsilon=9, rng=seeded(4), ledger=Ledger.memory())
    model = fitted(CLASSES, base, frame=frame, classes=CLASSES)
    found.append((model.describe(), model.certificate_.several))
    assert all(one == found[0] for one in found)
    counts = [one.noisy_mistakes for one in found[0][1].labels]
    assert (max(counts) < 100) is (other == "ignore" and depth > 1)
    words = " ".join(str(model.certificate_).split())
    assert ("as the first of them" in words) is (other == "negative")


def test_a_task_of_k_columns_has_no_values_of_single_ones():
    assert MultiTaskClassifier(tree(), classes={"flu": ("no", "yes")}).task(2).k == 2
    with pytest.raises(BadInput, match="--labels"):
        MultiTaskClassifier(tree(), classes=CLASSES).task(3)


def test_what_has_no_proof_for_more_values_is_refused_before_the_charge():
    ledger = Ledger.memory(9, DELTA)
    for base, more, said in (
        (tree(BoxClassifier), {}, "BoxClassifier learns two"),
        (tree(costs={"yes": 3}), {}, "labels of two values each"),
        (tree(), {"costs": {"flu": {"yes": 3}}}, "labels of two values each"),
        (tree(delta=DELTA), {"shared": True}, "two values of each label"),
        (RatedClassifier(tree(), rate_share="0.2"), {}, "each has two values"),
        (tree(), {"classes": {"risk": ("low",)}}, "or more of them"),
        (tree(), {"classes": {"risk": tuple(range(101))}}, "or more of them"),
        (tree(), {"classes": {"risk": ("low", "low", "high")}}, "different values"),
        (tree(), {"classes": {"risk": ("low", None, "high")}}, "missing one cannot be declared"),
    ):
        inner = base.estimator if isinstance(base, RatedClassifier) else base
        inner.ledger = ledger
        with pytest.raises(BadInput, match=said):
            fitted(CLASSES, base, **{"classes": CLASSES} | more)
    assert not ledger.entries


SCHEMA = "".join(
    f'[columns.{name}]\nkind = "number"\nlow = {low}\nhigh = {high}\n'
    for name, (low, high) in DOMAIN.items()
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    table(2000).to_csv("t.csv", index=False)
    (tmp_path / "s.toml").write_text(SCHEMA)
    return tmp_path


LEARN = ["learn", "t.csv", "--schema", "s.toml", "--epsilon", "4", "--no-ledger"]


def test_the_command_line_needs_no_delta(folder, capsys):
    budget = ["--ledger", "b.ledger"]
    assert main(["budget", "create", "b.ledger", "--epsilon", "4", "--data-set", "people"]) == 0
    words = ["--labels", "flu=yes/no,cold=yes/no,risk=low/mid/high"]
    paid = [*LEARN[:-1], *budget, *words]
    assert main([*paid, "--dry-run"]) == 0
    assert main([*paid, "-o", "r.json"]) == 0
    assert main(["verify", "r.json", *budget]) == 0
    assert "entry 1 of the ledger paid for exactly this release" in capsys.readouterr().out
    assert main([*paid, "-o", "other.json"]) == 3
    assert not (folder / "other.json").exists()
    capsys.readouterr()
    assert main(["predict", "r.json", "t.csv"]) == 0
    lines = capsys.readouterr().out.split()
    assert lines[0] == "flu,cold,risk"
    assert {line.split(",")[2] for line in lines[1:]} == set(RISKS)
    assert main(["certificate", "r.json"]) == 0


def test_wrong_words_for_label_values_are_refused_and_write_nothing(folder, capsys):
    for wrong, said in (
        (["--labels", "flu=yes/no,risk=low//high"], "risk=a/b/c"),
        (["--labels", "flu,risk", "--classes", "low,mid,high"], "--labels 'risk=low/mid/high"),
        (["--labels", "flu=yes/no,risk=low/mid/high", "--cost", "yes=3"], "two values each"),
        (["--labels", "flu=yes/no,risk=low/mid/high", "--model", "box"], "learns two"),
        (["--labels", "flu=yes/no,risk=low/mid/low"], "different values"),
        (["--labels", "flu=yes/no,cold=yes/no", "--model", "additive"], "one draw"),
    ):
        assert main([*LEARN, *wrong, "-o", "r.json"]) == 2
        assert said in " ".join(capsys.readouterr().err.split())
        assert not (folder / "r.json").exists()


def test_a_plan_heeds_how_many_values_labels_have(folder, capsys):
    plan = ["plan", "--schema", "s.toml", "--epsilon", "1", "--depth", "1", "--n", "2500"]
    told = []
    for labels in ("a=1/0,b=1/0", "a=1/0,b=x/y/z", "a=r/s/t/u,b=x/y/z"):
        assert main([*plan, "--labels", labels, "--json"]) == 0
        record = json.loads(capsys.readouterr().out)
        best = next(one for one in record["options"] if one["algorithm"] == "labels side by side")
        told.append((best["n"], record["with"]["most_tasks"]))
    needed = [n for n, _ in told]
    assert needed == sorted(needed)
    assert len(set(needed)) == 3
    tasks = [most for _, most in told]
    assert tasks == sorted(tasks, reverse=True)
    assert tasks[-1] >= 2
    assert main([*plan, "--labels", "a=1/0,b=x/y/z", "--model", "box"]) == 2
    assert "learns two label values" in capsys.readouterr().err
