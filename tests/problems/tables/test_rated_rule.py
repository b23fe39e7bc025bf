"""Rules of several labels with numbers of each in their parts: counts, noise, intervals, words, files."""

import json
from fractions import Fraction
from itertools import product
from math import exp

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacit import Ledger
from tacit.accounting import About
from tacit.checks.audit.enumeration import exact
from tacit.checks.testing import seeded
from tacit.core import BadInput, Pure, Relation, Sample, hypothesis_from_dict
from tacit.domains.schema import Schema
from tacit.estimators import RatedClassifier, ScoreClassifier, StumpClassifier, TreeClassifier
from tacit.problems.tables.leaf_rates import LeafCounts, LeafRates
from tacit.problems.tables.rated_rule import RatedRule, RatedValues, parts_of, place_in
from tacit.problems.tables.trees import TreeRule
from tacit.problems.tables.valued_trees import ValuedTrees
from tacit.report.release_file import digest_of, read_release, release_record
from tacit.report.verify import verify_release

SCHEMA = Schema.of({"age": (0, 4)}, bins=4).declared_complete()
TREES = ValuedTrees(SCHEMA, depth=2, values=3)
RULE = TREES.hypothesis((0, 0, (2, 1, 2)))
SPOTS = (0.5, 1.5, 3.5)
LABELS = ("low", "middle", "high")


def frame(ages):
    return pd.DataFrame({"age": list(ages)})


def test_the_rule_has_three_parts_of_three_labels():
    assert isinstance(RULE, TreeRule)
    assert parts_of(RULE) == 3
    assert place_in(RULE, frame(SPOTS)).tolist() == [0, 1, 2]
    assert RULE.predict(frame(SPOTS)).tolist() == [0, 1, 2]


@pytest.mark.exact
@pytest.mark.parametrize("relation", Relation)
def test_a_neighbour_moves_all_numbers_by_their_sensitivity(relation):
    """Every pair of records, whatever label and part: exactly what the noise is scaled by."""
    records, tally, worst = list(product(SPOTS, range(3))), LeafCounts(RULE, 3), 0

    def counts(chosen):
        labels = np.array([label for _, label in chosen], dtype=np.int64)
        return tally.count(frame([spot for spot, _ in chosen]), labels)

    for one, other in product(records, repeat=2):
        if relation is Relation.LABEL and one[0] != other[0]:
            continue
        rest = [(0.5, 1)]
        second = rest if relation is Relation.ADD_REMOVE else [other, *rest]
        worst = max(worst, int(np.abs(counts([one, *rest]) - counts(second)).sum()))
    mechanism = LeafRates(rule=RULE, epsilon=Fraction(1), relation=relation, values=3)
    assert mechanism.scale == worst == (1 if relation is Relation.ADD_REMOVE else 2)
    assert mechanism.event() == Pure(epsilon=Fraction(1), relation=relation)


@pytest.mark.exact
@pytest.mark.parametrize("relation", Relation)
def test_the_whole_law_is_as_private_as_claimed(relation):
    """One part, three labels, all data sets of one record (or none), every output with its law."""
    rule = TreeRule(schema=SCHEMA, root=0, values=3)
    records = [((0.5,), label) for label in range(3)]

    def audited(epsilon, claimed):
        mechanism = LeafRates(rule=rule, epsilon=epsilon, relation=relation, values=3)
        return exact(mechanism, records, 1, epsilon=claimed, form=_form, faint=Fraction(1, 1 << 18))

    honest = audited(Fraction(4), Fraction(4))
    assert not honest.violated, str(honest)
    assert honest.epsilon[0] > Fraction(7, 2)  # nearly all of it is used
    assert audited(Fraction(4), Fraction(3)).violated
    assert audited(Fraction(5), Fraction(4)).violated  # too little noise for what is claimed


def _form(chosen):
    ages = [where[0] for where, _ in chosen]
    return Sample(frame(ages), np.array([label for _, label in chosen], dtype=np.int64))


