"""audit.exact: laws found by following every draw, certified losses, and what it catches."""

from dataclasses import dataclass
from fractions import Fraction as F

import numpy as np
import pytest

from tacit.checks.attacks.faulty import PrintedGapTest
from tacit.checks.audit import Law, NoLaw, exact, law
from tacit.checks.audit.branching import branched
from tacit.checks.testing import exponential_law, flip_law, seeded
from tacit.classes import Points
from tacit.core import ALGORITHMS, MECHANISMS, Relation, Sample
from tacit.domains import Integers
from tacit.exact.balls import at, ball
from tacit.mechanisms import (
    Exponential,
    GapTest,
    Geometric,
    Mistakes,
    PermuteAndFlip,
    StabilityHistogram,
    StableMostFrequent,
)
from tacit.mechanisms.gap_test import leader
from tacit.problems.points.frequent_item import Counts, MostFrequent

ONE, OVER = F(1), F(5, 4)
TWO = Integers(size=2)
DELTA = F(1, 50)


def close(left, right):
    with at(200):
        return bool(abs(left - right) < ball(F(1, 1 << 60)))


@pytest.mark.parametrize(
    ("kind", "stated"), [(Exponential, exponential_law), (PermuteAndFlip, flip_law)]
)
def test_a_branched_law_is_the_stated_one(kind, stated):
    data = Sample(np.array([0, 0, 1, 3]), np.array([1, 0, 1, 1]))
    mechanism = kind(score=Mistakes(Points(size=4)), epsilon=ONE)
    found = law(mechanism, data)
    errors = [sum((x == c) != y for x, y in zip(data.x, data.y, strict=True)) for c in range(4)]
    expected = stated(errors, F(1, 2))
    assert set(found.masses) == set(expected)
    assert all(close(found.masses[c], expected[c]) for c in expected)
    assert found.rest == 0


@pytest.mark.parametrize("relation", Relation)
def test_geometric_noise_meets_its_claim_exactly(relation):
    records = [(0, 0), (0, 1)]

    @dataclass(frozen=True)
    class Total:
        unit = F(1)

        def __call__(self, data):
            return (F(int(np.sum(data.y))),) if len(data) else (F(0),)

        def sensitivity(self, _):
            return F(1)

    found = exact(Geometric(query=Total(), epsilon=ONE, relation=relation), records, 2)
    assert not found.violated
    assert found.epsilon[0] > 1 - F(1, 10**12)
    over = exact(Geometric(query=Total(), epsilon=OVER, relation=relation), records, 2, epsilon=1)
    assert over.violated


@pytest.mark.parametrize("selector", ["exponential", "permute-and-flip"])
def test_selections_at_one_and_a_quarter_are_caught(selector):
    def audited(epsilon):
        mechanism = MostFrequent(domain=TWO, epsilon=epsilon, selector=selector)
        return exact(mechanism, [0, 1], 7, epsilon=1, delta=0, order="ignored")

    fair, over = audited(ONE), audited(OVER)
    assert not fair.violated
    assert fair.epsilon[0] > F(9, 10)
    assert over.violated
    assert fair.epsilon[0] <= fair.epsilon[1] <= fair.epsilon[0] + F(1, 10**9)


def printed(records):
    best, lead = leader(Counts(TWO)(np.array(records, dtype=object)))
    chance = PrintedGapTest(ONE, DELTA).chance(lead)
    return Law({best: chance, None: 1 - chance}, ball(0))


def test_the_printed_gap_test_is_caught_and_the_corrected_one_is_not():
    with at(160):
        broken = exact(printed, [0, 1], 9, epsilon=1, delta=DELTA, order="ignored", name="printed")
    assert broken.violated
    corrected = GapTest(score=Counts(TWO), epsilon=ONE, delta=DELTA)
    fine = exact(corrected, [0, 1], 9, order="ignored")
    assert not fine.violated
    assert fine.epsilon[0] > F(9, 10), "an audit far from the claim would test nothing"
    over = GapTest(score=Counts(TWO), epsilon=OVER, delta=DELTA)
    assert exact(over, [0, 1], 9, order="ignored", epsilon=1, delta=DELTA).violated


@pytest.mark.parametrize("kind", ["histogram", "top"])
def test_a_law_in_closed_form_is_the_branched_one(kind):
    histogram = StabilityHistogram(domain=TWO, epsilon=F(2), delta=F(1, 4))
    mechanism = histogram if kind == "histogram" else StableMostFrequent(histogram=histogram)
    data = np.array([0, 0, 0, 1, 1])
    closed, followed = law(mechanism, data), branched(mechanism, data, faint=F(1, 1 << 20))
    with at(160):
        slack = followed.rest + closed.rest + ball(F(1, 1 << 100))
        assert slack < ball(F(1, 100))
        assert set(followed.masses) <= set(closed.masses)
        for output, mass in followed.masses.items():
            assert abs(closed.masses[output] - mass) <= slack


def test_what_was_not_followed_is_counted():
    histogram = StabilityHistogram(domain=TWO, epsilon=F(2), delta=F(1, 4))
    found = branched(histogram, np.array([0, 0, 0, 0]), faint=F(1, 1 << 16))
    with at(160):
        total = sum(found.masses.values(), ball(0))
        assert 0 < found.rest < ball(F(1, 100))
        assert close(total + found.rest, ball(1))


def test_order_matters_unless_said_otherwise():
    """A mechanism that looks at the first record only: its last record never tells."""

    def first(data):
        chance = ball(F(3, 4)) if len(data) and data[0] else ball(F(1, 4))
        return Law({1: chance, 0: 1 - chance}, ball(0))

    with at(160):
        found = exact(first, [0, 1], 2, epsilon=1)
    assert found.violated  # ln 3
    assert found.pairs == 8


def test_a_law_may_be_registered_and_what_has_none_is_said():
    class Theirs:
        def __call__(self, data):
            return sum(data)

    with pytest.raises(NoLaw, match="no exact law"):
        law(Theirs(), [0])

    @law.register(Theirs)
    def _certain(mechanism, data, **_):
        return Law({mechanism(data): ball(1)}, ball(0))

    found = exact(lambda data: law(Theirs(), data), [0, 1], 1, epsilon=1)
    assert found.violated  # it tells everything
    task = ALGORITHMS["constant-points"]
    assert task.claim


def test_samplers_draw_as_ever_while_laws_are_followed():
    mechanism = MostFrequent(domain=TWO, epsilon=ONE)
    data = np.array([0, 1, 1])
    before = [mechanism._release(data, rng=seeded(i)) for i in range(20)]
    law(mechanism, data)
    assert [mechanism._release(data, rng=seeded(i)) for i in range(20)] == before


QUICK = ("Geometric", "Exponential", "PermuteAndFlip", "InteriorPoint", "RobustMinimum")


@pytest.mark.parametrize("target", [t for t in MECHANISMS if t.name in QUICK], ids=lambda t: t.name)
def test_the_listed_targets_keep_their_claims(target):
    found = exact(target.make(ONE), target.records, target.n, order=target.order)
    assert not found.violated
    assert found.epsilon[1] < 1 + F(1, 10**9)
    assert found.to_dict()["violated"] is False
