"""Lines grouped by their data points: against brute force, and learning at large primes."""

from fractions import Fraction as F
from itertools import product

import numpy as np
import pytest

from tacit.checks.testing import seeded
from tacit.classes import Lines
from tacit.core import Accuracy, Privacy, Sample, Task
from tacit.planner import plan
from tacit.problems.finite.finite_class import PERMUTE_AND_FLIP, FiniteClassLearner
from tacit.problems.lines.line_landscape import LineLandscape

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("p", [2, 3, 5])
def test_groups_are_those_of_all_lines(p):
    rng = np.random.default_rng(p)
    plane = list(product(range(p), repeat=2))
    tried = 0
    for _ in range(60):
        t = int(rng.integers(0, min(9, len(plane)) + 1))
        points = [plane[i] for i in sorted(rng.choice(len(plane), size=t, replace=False))]
        gains = [int(g) for g in rng.integers(-2, 3, t)]
        ones = sum(max(g, 0) for g in gains) + 1
        found = LineLandscape.of(p, points, gains, ones)
        errors = {}
        for a, b in plane:
            held = sum(
                g for (x, y), g in zip(points, gains, strict=True) if (a * x + b - y) % p == 0
            )
            errors[a * p + b] = ones - held
        levels = found.levels()
        assert dict(zip(levels.errors.tolist(), levels.counts.tolist(), strict=True)) == {
            e: list(errors.values()).count(e) for e in set(errors.values())
        }
        for error, count in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True):
            members = [found.member(error, rank) for rank in range(count)]
            assert sorted(members) == sorted(c for c, e in errors.items() if e == error)
            tried += 1
    assert tried > 60


def test_both_landscapes_agree(monkeypatch):
    from tacit.problems.lines import lines as module

    data = np.array([[1, 2], [3, 4], [3, 4], [0, 0], [5, 6], [5, 1]])
    labels = np.array([1, 1, 0, 0, 1, 1], dtype=bool)
    listed = Lines(size=7)
    x = listed.domain.coerce(data)
    flat = listed.landscape(x, labels).levels()
    monkeypatch.setattr(module, "_MOST_LISTED", 1)
    grouped = listed.landscape(x, labels).levels()
    assert flat.errors.tolist() == grouped.errors.tolist()
    assert [int(c) for c in flat.counts] == grouped.counts.tolist()


def _task(p):
    return Task(Lines(size=p), privacy=Privacy(1), accuracy=Accuracy("0.1", "0.05"))


def test_the_records():
    for p, n in ((101, 288), (9_999_991, 861), (2**61 - 1, 2164)):
        best = plan(_task(p)).best
        assert (best.name, best.n, best.runs) == ("permute-and-flip", n, True)


def _fails(p, n, runs):
    """A rare pair on the line, everything else on one point off it."""
    learner = PERMUTE_AND_FLIP.built(_task(p), n)
    assert isinstance(learner, FiniteClassLearner)
    rng, failed = np.random.default_rng(8), 0
    slope, offset = 12345 % p, 678 % p
    for run in range(runs):
        spread = rng.random(n) < 0.101
        x = np.where(spread, rng.integers(0, 10**6, n), 5)
        y = np.where(spread, (slope * x + offset) % p, (slope * 5 + offset + 1) % p)
        rule = learner._release(
            Sample(np.stack([x, y], axis=1), spread), rng=seeded(f"lines {run}")
        )
        failed += (rule.slope, rule.offset) != (slope, offset)
    return failed


def test_it_learns_at_the_planned_number_and_not_at_a_tenth():
    assert _fails(9_999_991, 861, 30) <= 5
    assert _fails(9_999_991, 86, 20) >= 15


def test_it_runs_modulo_a_prime_of_61_bits():
    assert _fails(2**61 - 1, 2164, 2) <= 1
    assert F(1) > 0
