"""Several labels of one table under one (epsilon, delta): shares, rules, names, one certificate."""

import json
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from tests.sources.persons_cases import FilteredFrame

from tacit import BudgetRefused, Ledger
from tacit.accounting import About
from tacit.bounds.upper.adaptive import adaptive_share
from tacit.checks.testing import seeded
from tacit.cli import main
from tacit.core import BadInput
from tacit.core.resources import Resources, using
from tacit.estimators import (
    BoxClassifier,
    MultiTaskClassifier,
    ThresholdClassifier,
    TreeClassifier,
)
from tacit.estimators.several_labels import learn_labels
from tacit.problems.tables.shared_trees import EitherTrees
from tacit.report.release_file import digest_of, load, release_record, release_text
from tacit.report.verify import verify
from tacit.sources.frames import FrameTable
from tacit.sources.opening import read

DELTA = Fraction(1, 10**6)


def made_up(rng, rows, *, rules, columns):
    x = rng.random((rows, columns))
    y = np.stack([(x[:, c[0]] >= t[0]) & (x[:, c[1]] >= t[1]) for c, t in rules], axis=1)
    return x, y ^ (rng.random(y.shape) < 0.03)


def some_rules(rng, k, columns):
    return [(rng.choice(columns, 2, replace=False), rng.uniform(0.25, 0.75, 2)) for _ in range(k)]


def test_a_hundred_labels_of_one_tree_share_its_questions_without_being_told(tmp_path):
    """10 % noise, 20 columns, 2000 records, (1, 1e-6); own questions make about half as many."""
    rng = np.random.default_rng(1)
    marks = rng.random((100, 4)) < 0.5
    marks[marks.all(axis=1) | ~marks.any(axis=1)] = (True, False, False, True)

    def records(rows):
        x = rng.random((rows, 20))
        leaf = np.where(x[:, 3] < 0.5, x[:, 7] < 0.4, 2 + (x[:, 11] < 0.6)).astype(int)
        return x, marks[:, leaf].T ^ (rng.random((rows, 100)) < 0.1)

    base = TreeClassifier(
        domain=[(0, 1)] * 20,
        depth=2,
        bins=8,
        epsilon=1,
        delta=DELTA,
        ledger=Ledger.memory(1, DELTA),
    )
    model = MultiTaskClassifier(base)
    assert isinstance(model.task(100).concept_class, EitherTrees)
    x, y = records(2000)
    model.fit(x, y.astype(int))
    fresh, truth = records(5000)
    right = (model.predict(fresh) == truth).mean(axis=0)
    majority = np.maximum(truth.mean(axis=0), 1 - truth.mean(axis=0))
    assert np.count_nonzero(right - majority > 0.01) >= 80
    assert len(model.certificate_.several.labels) == 100
    path = tmp_path / "rules.json"
    path.write_text(release_text(release_record(model.release_, about=About(), counted=True)))
    found = {check.name: check.state.value for check in verify(path, seconds=None).checks}
    assert found["computed anew"] == "holds"


def test_a_hundred_labels_are_learned_where_a_hundredth_of_epsilon_learns_few():
    """100 conjunctions of two cuts with 3 % noise, 20 columns, 5000 records, (1, 1e-6)."""
    rng = np.random.default_rng(0)
    rules = some_rules(rng, 100, 20)
    x, y = made_up(rng, 5000, rules=rules, columns=20)
    fresh, truth = made_up(rng, 20000, rules=rules, columns=20)
    ledger = Ledger.memory(1, DELTA)
    base = TreeClassifier(
        domain=[(0, 1)] * 20, depth=2, bins=16, epsilon=1, delta=DELTA, ledger=ledger
    )
    model = MultiTaskClassifier(base).fit(x, y.astype(int))
    right = (model.predict(fresh) == truth).mean(axis=0)
    majority = np.maximum(truth.mean(axis=0), 1 - truth.mean(axis=0))
    assert np.count_nonzero(right - majority > 0.01) >= 80
    assert model.certificate_.epsilon == 1
    assert model.certificate_.delta == DELTA
    assert len(ledger.entries) == 1
    errors = np.array([float(one.error) for one in model.certificate_.several.labels])
    assert np.all(errors >= 1 - right)


