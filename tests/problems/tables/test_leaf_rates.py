"""Rates of a rule's parts: sensitivity, noise, intervals, probabilities and words."""

import json
from fractions import Fraction
from itertools import product
from math import exp

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta as beta_law

from tacit import BudgetRefused, Ledger
from tacit.accounting import About
from tacit.bounds.upper.noisy_count import share_at_most
from tacit.checks.testing import seeded
from tacit.core import BadInput, Pure, Relation, Sample, hypothesis_from_dict
from tacit.domains.schema import Schema
from tacit.estimators import BoxClassifier, RatedClassifier, ScoreClassifier, TreeClassifier
from tacit.problems.tables.leaf_rates import LeafRates
from tacit.problems.tables.rated_rule import RatedRule, parts_of, place_in
from tacit.problems.tables.trees import Trees
from tacit.report.release_file import digest_of, read_release, release_record
from tacit.report.verify import verify_release

SCHEMA = Schema.of({"age": (0, 4), "dose": (0, 4)}, bins=4).declared_complete()

TREES = Trees(SCHEMA, depth=2)

# age < 2: no; else dose < 2: no, else yes. The first two leaves stay apart.
RULE = TREES.hypothesis((1, False, (4, False, True)))


def frame(rows):
    return pd.DataFrame(rows, columns=["age", "dose"])


def test_leaves_are_numbered_as_the_words_list_them():
    x = frame([(0.5, 3.5), (2.5, 0.5), (2.5, 3.5)])
    assert parts_of(RULE) == 3 == len(RULE.describe().split("\n"))
    assert place_in(RULE, x).tolist() == [0, 1, 2]


@pytest.mark.parametrize("relation", Relation)
def test_a_neighbour_moves_the_histogram_by_its_sensitivity(relation):
    records = [((a, d), label) for a in (0.5, 2.5) for d in (0.5, 3.5) for label in (0, 1)]

    def histogram(chosen):
        x = frame([where for where, _ in chosen])
        labels = np.array([label for _, label in chosen], dtype=int)
        return np.bincount(2 * place_in(RULE, x) + labels, minlength=6)

    worst = 0
    for one, other in product(records, repeat=2):
        if relation is Relation.LABEL and one[0] != other[0]:
            continue
        rest = [((0.5, 0.5), 1)]
        second = rest if relation is Relation.ADD_REMOVE else [other, *rest]
        worst = max(worst, int(np.abs(histogram([one, *rest]) - histogram(second)).sum()))
    mechanism = LeafRates(rule=RULE, epsilon=Fraction(1), relation=relation)
    assert mechanism.scale == worst == (1 if relation is Relation.ADD_REMOVE else 2)


def test_numbers_have_geometric_noise_of_that_scale():
    mechanism = LeafRates(rule=RULE, epsilon=Fraction(1))
    sample = Sample(frame([(0.5, 0.5), (2.5, 3.5)]), np.array([1, 0]))
    rng, runs = seeded(3), 3000
    noise = []
    for _ in range(runs):
        found = mechanism.rated(mechanism._release(sample, rng=rng))
        noise += [found.positives[0] - 1, found.positives[1], found.others[2] - 1]
    zero = np.count_nonzero(np.array(noise) == 0) / len(noise)

    def chance(scale):
        q = exp(-1 / scale)
        return (1 - q) / (1 + q)

    error = 5 * np.sqrt(chance(2) / len(noise))
    assert abs(zero - chance(2)) < error
    assert abs(zero - chance(2.4)) > error
    assert abs(zero - chance(1.6)) > error


def test_upper_bounds_are_those_of_clopper_and_pearson():
    for hits, misses in ((0, 10), (12, 88), (300, 10), (50, 0)):
        wanted = beta_law.ppf(1 - 0.025, hits + 1, misses) if misses else 1.0
        found = float(share_at_most(hits, misses, level=Fraction(1, 40)))
        # The grid rounds up; next to the end one more trial is asked for (fixed features).
        assert wanted - 1e-9 <= found <= max(wanted + 1.1e-4, (hits + 1) / (hits + misses) + 1e-4)
    assert share_at_most(0, 0, level=Fraction(1, 2)) == 1