@pytest.mark.statistical
def test_every_number_has_geometric_noise_of_that_scale():
    mechanism = LeafRates(rule=RULE, epsilon=Fraction(1), values=3)
    sample = Sample(frame([0.5, 3.5, 3.5]), np.array([2, 0, 0]))
    truth = ((0, 0, 1), (0, 0, 0), (2, 0, 0))
    rng, runs = seeded(3), 800
    noise = []
    for _ in range(runs):
        found = mechanism.rated(mechanism._release(sample, rng=rng))
        noise.append(np.array(found.numbers) - np.array(truth))
    zero = (np.array(noise) == 0).mean(axis=0)

    def chance(scale):
        q = exp(-1 / scale)
        return (1 - q) / (1 + q)

    assert np.all(np.abs(zero - chance(2)) < 5 * np.sqrt(chance(2) / runs))  # of each of the nine
    error = 5 * np.sqrt(chance(2) / (9 * runs))
    assert abs(zero.mean() - chance(2)) < error
    assert abs(zero.mean() - chance(2.4)) > error
    assert abs(zero.mean() - chance(1.6)) > error


@pytest.mark.statistical
def test_intervals_hold_all_at_once():
    rng, draws = np.random.default_rng(4), seeded(5)
    rates = np.array([[0.1, 0.2, 0.7], [0.5, 0.4, 0.1], [0.05, 0.05, 0.9]])
    beta, missed, runs = Fraction(1, 5), 0, 150
    mechanism = LeafRates(rule=RULE, epsilon=Fraction(1), values=3)
    for _ in range(runs):
        part = rng.integers(0, 3, 600)
        labels = (rng.random((600, 1)) > rates.cumsum(axis=1)[part]).sum(axis=1)
        sample = Sample(frame(np.array(SPOTS)[part]), labels)
        found = mechanism.rated(mechanism._release(sample, rng=draws))
        bounds = np.array(found.intervals(beta=beta, prior=Fraction(1)), dtype=float)
        missed += bool(np.any((rates < bounds[..., 0]) | (rates > bounds[..., 1])))
        assert np.all(bounds[..., 1] - bounds[..., 0] < 0.6)
    assert missed <= runs * float(beta)
    # The noise is not idle: hardly any of it makes them narrower.
    quiet = RatedValues(rule=RULE, numbers=((10, 20, 70),) * 3, scale=Fraction(1, 100))
    loud = RatedValues(rule=RULE, numbers=((10, 20, 70),) * 3, scale=Fraction(2))
    narrow, wide = (one.intervals(beta=beta, prior=Fraction(1))[0][2] for one in (quiet, loud))
    assert wide[0] < narrow[0] < 0.7 < narrow[1] < wide[1]


def test_shares_add_up_and_an_empty_part_says_the_same_of_all():
    rule = RatedValues(rule=RULE, numbers=((97, 0, 0), (-4, -1, -7), (1, 2, 3)), scale=Fraction(2))
    chances = rule.probabilities(frame(SPOTS))
    assert np.allclose(chances.sum(axis=1), 1)
    assert np.allclose(chances[0], [0.98, 0.01, 0.01])
    assert np.allclose(chances[1], 1 / 3)
    assert np.allclose(chances[2], np.array([2, 3, 4]) / 9)


def test_words_name_every_label_of_every_part():
    rule = RatedValues(rule=RULE, numbers=((9, 0, 1), (0, 5, -3), (1, 2, 30)), scale=Fraction(2))
    plain = RULE.describe(labels=LABELS).split("\n")
    told = rule.describe(labels=LABELS).split("\n")
    assert [line.split("; ")[0] for line in told] == plain
    assert (
        f"low in 9, middle in 0, high in 1 of 10 (each \u00b1 {rule.reach(Fraction(1, 20))})"
        in told[0]
    )
    assert "low in 0, middle in 5, high in 0 of 5 (each" in told[1]
    assert "0 in 1, 1 in 2, 2 in 30 of 33 (each" in rule.describe().split("\n")[2]


