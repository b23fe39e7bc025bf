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
from tacit.cli import main
from tacit.core import BadInput
from tacit.core.resources import Resources, using
from tacit.estimators import MultiTaskClassifier, TreeClassifier
from tacit.estimators.several_labels import learn_labels
from tacit.report.release_file import digest_of, load, release_record, release_text
from tacit.report.verify import verify
from tacit.sources.frames import FrameTable

DELTA = Fraction(1, 10**6)


def made_up(rng, rows, *, rules, columns):
    x = rng.random((rows, columns))
    y = np.stack([(x[:, c[0]] >= t[0]) & (x[:, c[1]] >= t[1]) for c, t in rules], axis=1)
    return x, y ^ (rng.random(y.shape) < 0.03)


def some_rules(rng, k, columns):
    return [(rng.choice(columns, 2, replace=False), rng.uniform(0.25, 0.75, 2)) for _ in range(k)]


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
    capsys.readouterr()
    assert main(["predict", "r.json", "new.csv", "--id", "number"]) == 0
    lines = capsys.readouterr().out.split()
    assert lines[0] == "number,dx_a,dx_b,dx_c"
    assert len(lines) == 4
    assert set(lines[1].split(",")[1:]) <= {"yes", "no"}
    for wrong, said in (
        (["--labels", "dx_a,dx_b"], "delta above 0"),
        (["--labels", "zz_*", "--delta", "1e-6"], "no column fits"),
        (["--delta", "1e-6"], "--labels a,b,c"),
        (["--labels", "age,dx_a", "--delta", "1e-6"], "must not be a column"),
    ):
        assert main([*command, *wrong]) == 2
        assert said in " ".join(capsys.readouterr().err.split())


def base(**more):
    given = {"domain": {"age": (0, 100), "dose": (0, 1)}, "depth": 1, "epsilon": 2, "delta": DELTA}
    return TreeClassifier(ledger=Ledger.memory(2, DELTA), **given | more)


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
    told = base()
    limit = 64 << 20
    with using(Resources(memory=limit)):
        monkeypatch.setattr("tacit.sources.memory._BYTES_A_CELL", limit // (3000 * 4) + 1)
        with pytest.raises(BadInput, match="holds all records, about 68 MB"):
            learn_labels(told, FrameTable(x.join(y)), ["dx_a", "dx_b"])
        assert not told.ledger.entries
        monkeypatch.setattr("tacit.sources.memory._BYTES_A_CELL", limit // (3000 * 4))
        assert learn_labels(told, FrameTable(x.join(y)), ["dx_a", "dx_b"]).certificate.n == 3000


def test_several_labels_of_persons_are_refused():
    """Rows were protected, and nothing said that persons were not."""
    x, y = frame()
    told = base(unit="id", rows_per_unit=2)
    table = x.join(y).assign(id=np.arange(3000) // 2)
    with pytest.raises(BadInput, match="unit= is for one label at a time"):
        learn_labels(told, FrameTable(table), ["dx_a", "dx_b"])
    assert not told.ledger.entries


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
