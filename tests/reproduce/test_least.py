"""The sequential test errs as rarely as it says, and brackets hold what they should."""

import math
from fractions import Fraction
from random import Random

import pytest

from tacit.checks.testing import seeded
from tacit.core import ALGORITHMS, Accuracy, Privacy, Task
from tacit.problems.points.points import Points
from tacit.reproduce.experiment import QUICK, Effort
from tacit.reproduce.least import at_plan, decide, evidence, interval, least


@pytest.mark.parametrize("p", [0.05, 0.1, 0.4])
@pytest.mark.parametrize("runs", [1, 2, 7, 20])
def test_the_evidence_has_mean_one(p, runs):
    mean = sum(
        math.comb(runs, f) * p**f * (1 - p) ** (runs - f) * math.exp(evidence(f, runs - f, p))
        for f in range(runs + 1)
    )
    assert mean == pytest.approx(1, rel=1e-9)


def _wrong(p, beta, wrong, seed, runs=400, tries=400):
    effort = Effort(name="test", runs=runs, wrong=wrong, ratio=1.5)
    random = Random(seed)
    return [decide(lambda: random.random() < p, beta, effort)[0] for _ in range(tries)]


def test_a_rate_at_beta_is_seldom_decided():
    verdicts = _wrong(0.1, 0.1, Fraction(1, 20), 1)
    assert sum(verdict is not None for verdict in verdicts) <= 400 / 20 + 3 * math.sqrt(400 / 20)


def test_rates_apart_from_beta_are_decided_rightly():
    assert sum(v is True for v in _wrong(0.02, 0.1, Fraction(1, 20), 2)) > 390
    assert sum(v is False for v in _wrong(0.3, 0.1, Fraction(1, 20), 3)) > 390


def test_a_test_without_evidence_would_be_noticed():
    # With a level of 1 every first look decides: the test above would then fail.
    verdicts = _wrong(0.1, 0.1, Fraction(999, 1000), 4)
    assert sum(verdict is not None for verdict in verdicts) > 100


def test_a_bracket_lies_below_the_plan_and_repeats():
    task = Task(Points(bits=64), privacy=Privacy(1), accuracy=Accuracy("0.1", "0.1"))
    algorithm = ALGORITHMS["hashed-points"]
    first = least(algorithm, task, effort=QUICK, seed="test")
    assert first == least(algorithm, task, effort=QUICK, seed="test")
    assert first.fails is not None
    assert first.enough is not None
    assert 1 <= first.fails < first.enough <= algorithm.bound(task).n


def test_the_interval_holds_the_truth_whenever_one_stops():
    random, missed = Random(7), 0
    for _ in range(300):
        # Stop at the run that looks worst for 0.1: an interval for a fixed number would fail.
        count, out = 0, False
        for run in range(1, 200):
            count += random.random() < 0.1
            out = out or evidence(count, run - count, 0.1) >= math.log(20)
        missed += out
    assert missed <= 300 / 20 + 3 * math.sqrt(300 / 20)
    low, high = interval(10, 100, Fraction(1, 20))
    assert evidence(10, 90, low) == pytest.approx(math.log(20), abs=1e-6)
    assert evidence(10, 90, high) == pytest.approx(math.log(20), abs=1e-6)
    assert low < 0.1 < high
    assert interval(0, 5, Fraction(1, 20))[0] == 0
    assert interval(5, 5, Fraction(1, 20))[1] == 1
    assert at_plan(0, 158, Fraction(1, 20)) == "0 of 158 fail: 0.0 % to 5.0 %"


def test_without_a_search_only_the_plan_is_tried():
    task = Task(Points(bits=64), privacy=Privacy(1), accuracy=Accuracy("0.1", "0.1"))
    found = least(ALGORITHMS["hashed-points"], task, effort=QUICK, seed="test", search=False)
    assert found.fails is None
    assert sum(found.at_plan) > 0


def test_a_planned_number_is_refuted_only_by_more_evidence():
    effort = Effort(name="test", runs=400, wrong=Fraction(1, 20), ratio=1.5)

    def verdict(pattern):
        told = iter(pattern)
        return decide(lambda: next(told), 0.1, effort, refuted=Fraction(1, 1000))

    # Two failures at once decide at 1/20 and not at 1/1000; a run without failures decides as ever.
    assert decide(lambda: True, 0.1, effort) == (False, (2, 2))
    assert verdict([True] * 400) == (False, (4, 4))
    assert verdict([False] * 400)[0] is True


def test_a_law_of_ones_own_is_tried():
    from tacit.reproduce.papers import ch11

    law = ch11._spiked(5)
    drawn = law.draw(2000, rng=seeded("drawn"))
    near = abs(drawn.x[:, 0] - 1 / 3) <= 1 / 96
    assert 0.45 < near.mean() < 0.6
    assert (drawn.y == (drawn.x[:, 0] >= 1 / 3)).all()
    band = ch11._cut_sphere(3, 0.35, inside=True).draw(300, rng=seeded("band")).x
    assert (abs(band[:, 0]) <= 0.35).all()
    caps = ch11._cut_sphere(3, 0.5, inside=False).draw(300, rng=seeded("caps")).x
    assert (abs(caps[:, 0]) > 0.5).all()
