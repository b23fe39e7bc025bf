"""Tests of ``tacit.problems.tables.banded_learner``."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy.stats import binomtest
from tests.complete import complete
from tests.problems.tables.banded_cases import stated

from tacit.checks.testing import exact_epsilon, neighbours, seeded
from tacit.core import ALGORITHMS, Accuracy, Privacy, Relation, Sample, Task
from tacit.exact.balls import at, ball
from tacit.mechanisms.calibration import cost_spread, spread
from tacit.planner import plan
from tacit.problems.tables.banded_learner import BandedScoreLearner
from tacit.problems.tables.banded_scores import BandedScores
from tacit.problems.tables.scores import Scores

THREE = complete([range(3)])
RECORDS = [((cell,), label) for cell in (0, 2) for label in (0, 1, 2)]


def law(learner, records):
    x = [row for row, _ in records] or np.empty((0, 1), dtype=object)
    y, costs = [label for _, label in records], learner.costs or (1, 1, 1)
    return stated(learner.rules, learner.rate, x, y, costs)


@pytest.mark.exact
@pytest.mark.parametrize("relation", Relation)
def test_privacy_is_exactly_epsilon_at_most(relation):
    """Over every pair of neighbours of two records; ``test_banded_weights`` ties the law."""
    rules = BandedScores(Scores(THREE, columns=1, most=1), 3)
    learner = BandedScoreLearner(rules=rules, epsilon=Fraction(1), relation=relation)
    careless = BandedScoreLearner(
        rules=rules, epsilon=Fraction(11, 10) * 2, relation=Relation.REPLACE_ONE
    )
    with at(200):
        worst = broken = ball(0)
        pairs = list(neighbours(RECORDS, 2, relation))
        assert len(pairs) > 20
        for left, right in pairs:
            worst = worst.max(exact_epsilon(law(learner, left), law(learner, right)))
            broken = broken.max(exact_epsilon(law(careless, left), law(careless, right)))
        assert ball(Fraction(2, 5)) < worst < 1 + ball(Fraction(1, 1 << 150))
        assert broken > worst


@pytest.mark.exact
@pytest.mark.parametrize("relation", Relation)
def test_privacy_with_costs_is_exactly_epsilon_at_most(relation):
    """Over all neighbours of two records; at the rate for plain mistakes it would break."""
    rules, costs = BandedScores(Scores(THREE, columns=1, most=1), 3), (1, 5, 3)
    made = BandedScoreLearner(rules=rules, epsilon=Fraction(1), relation=relation, costs=costs)
    moved = cost_spread(relation, costs)
    assert made.rate == Fraction(1, moved)
    careless = replace(made, epsilon=Fraction(moved, spread(relation)))
    with at(200):
        worst = broken = ball(0)
        pairs = list(neighbours(RECORDS, 2, relation))
        assert len(pairs) > 20
        for left, right in pairs:
            worst = worst.max(exact_epsilon(law(made, left), law(made, right)))
            broken = broken.max(exact_epsilon(law(careless, left), law(careless, right)))
        assert ball(Fraction(2, 5)) < worst < 1 + ball(Fraction(1, 1 << 150))
        assert broken > ball(Fraction(11, 10))


@pytest.mark.statistical
@pytest.mark.parametrize("epsilon", [Fraction(1), Fraction(2)])
def test_the_draw_has_the_stated_law_and_no_other(epsilon):
    rules = BandedScores(Scores(THREE, columns=1, most=1), 3)
    x = [(0,)] * 4 + [(1,)] * 3 + [(2,)] * 4
    y = np.array([2, 2, 2, 0, 0, 0, 1, 1, 1, 1, 2])
    (total,) = rules.totals()
    runs, wanted = 4000, rules.hypothesis(total, (1, 2), (2, 0, 1))
    learner = BandedScoreLearner(rules=rules, epsilon=epsilon)
    rng = seeded(7)
    hits = sum(learner._release(Sample(x, y), rng=rng) == wanted for _ in range(runs))
    masses = {
        rate: float(stated(rules, rate, x, y)[wanted].mid())
        for rate in (epsilon / 2, epsilon, epsilon / 4)
    }
    assert binomtest(hits, runs, masses[epsilon / 2]).pvalue > 1e-6
    for wrong in (epsilon, epsilon / 4):
        assert binomtest(hits, runs, masses[wrong]).pvalue < 1e-6


def task(schema, *, values=3, alpha="0.2", beta="0.1", **more):
    return Task(
        Scores(schema, columns=2, most=1),
        privacy=Privacy("1"),
        accuracy=Accuracy(alpha, beta),
        values=values,
        error_share=0,
        **more,
    )


@pytest.mark.statistical
def test_the_planned_number_of_records_suffices_and_a_tenth_does_not():
    schema = complete([range(4), range(4)])
    asked = task(schema)
    planned = plan(asked).runnable
    n = planned.bound.n
    assert planned.algorithm.name == "banded scores"
    rng, draw = np.random.default_rng(3), seeded(3)
    every = [(a, b) for a in range(4) for b in range(4)]

    def truth(rows):
        total = np.array([a + b for a, b in rows])
        return np.where(total < 2, 0, np.where(total < 4, 2, 1))

    def failures(n, runs):
        mechanism = planned.algorithm.built(asked.drawn, n)
        bad = 0
        for _ in range(runs):
            x = [every[place] for place in rng.integers(0, 16, n)]
            rule = mechanism._release(Sample(x, truth(x)), rng=draw)
            bad += (rule.predict(every) != truth(every)).mean() > 0.2
        return bad

    assert failures(n, 60) <= 60 * 0.1
    assert failures(n // 10, 30) > 30 * 0.1


def test_two_values_and_what_is_too_large_are_refused():
    schema = complete([(0, 1), bool], bins=2)
    entry = ALGORITHMS["banded scores"]
    assert "more than two label values" in entry.why_not(task(schema, values=2))
    assert entry.too_large(task(schema)) is None
    wide = complete([(0, 1)] * 60, bins=30)
    large = task(schema, values=20).with_(concept_class=Scores(wide))
    assert "fewer columns" in entry.too_large(large)


def test_more_label_values_need_more_records():
    schema = complete([(0, 1), bool], bins=4)
    needed = [plan(task(schema, values=values)).runnable.bound.n for values in (3, 5, 10)]
    assert needed == sorted(set(needed))