NAMED = {"age": (0, 100), "dose": (0, 1)}


def frame(n=3000):
    rng = np.random.default_rng(1)
    x = pd.DataFrame({"age": rng.uniform(0, 100, n), "dose": rng.uniform(0, 1, n)})
    y = pd.DataFrame({"dx_a": x["age"] >= 50, "dx_b": x["dose"] >= 0.5, "dx_c": x["age"] < 25})
    return x, y.astype(int)


def fitted(**more):
    x, y = frame()
    given = {"domain": {"age": (0, 100), "dose": (0, 1)}, "depth": 1, "epsilon": 2, "delta": DELTA}
    ledger = Ledger.memory(2, DELTA)
    return MultiTaskClassifier(TreeClassifier(ledger=ledger, **given | more)).fit(x, y), x, y


def test_labels_that_depend_on_the_same_columns_share_their_questions():
    """30 labels of the four leaves of one tree, 10 % noise, 20 columns, 1000 records, (1, 1e-6)."""
    rng = np.random.default_rng(4)
    marks = rng.random((30, 4)) < 0.5

    def records(n):
        x = rng.random((n, 20))
        low = x[:, 3] < 0.5
        leaf = np.where(low, x[:, 7] < 0.4, 2 + (x[:, 11] < 0.6)).astype(int)
        return x, marks[:, leaf].T ^ (rng.random((n, 30)) < 0.1)

    (x, y), (fresh, truth) = records(1000), records(20000)
    right = {}
    for shared in (False, True):
        book = Ledger.memory(1, DELTA)
        base = TreeClassifier(
            domain=[(0, 1)] * 20,
            depth=2,
            bins=8,
            epsilon=1,
            delta=DELTA,
            ledger=book,
            rng=seeded("shared"),
        )
        model = MultiTaskClassifier(base, shared=shared).fit(x, y.astype(int))
        assert len(book.entries) == 1
        right[shared] = (model.predict(fresh) == truth).mean(axis=0)
        errors = np.array([float(one.error) for one in model.certificate_.several.labels])
        assert np.all(errors >= 1 - right[shared])
    assert model.certificate_.algorithm == "shared questions"
    assert model.certificate_.epsilon <= 1
    assert right[True].mean() > 0.85
    assert right[True].mean() > right[False].mean() + 0.05


def test_questions_are_shared_by_trees_alone():
    x, y = frame(100)
    for base, said in (
        (TreeClassifier(domain=NAMED, epsilon=1), "a delta above 0"),
        (BoxClassifier(domain=NAMED, epsilon=1, delta=DELTA), "only trees share"),
        (TreeClassifier(domain=NAMED, depth=3, epsilon=1, delta=DELTA), "at most 2 levels"),
    ):
        with pytest.raises(BadInput, match=said):
            MultiTaskClassifier(base, shared=True).fit(x, y)


def test_rules_have_the_names_of_their_labels_and_one_certificate(tmp_path):
    model, x, y = fitted()
    assert model.score(x, y) > 0.9
    words = model.describe()
    assert "dx_a: if age" in words
    assert "dx_a is 1" in words
    assert [one.label for one in model.certificate_.several.labels] == list(y.columns)
    text = model.certificate_.to_markdown()
    assert "for all 3 rules at once" in text
    record = release_record(model.release_, about=About(data_set="t"), counted=True)
    path = tmp_path / "release.json"
    path.write_text(release_text(record))
    assert verify(path)
    assert "dx_b: if dose" in load(path).describe()
    worse = json.loads(json.dumps(record))
    worse["certificate"]["certified"]["several"]["labels"][0]["error"] = "0.01"
    worse["digests"]["release"] = digest_of(worse)
    path.write_text(release_text(worse))
    assert not verify(path)