def test_it_is_written_and_read_and_nothing_else_is():
    rule = RatedValues(rule=RULE, numbers=((9, 0, 1), (0, 5, -3), (1, 2, 30)), scale=Fraction(2))
    record = json.loads(json.dumps(rule.to_dict()))
    assert hypothesis_from_dict(record) == rule
    wrong = [
        record | {"numbers": record["numbers"][:2]},
        record | {"numbers": [[1, 2]] * 3},
        record | {"numbers": []},
        record | {"numbers": [[1, 2, 10**200]] * 3},
        record | {"scale": "0"},
        record | {"rule": record},
        {"kind": "rated", "rule": RULE.to_dict(), "positives": [1] * 3, "others": [1] * 3, "scale": "2"},
    ]  # fmt: skip
    for one in wrong:
        with pytest.raises(BadInput):
            hypothesis_from_dict(one)
    two = TreeRule(schema=SCHEMA, root=0)
    rated = RatedRule(rule=two, positives=(3,), others=(4,), scale=Fraction(2))
    with pytest.raises(BadInput):
        hypothesis_from_dict(
            {"kind": "rated values", "rule": two.to_dict(), "numbers": [[3, 4]], "scale": "2"}
        )
    with pytest.raises(BadInput):
        hypothesis_from_dict(record | {"rule": rated.to_dict()})


def people(n=3000):
    rng = np.random.default_rng(6)
    age = rng.uniform(0, 4, n)
    label = np.where(age < 1, 0, np.where(age < 3, 1, 2))
    moved = rng.random(n) < 0.2
    label[moved] = rng.integers(0, 3, moved.sum())
    return frame(age), np.array(LABELS)[label]


def made(kind, ledger, **more):
    told = {"domain": {"age": (0, 4)}, "epsilon": 2, "bins": 4, "rng": seeded(8)}
    return RatedClassifier(kind(ledger=ledger, **(told | {"classes": LABELS} | more)))


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        (TreeClassifier, {}),
        (StumpClassifier, {}),
        (ScoreClassifier, {}),
        (TreeClassifier, {"classes": LABELS[:2], "other": "class"}),
        (TreeClassifier, {"relation": "add-remove"}),
    ],
)
def test_chances_are_near_the_true_ones_in_one_charge(kind, more):
    x, y = people()
    ledger = Ledger.memory(2)
    model = made(kind, ledger, **more).fit(x, y)
    names = list(model.classes_)
    assert len(names) == 3
    chances = model.predict_proba(x)
    assert chances.shape == (len(x), 3)
    assert np.allclose(chances.sum(axis=1), 1)
    for place in range(parts_of(model.rated_.rule)):
        inside = place_in(model.rated_.rule, x) == place
        for number, name in enumerate(names):
            said = "high" if name == "other" else name
            if inside.sum() > 200:
                assert abs((y[inside] == said).mean() - chances[inside, number][0]) < 0.1
    assert ledger.spent.epsilon == 2
    assert len(ledger.entries) == 1
    assert model.decision_function(x).shape == (len(x), 3)
    if "relation" not in more:
        for part in model.rate_intervals():
            assert len(part) == 3
            assert all(low <= high for low, high in part)
    assert model.describe().count("of") >= parts_of(model.rated_.rule)
    for refused in (model.auc, lambda: model.predict_balanced(x), lambda: model.calibration(x, y)):
        with pytest.raises(BadInput, match="two labels"):
            refused()


def _quieter(record):
    record["rule"]["scale"] = "1"


def _for_nothing(record):
    del record["certificate"]["certified"]["rates"]
    record["certificate"]["recipe"] = None


CHANGES = [
    (_quieter, "the noise of its rates is not what was paid for"),
    (_for_nothing, "no cost of that is stated"),
]


def test_a_file_gives_the_same_numbers_and_no_changed_release_is_verified(tmp_path):
    x, y = people(1500)
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"age": x["age"], "level": y}), path)
    held = made(TreeClassifier, Ledger.memory(2)).fit(x, y)
    read = made(TreeClassifier, Ledger.memory(2)).fit_file(path, label="level")
    assert read.rated_ == held.rated_
    private = made(TreeClassifier, Ledger.memory(2), rng=None).fit_file(path, label="level")
    record = release_record(private.release_, about=About(), counted=True)
    found = read_release(json.dumps(record).encode(), name="r.json")
    told = verify_release(found, seconds=None)
    assert told, str(told)
    assert np.allclose(found.predict_proba(x), private.predict_proba(x))
    for change, said in CHANGES:
        other = json.loads(json.dumps(record))
        change(other)
        other["digests"]["release"] = digest_of(other)
        changed = read_release(json.dumps(other).encode(), name="r.json")
        told = verify_release(changed, seconds=None)
        assert not told
        assert said in str(told)