def test_intervals_hold_all_at_once():
    """Simulated at a fixed rule: at most beta of the runs miss some part's true rate."""
    rng, draws = np.random.default_rng(4), seeded(5)
    rates = np.array([0.1, 0.5, 0.9])
    beta, missed, runs = Fraction(1, 5), 0, 300
    mechanism = LeafRates(rule=RULE, epsilon=Fraction(1))
    spots = np.array([(0.5, 0.5), (2.5, 0.5), (2.5, 3.5)])
    for _ in range(runs):
        part = rng.integers(0, 3, 300)
        labels = (rng.random(300) < rates[part]).astype(int)
        numbers = mechanism._release(Sample(frame(spots[part]), labels), rng=draws)
        found = mechanism.rated(numbers)
        bounds = found.intervals(beta=beta, prior=Fraction(1))
        missed += any(not low <= p <= high for (low, high), p in zip(bounds, rates, strict=True))
        assert all(high - low < 0.5 for low, high in bounds)
    assert missed <= runs * float(beta)
    # The noise is not idle: with hardly any allowance for it, intervals would miss.
    bare = [
        RatedRule(rule=RULE, positives=(10, 50, 90), others=(90, 50, 10), scale=Fraction(1, 100))
    ]
    assert bare[0].intervals(beta=beta, prior=Fraction(1))[1][1] < 0.7


def table(n=4000):
    rng = np.random.default_rng(6)
    x = pd.DataFrame({"age": rng.uniform(0, 4, n), "dose": rng.uniform(0, 4, n)})
    y = rng.random(n) < np.where(x["age"] < 2, 0.1, np.where(x["dose"] < 2, 0.4, 0.9))
    return x, np.where(y, "yes", "no")


def fitted(kind=TreeClassifier, **more):
    x, y = table()
    ledger = Ledger.memory(2)
    base = kind(domain={"age": (0, 4), "dose": (0, 4)}, classes=("no", "yes"), epsilon=2)
    base.set_params(ledger=ledger, bins=4, rng=seeded(8), **more)
    return RatedClassifier(base).fit(x, y), x, ledger


def test_probabilities_are_near_the_true_ones_and_cost_what_is_stated():
    model, x, ledger = fitted(depth=2)
    chances = model.predict_proba(x)
    assert np.allclose(chances.sum(axis=1), 1)
    true = np.where(x["age"] < 2, 0.1, np.where(x["dose"] < 2, 0.4, 0.9))
    # Two trees are equally good, and one has parts of two true rates: compare part by part.
    told = sorted(set(chances[:, 1]))
    parts = [true[chances[:, 1] == rate] for rate in told]
    large = [(part.mean(), rate) for part, rate in zip(parts, told, strict=True) if len(part) > 200]
    assert large
    assert all(abs(mean - rate) < 0.05 for mean, rate in large)
    assert np.all((model.decision_function(x) > 0) == (chances[:, 1] > 0.5))
    assert ledger.spent.epsilon == 2
    (entry,) = ledger.entries  # one charge for both: a rule without its rates is not paid for
    *_, rates = entry.event.events
    assert rates == Pure(epsilon=Fraction(2, 5), relation=Relation.REPLACE_ONE)
    assert all(low <= high for low, high in model.rate_intervals())
    words = model.describe()
    assert " of " in words
    assert "(\u00b1 " in words
    again = hypothesis_from_dict(model.to_dict()["rated"])
    assert again == model.rated_
    assert set(model.predict(x)) <= {"no", "yes"}


def test_other_rules_have_two_parts():
    model, x, _ = fitted(BoxClassifier)
    assert len(model.rated_.positives) == 2
    assert "where it says yes" in model.describe()
    assert len(set(model.predict_proba(x)[:, 1])) <= 2


