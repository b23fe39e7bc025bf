"""audit.exact: laws found by following every draw, certified losses, and what it catches."""

from dataclasses import dataclass
from fractions import Fraction as F

import numpy as np
import pytest
from tests.checks.audit.audit_exact_cases import ONE, OVER, TWO, close

from tacit.checks.attacks.faulty import PrintedGapTest
from tacit.checks.audit import Law, exact, law
from tacit.checks.audit.branching import branched
from tacit.checks.testing import seeded
from tacit.core import Relation
from tacit.exact.balls import at, ball
from tacit.mechanisms import (
    GapTest,
    Geometric,
    StabilityHistogram,
    StableMostFrequent,
)
from tacit.mechanisms.gap_test import leader
from tacit.problems.points.frequent_item import Counts, MostFrequent

pytestmark = pytest.mark.exact

DELTA = F(1, 50)


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


def test_samplers_draw_as_ever_while_laws_are_followed():
    mechanism = MostFrequent(domain=TWO, epsilon=ONE)
    data = np.array([0, 1, 1])
    before = [mechanism._release(data, rng=seeded(i)) for i in range(20)]
    law(mechanism, data)
    assert [mechanism._release(data, rng=seeded(i)) for i in range(20)] == before
