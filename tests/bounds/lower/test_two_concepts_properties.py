"""Bounds on a grid: none below a lower one, monotone where they must be, rounded outward."""

from decimal import Decimal, localcontext
from fractions import Fraction as F
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.bounds.lower.bounds_grid_cases import BITS, GRID, RELATIONS, accuracy

from tacit.bounds.lower import shattered, two_concepts
from tacit.bounds.upper import selection
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE
from tacit.problems.parities import joint_parities_upper as joint_parities
from tacit.problems.parities import parities_lower as parities
from tacit.problems.points import hashed_upper as hashing
from tacit.problems.points import points_lower as lower_points
from tacit.problems.points import points_upper as points

pytestmark = pytest.mark.property


@pytest.mark.parametrize("relation", RELATIONS, ids=lambda r: r.value)
@pytest.mark.parametrize("bits", BITS)
def test_proper_points(bits, relation):
    for point in GRID:
        asked = {**accuracy(*point), "size": 2**bits, "relation": relation}
        lower = lower_points.rare_point(**asked).n
        upper = points.exact_tail(**asked, selector="permute-and-flip").n
        assert lower <= upper <= points.exact_tail(**asked).n <= selection.realizable(**asked).n


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE, LABEL], ids=lambda r: r.value)
def test_any_answer(relation):
    for point in GRID:
        asked = {**accuracy(*point), "relation": relation}
        two = two_concepts.rare_difference(**asked).n
        assert two <= hashing.realizable(**asked).n
        if relation is not LABEL:
            scattered = lower_points.scattered_zeros(**asked, size=2**64).n
            assert scattered <= hashing.realizable(**asked).n
        assert two <= points.exact_tail(**asked, size=3, selector="permute-and-flip").n
        for bits in (4, 64):
            branch = shattered.branch(**asked, dimension=1 if relation is LABEL else bits).n
            assert branch <= selection.realizable(**asked, size=2**bits).n


def test_agnostic():
    for alpha, beta, epsilon in GRID:
        upper = selection.agnostic(size=2, alpha=alpha, beta=beta, epsilon=epsilon).n
        assert two_concepts.fair_coin(alpha=alpha, beta=beta).n <= upper


def test_parities():
    for bits, k, (_, beta, epsilon) in product((4, 64), (1, 30, 1000), GRID[:9]):
        upper = joint_parities.exact_recovery(bits=bits, k=k, beta=beta, epsilon=epsilon).n
        lower = parities.relabelled(bits=bits, k=k, alpha=F(1, 10), beta=beta, epsilon=epsilon).n
        vectors = two_concepts.label_vectors(
            k=k, alpha=F(1, 2), beta=beta, epsilon=epsilon, concepts=2
        ).n
        assert max(lower, vectors) <= upper


SHARES = st.fractions(min_value=F(1, 100), max_value=F(9, 20), max_denominator=1000)

PRIVACY = st.fractions(min_value=F(1, 20), max_value=F(4), max_denominator=100)

SIZES = st.integers(2, 80).map(lambda bits: 2**bits)


@settings(max_examples=15, deadline=None)
@given(size=SIZES, alpha=SHARES, beta=SHARES, epsilon=PRIVACY, more=st.fractions(F(1), F(3)))
def test_monotone(size, alpha, beta, epsilon, more):
    functions = [
        lambda s, a, b, e: points.exact_tail(size=s, alpha=a, beta=b, epsilon=e).n,
        lambda s, a, b, e: selection.realizable(size=s, alpha=a, beta=b, epsilon=e).n,
        lambda s, a, b, e: selection.agnostic(size=s, alpha=a, beta=b, epsilon=e).n,
        lambda s, a, b, e: lower_points.rare_point(size=s, alpha=a, beta=b, epsilon=e).n,
        lambda s, a, b, e: lower_points.one_point_each(size=s, beta=b, epsilon=e).n,
        lambda _s, a, b, e: two_concepts.rare_difference(alpha=a, beta=b, epsilon=e).n,
    ]
    for count in functions:
        here = count(size, alpha, beta, epsilon)
        assert here >= count(size, min(alpha * more, F(1, 2)), beta, epsilon)
        assert here >= count(size, alpha, min(beta * more, F(1, 2)), epsilon)
        assert here >= count(size, alpha, beta, epsilon * more)
        assert here <= count(2 * size, alpha, beta, epsilon)


@settings(max_examples=25, deadline=None)
@given(size=SIZES, alpha=SHARES, beta=SHARES, epsilon=PRIVACY)
def test_a_selection_bound_is_the_least_that_its_formula_allows(size, alpha, beta, epsilon):
    """Outward and not a record more: checked with independent high-precision arithmetic."""
    with localcontext() as context:
        context.prec = 60
        n = selection.realizable(size=size, alpha=alpha, beta=beta, epsilon=epsilon).n

        def exact(value):
            return Decimal(value.numerator) / value.denominator

        shrink = 1 - exact(alpha) * (1 - (-exact(epsilon) / 2).exp())
        assert (size - 1) * shrink**n <= exact(beta) * (1 + Decimal(10) ** -40)
        assert n == 1 or (size - 1) * shrink ** (n - 1) > exact(beta)


def test_points_of_any_domain_are_cheap_and_proper_ones_are_not():
    asked = {"alpha": F(1, 10), "beta": F(1, 20), "epsilon": F(1)}
    assert hashing.realizable(**asked).n <= 320
    assert points.exact_tail(size=2**64, **asked).n <= 1250
    assert lower_points.rare_point(size=2**64, **asked).n >= 500