def test_a_scoring_rule_has_bands_of_points_whose_rates_never_fall():
    model, x, _ = fitted(ScoreClassifier)
    y = model.predict(x)
    rated = model.rated_
    assert len(rated.positives) == parts_of(rated.rule) > 2
    assert list(rated.rates) == sorted(rated.rates)
    assert "where the points are" in model.describe()
    assert rated.from_dict(rated.to_dict()) == rated
    old = RatedRule(rule=rated.rule, positives=(3, 9), others=(9, 3), scale=Fraction(2))
    assert old.from_dict(old.to_dict()) == old  # as earlier versions wrote it
    assert set(old.probabilities(x)[:, 1]) <= set(old.rates)
    told = model.calibration(x, y)
    assert sum(many for _, _, many in told) == len(y)
    assert 0.5 < model.auc() <= 1


def test_it_is_refused_before_any_charge():
    x, y = table(100)
    ledger = Ledger.memory(1)
    base = TreeClassifier(domain={"age": (0, 4), "dose": (0, 4)}, epsilon=2, ledger=ledger)
    with pytest.raises(BudgetRefused, match="nothing was charged"):
        RatedClassifier(base).fit(x, y)
    for share in (0, 1):
        with pytest.raises(BadInput, match="rate_share"):
            RatedClassifier(base, rate_share=share).fit(x, y)
    with pytest.raises(BadInput, match="over a table"):
        RatedClassifier(None).fit(x, y)
    assert not ledger.entries


def test_rates_under_the_certificate_of_the_rule_alone_do_not_verify():
    model, _, _ = fitted(depth=2)
    record = release_record(model.release_, about=About(), counted=True)
    rated = json.loads(json.dumps(record))
    assert rated["rule"] == model.rated_.to_dict()
    del rated["certificate"]["certified"]["rates"]
    rated["certificate"]["recipe"] = None
    rated["digests"]["release"] = digest_of(rated)
    release = read_release(json.dumps(rated).encode(), name="r.json")
    told = str(verify_release(release, seconds=None))
    assert "no cost of that is stated" in told


def test_balanced_answers_follow_the_rates_and_cost_nothing():
    """Most records with middling scores have the rarer label more often than all, and less than
    half."""
    rng = np.random.default_rng(3)
    x = rng.random((20_000, 2))
    chance = np.select([x[:, 0] > 0.875, x[:, 0] > 0.625], [0.9, 0.35], 0.01)
    y = (rng.random(len(x)) < chance).astype(int)
    book = Ledger.memory(epsilon=4)
    made = ScoreClassifier(domain=(0, 1), bins=8, epsilon=4, ledger=book, rng=seeded("balance"))
    model = RatedClassifier(made).fit(x, y)
    entries = len(book.entries)

    def balance(answers):
        return np.mean([(answers[y == label] == label).mean() for label in (0, 1)])

    assert balance(model.predict_balanced(x)) > balance(model.predict(x)) + 0.05
    assert len(book.entries) == entries


@pytest.mark.parametrize("name", ["positives", "others"])
def test_stored_numbers_are_whole_and_bounded(name):
    rule = RatedRule(rule=RULE, positives=(1, -2, 3), others=(4, 5, 6), scale=Fraction(2))
    record = json.loads(json.dumps(rule.to_dict()))
    assert hypothesis_from_dict(record) == rule
    bad = (10**400, -(10**400), 10**100 + 1, 1.5, 1e300, True, None, "x", [1], "9" * 5000)
    for number in bad:
        with pytest.raises(BadInput, match="'rated' is damaged"):
            hypothesis_from_dict(record | {name: [1, number, 3]})
    with pytest.raises(BadInput, match="'rated' is damaged"):
        hypothesis_from_dict(record | {"scale": "1e10000"})  # more digits than Python writes
    for number in (10**100, -(10**100)):
        other = hypothesis_from_dict(record | {name: [number, number, 3]})
        assert all(0 <= rate <= 1 for rate in other.rates)
        assert 0 <= other.auc <= 1
        assert str(max(number, 0)) in other.describe()
