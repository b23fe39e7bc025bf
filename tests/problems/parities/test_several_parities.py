"""Tests of ``tacit.problems.parities.several_parities``."""

from fractions import Fraction
from itertools import product

import pytest
from tests.problems.points.multitask_privacy_cases import labels, sample
from tests.tools.b20_laws import gap_law

from tacit.checks.testing import divergence, neighbours
from tacit.core import Relation
from tacit.domains import Bits
from tacit.exact.balls import ball
from tacit.problems.parities.several_parities import ParitiesVote, masks_of, solve_together

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("k", [1, 2])
def test_elimination_for_all_tasks_agrees_with_brute_force(k):
    bits = 2
    rows = [(x << k) | y for x in range(1 << bits) for y in range(1 << k)]
    for block in product(rows, repeat=3):
        fitting = [
            masks
            for masks in product(range(1 << bits), repeat=k)
            if all(
                ((mask & (row >> k)).bit_count() & 1) == (row >> task & 1)
                for row in block
                for task, mask in enumerate(masks)
            )
        ]
        found = solve_together(list(block), bits=bits, k=k)
        if len(fitting) == 1:
            assert tuple(masks_of(found, bits=bits, k=k)) == fitting[0]
        else:
            assert found is None


@pytest.mark.parametrize("relation", [Relation.REPLACE_ONE, Relation.LABEL])
def test_parities_vote_is_private(relation):
    epsilon, delta = Fraction(1), Fraction(1, 10)
    mechanism = ParitiesVote(
        domain=Bits(columns=1),
        k=2,
        rows=1,
        blocks=3,
        epsilon=epsilon,
        delta=delta,
        relation=relation,
    )
    records = [(x, y) for x in range(2) for y in labels(2)]

    def law(data):
        return gap_law(mechanism._test(), mechanism.votes(sample(data, 2)))

    for left, right in neighbours(records, 3, relation):
        assert divergence(law(left), law(right), epsilon) <= ball(delta)
