"""Tests of ``tacit.problems.lines.line_learner``."""

from fractions import Fraction
from functools import cache
from itertools import product

import pytest
from tests.problems.lines.fx14_privacy_cases import BITS, records, sample
from tests.tools.coin_tree import law

from tacit.checks.testing import divergence
from tacit.domains.plane import Plane
from tacit.exact.balls import at, ball
from tacit.problems.lines import lines_upper as bounds
from tacit.problems.lines.line_learner import UNDECIDED, ZERO, LineLearner, vote_of

pytestmark = pytest.mark.exact

"""Above any threshold and stability that occurs here."""


@pytest.mark.parametrize("p", [2, 3])
def test_the_stages_and_the_selection_together(monkeypatch, p):
    """Two doublings, one block each, one record to select by: four records in all."""
    monkeypatch.setattr(bounds, "DOUBLINGS", 2)
    epsilon, delta = Fraction(1), Fraction(1, 4)
    learner = LineLearner(
        domain=Plane(size=p),
        blocks=1,
        block_size=1,
        epsilon=epsilon,
        delta=delta,
        selection_epsilon=Fraction(1, 2),
    )
    entries = records(p)[:: p - 1]
    on, off = ((0, 0), 1), ((1, 0), 0)
    bases = [(on, on, ((1, 1), 1), on), (on, off, ((1, 0), 1), off)]

    @cache
    def law_at(data):
        return law(lambda tree: repr(learner._release(sample(data), rng=tree)), reach=2)

    with at(BITS):
        worst = ball(0)
        for base in bases:
            for place, entry in product(range(4), entries):
                there = (*base[:place], entry, *base[place + 1 :])
                worst = worst.max(divergence(law_at(base), law_at(there), epsilon))
                worst = worst.max(divergence(law_at(there), law_at(base), epsilon))
        assert ball(delta / 20) < worst <= ball(delta)


def test_every_block_has_exactly_one_vote():
    """Total on all blocks of up to three records, and right where a line explains them."""
    plane = Plane(size=3)
    lines = {
        (a, b): {(x, (a * x + b) % 3) for x in range(3)} for a, b in product(range(3), repeat=2)
    }
    for n in range(4):
        for data in product(records(3), repeat=n):
            vote = vote_of(plane, sample(data))
            ones = {point for point, label in data if label}
            zeros = {point for point, label in data if not label}
            if not ones:
                assert vote == ZERO
            elif len(ones) == 1:
                assert vote == (1, *ones.copy().pop())
            else:
                fitting = [c for c, on in lines.items() if ones <= on and not zeros & on]
                assert vote == ((2, *fitting[0]) if fitting else UNDECIDED)
                assert len(fitting) <= 1