def test_each_label_gets_what_composition_allows_and_no_more():
    each = adaptive_share(epsilon=Fraction(1), delta=DELTA, k=100)
    assert Fraction(469, 10000) < each <= Fraction(4705, 100000)
    assert adaptive_share(epsilon=Fraction(1), delta=Fraction(0), k=100) == Fraction(1, 100)


def test_a_full_ledger_refuses_all_of_them():
    x, y = frame(100)
    base = TreeClassifier(
        domain={"age": (0, 100), "dose": (0, 1)},
        epsilon=2,
        delta=DELTA,
        ledger=Ledger.memory(1, DELTA),
    )
    with pytest.raises(BudgetRefused):
        MultiTaskClassifier(base).fit(x, y)
    with pytest.raises(BadInput, match="one label per row"):
        MultiTaskClassifier(base).fit(x, y.iloc[:-1])


def test_without_mistakes_counted_all_of_epsilon_draws():
    model, _, _ = fitted(error_share=0)
    assert model.certificate_.several is None
    assert model.release_.event.epsilon == 2


def test_the_command_line_takes_names_and_patterns(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    x, y = frame(2000)
    table = x.join(y.replace({1: "yes", 0: "no"}))
    table.to_csv("t.csv", index=False)
    x.assign(number=range(2000)).head(3).to_csv("new.csv", index=False)
    columns = "".join(
        f'[columns.{name}]\nkind = "number"\nlow = 0\nhigh = {high}\n'
        for name, high in (("age", 100), ("dose", 1))
    )
    (tmp_path / "s.toml").write_text(columns)
    command = ["learn", "t.csv", "--schema", "s.toml", "--positive", "yes", "--no-ledger"]
    command += ["--negative", "no", "--epsilon", "5", "--depth", "1"]
    assert main([*command, "--labels", "dx_*", "--delta", "1e-6", "-o", "r.json"]) == 0
    assert "dx_c: if age" in capsys.readouterr().out
    assert main(["verify", "r.json"]) == 0
    assert main(["certificate", "r.json"]) == 0
    assert "Rules: dx_a: if age" in capsys.readouterr().out
    assert main(["predict", "r.json", "new.csv", "--id", "number"]) == 0
    lines = capsys.readouterr().out.split()
    assert lines[0] == "number,dx_a,dx_b,dx_c"
    assert len(lines) == 4
    assert set(lines[1].split(",")[1:]) <= {"yes", "no"}
    shared = [*command, "--labels", "dx_*", "--delta", "1e-6", "--shared", "-o", "s.json"]
    assert main(shared) == 0
    assert main(["verify", "s.json"]) == 0
    capsys.readouterr()
    assert main(["predict", "s.json", "new.csv"]) == 0
    assert capsys.readouterr().out.split()[0] == "dx_a,dx_b,dx_c"
    assert main([*command, "--labels", "dx_a,dx_b", "-o", "pure.json"]) == 0  # few combinations
    assert "unequal rules side by side" in capsys.readouterr().out
    assert main([*command[:-1], "2", "--labels", "dx_a,dx_b"]) == 0  # too many trees for that
    assert "labels side by side" in capsys.readouterr().out
    plan = ["plan", "--schema", "s.toml", "--epsilon", "5", "--delta", "1e-6", "--k", "3"]
    assert main([*plan, "--shared", "--n", "2000"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "of the 3 labels can be learned at once with an error of 0.1 above the best" in said
    assert "as a mean over the labels each" not in said
    assert main([*plan[:-2], "--shared"]) == 2
    assert "say how many, such as --k 3" in " ".join(capsys.readouterr().err.split())
    for wrong, said in (
        (["--label", "dx_a", "--shared"], "--shared is for several label columns"),
        (["--labels", "zz_*", "--delta", "1e-6"], "no column fits"),
        (["--delta", "1e-6"], "--labels a,b,c"),
        (["--labels", "age,dx_a", "--delta", "1e-6"], "must not be a column"),
    ):
        assert main([*command, *wrong]) == 2
        assert said in " ".join(capsys.readouterr().err.split())


def base(**more):
    given = {"domain": {"age": (0, 100), "dose": (0, 1)}, "depth": 1, "epsilon": 2, "delta": DELTA}
    return TreeClassifier(**{"ledger": Ledger.memory(2, DELTA)} | given | more)


@pytest.mark.parametrize("relation", ["replace-one", "label"])
def test_a_number_of_records_that_conditions_choose_is_not_told(relation):
    """The certificate named it: the records that a query with WHERE left."""
    x, y = frame()
    told = base(relation=relation)
    with pytest.raises(BadInput, match="conditions choose the rows"):
        learn_labels(told, FilteredFrame(x.join(y)), ["dx_a", "dx_b"])
    assert not told.ledger.entries


def test_conditions_are_allowed_where_the_number_is_private():
    x, y = frame()
    release = learn_labels(base(relation="add-remove"), FilteredFrame(x.join(y)), ["dx_a", "dx_b"])
    assert release.certificate.n is None


def test_a_memory_limit_is_kept_with_several_labels(monkeypatch):
    x, y = frame()
    told = base(depth=3)
    limit = 64 << 20
    with using(Resources(memory=limit)):
        monkeypatch.setattr("tacit.sources.memory._BYTES_A_CELL", limit // (3000 * 4) + 1)
        with pytest.raises(BadInput, match="holds all records, about 68 MB"):
            learn_labels(told, FrameTable(x.join(y)), ["dx_a", "dx_b"])
        assert not told.ledger.entries
        # Trees of at most two levels are counted, pass by pass.
        assert learn_labels(base(), FrameTable(x.join(y)), ["dx_a", "dx_b"]).certificate.n == 3000
        monkeypatch.setattr("tacit.sources.memory._BYTES_A_CELL", limit // (3000 * 4))
        assert learn_labels(told, FrameTable(x.join(y)), ["dx_a", "dx_b"]).certificate.n == 3000


def test_persons_that_the_classifier_names_are_protected():
    """Rows were protected once, and nothing said that persons were not."""
    x, y = frame()
    told = base(unit="id", rows_per_unit=2)
    table = x.join(y).assign(id=np.arange(3000) // 2)
    certificate = learn_labels(told, FrameTable(table), ["dx_a", "dx_b"]).certificate
    assert (certificate.asked.unit, certificate.n) == ("id", 1500)


def test_the_certificate_of_several_labels_says_what_was_assumed_and_is_computed_anew(tmp_path):
    x, y = frame(600)
    domain = {
        "age": {"kind": "number", "low": 0, "high": 100, "complete": True},
        "dose": {"kind": "number", "low": 0, "high": 1},
    }
    book = Ledger.memory(1, DELTA)
    base = TreeClassifier(domain=domain, classes=(False, True), delta=DELTA, ledger=book)
    release = MultiTaskClassifier(base).fit(x, y).release_
    assumed = " ".join(release.certificate.assumed)
    assert "No value is missing or undeclared, as the caller says, in 'age'." in assumed
    assert "the records are drawn independently" in assumed
    assert "How many records have each label was not counted" in str(release.certificate)
    record = release_record(release, about=About(), counted=True)
    assert "bounds/upper/noisy_count.proof.md" in record["made"]["proofs"]
    path = tmp_path / "r.json"
    path.write_text(release_text(record))
    found = {check.name: check.state.value for check in verify(path, seconds=None).checks}
    assert found["computed anew"] == "holds"
    cheat = json.loads(path.read_text())
    cheat["certificate"]["recipe"]["error_share"] = "1/5"  # another split of the same cost
    cheat["digests"]["release"] = digest_of(cheat)
    path.write_text(release_text(cheat))
    assert not verify(path, seconds=None)


def mixed(n=3000):
    """Labels of different kinds, some of them missing."""
    x, y = frame(n)
    rng = np.random.default_rng(7)
    told = pd.DataFrame(
        {
            "smoker": np.where(y["dx_a"] == 1, "yes", "no"),
            "grade": np.where(y["dx_b"] == 1, 2, 1),
            "dx_c": y["dx_c"],
        }
    ).astype(object)
    truth = np.stack([told["smoker"] == "yes", told["grade"] == 2, told["dx_c"] == 1], axis=1)
    for name in told:
        told.loc[rng.random(n) < 0.3, name] = None
    return x, told, truth


OWN = {"smoker": ("no", "yes"), "grade": (1, 2)}


@pytest.mark.parametrize("shared", [False, True])
def test_labels_have_values_of_their_own_and_leave_out_their_own_records(shared, tmp_path):
    x, told, truth = mixed()
    model = MultiTaskClassifier(
        base(other="ignore", epsilon=5, ledger=Ledger.memory(5, DELTA)), classes=OWN, shared=shared
    ).fit(x, told)
    found = model.predict(x)
    assert set(found[:, 0]) <= {"yes", "no"}
    assert set(found[:, 1]) <= {1, 2}
    if not shared:
        given = [("yes", "no"), (2, 1), (1, 0)]
        right = [found[:, j] == np.where(truth[:, j], *given[j]) for j in range(3)]
        assert np.mean(right) > 0.95  # a missing label would have made every third one negative
    record = release_record(model.release_, about=About(), counted=True)
    path = tmp_path / "r.json"
    path.write_text(release_text(record))
    assert verify(path, seconds=None)
    assert "smoker is yes" in load(path).describe()
    assert (load(path).predict(x) == found).all()
    named = [one.label.positive for one in model.release_.value]
    assert named == ["yes", 2, 1]


def test_each_label_has_costs_of_its_own_and_a_mistyped_name_is_told(tmp_path):
    x, told, _ = mixed()
    made = MultiTaskClassifier(base(), classes=OWN, costs={"smoker": {"yes": 7}})
    release = made.fit(x, told).release_
    assert release.certificate.recipe["label_costs"] == [[1, 7], [1, 1], [1, 1]]
    path = tmp_path / "r.json"
    path.write_text(release_text(release_record(release, about=About(), counted=True)))
    assert verify(path, seconds=None)
    for given, said in (
        ({"classes": {"smokes": (0, 1)}}, "no label 'smokes'"),
        ({"costs": {"smoker": {"ja": 7}}}, "'ja' of 'smoker'"),
        ({"costs": {"smoker": {"yes": 7}}, "shared": True}, "no algorithm learns these labels"),
        ({"costs": {"smoker": {"yes": 7}}, "shared": True}, "it counts mistakes, and costs"),
        ({"classes": {"smoker": ("yes", "yes")}}, "two different values"),
        ({"classes": {"smoker": "no"}}, "'smoker' must have two values"),
        ({"classes": {"smoker": {"no", "yes"}}}, "'smoker' must have two values"),
        ({"classes": ["no", "yes"]}, "told by their names"),
        ({"costs": {"smoker": 7}}, "whole numbers by value"),
    ):
        with pytest.raises(BadInput, match=said):
            MultiTaskClassifier(base(), **({"classes": OWN} | given)).fit(x, told)
    with pytest.raises(BadInput, match="'smokes:yes', which none of the labels has"):
        MultiTaskClassifier(base(costs={"smokes:yes": 7}), classes=OWN).fit(x, told)
    with pytest.raises(BadInput, match="need rules over a table"):
        MultiTaskClassifier(ThresholdClassifier(domain=9), classes=OWN).fit(x, told)


def test_the_command_line_takes_values_and_costs_of_each_label(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    x, told, _ = mixed(2000)
    x.join(told).to_csv("t.csv", index=False)
    (tmp_path / "s.toml").write_text(
        "".join(
            f'[columns.{name}]\nkind = "number"\nlow = 0\nhigh = {high}\n'
            for name, high in (("age", 100), ("dose", 1))
        )
    )
    command = ["learn", "t.csv", "--schema", "s.toml", "--no-ledger", "--epsilon", "5"]
    command += ["--delta", "1e-6", "--depth", "1", "--force"]
    own = ["--labels", "smoker=yes/no,grade=2/1,dx_*"]
    assert main([*command, *own, "--other", "ignore", "-o", "r.json"]) == 0
    assert main(["verify", "r.json"]) == 0
    capsys.readouterr()
    assert main(["predict", "r.json", "t.csv"]) == 0
    lines = capsys.readouterr().out.split()
    assert lines[0] == "smoker,grade,dx_c"
    assert {line.split(",")[0] for line in lines[1:]} <= {"yes", "no"}
    assert main([*command, *own, "--cost", "smoker:yes=3,1=2", "-o", "r.json"]) == 0
    record = json.loads((tmp_path / "r.json").read_text())
    assert record["about"]["label"] == "smoker, grade, dx_*"
    recipe = record["certificate"]["recipe"]
    assert recipe["label_costs"] == [[1, 3], [2, 1], [1, 2]]
    for wrong, said in (
        (["--labels", "smoker=,grade"], "both: smoker=yes/no"),
        (["--labels", "smoker=yes,grade=2/1", "--other", "ignore"], "both values of 'smoker'"),
        ([*own, "--other", "class"], "--other ignore"),
    ):
        assert main([*command, *wrong]) == 2
        assert said in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize("depth", [1, 3])
def test_the_same_rules_from_a_file_that_is_read_again_and_from_a_frame(tmp_path, depth):
    """Trees of one level are counted, a pass a label; of those of three the cells are held."""
    x, y = frame()
    x.join(y).to_parquet(tmp_path / "t.parquet", row_group_size=700)
    shuffled = x.join(y).sample(frac=1, random_state=3)
    found = []
    for data in (FrameTable(x.join(y)), read(tmp_path / "t.parquet"), FrameTable(shuffled)):
        model = base(depth=depth, rng=seeded(6))
        found.append(json.dumps(learn_labels(model, data, ["dx_a", "dx_b"]).value.to_dict()))
    model = MultiTaskClassifier(base(depth=depth, rng=seeded(6))).fit(x, y[["dx_a", "dx_b"]])
    assert len(set(found)) == 1
    told = [one["rule"] for one in json.loads(found[0])["rules"]]
    assert [rule.to_dict() for rule in model.rules_] == told


@pytest.mark.parametrize(
    ("more", "many", "said"),
    [
        ({"error_share": 0}, {"shared": True}, "the 3 rules err, as a mean over the labels, on at"),
        ({"error_share": 0, "costs": {1: 5}}, {}, "cost at most a fraction 0.1 (above the best of"),
        ({"error_share": 0}, {}, "(label 0, label 1, label 2) errs on at most a fraction 0.1"),
        ({"relation": "add-remove", "error_share": 0.1}, {}, "Mistakes were counted with noise"),
        ({"relation": "add-remove", "error_share": 0}, {}, "No part of the budget was set aside"),
        ({"relation": "add-remove"}, {}, "No part of the budget was set aside"),
    ],
)
def test_what_is_promised_without_a_count_is_what_was_proved(more, many, said):
    """A mean over labels, or over costs, was promised of the errors of each rule."""
    rng = np.random.default_rng(0)
    x = rng.random((9000, 2))
    y = np.stack([x[:, 0] > 0.5, x[:, 1] > 0.5, x[:, 0] > 0.25], axis=1).astype(int)
    ledger = Ledger.memory(epsilon=2, delta="1e-5")
    domain = [(0, 1)] * 2
    base = TreeClassifier(
        domain=domain, bins=4, depth=1, epsilon=2, delta="1e-6", ledger=ledger, **more
    )
    fitted = MultiTaskClassifier(base, **many).fit(x, y)
    words = str(fitted.certificate_)
    assert said in words
    assert ("No part of the budget" in words) is (not more.get("error_share"))
    assert ("counted with noise" in words) is bool(more.get("error_share"))
    assert ("each of the 3 rules (label 0, label 1, label 2) errs" in words) is (
        "costs" not in more and not many
    )
