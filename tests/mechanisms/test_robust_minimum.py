"""No data whatever make these mechanisms fail, and their answers stay in the domain."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.checks.testing import seeded
from tacit.core import Relation, Sample
from tacit.domains import Bits, Integers
from tacit.mechanisms.interior_point import InteriorPoint
from tacit.mechanisms.robust_minimum import RobustMinimum
from tacit.mechanisms.stability import StabilityHistogram
from tacit.mechanisms.stable_prefix import StablePrefix
from tacit.problems.finite.constant import NEVER
from tacit.problems.one_way.sequence_learner import OneWayLearner
from tacit.problems.one_way.sequences import OneWaySequences, Tree
from tacit.problems.parities.linear import solve
from tacit.problems.parities.parities import Parities
from tacit.problems.parities.parity_learner import ParityElimination, ParityVotes

pytestmark = pytest.mark.property

ONE, TINY = Fraction(1), Fraction(1, 10**6)

junk = st.lists(
    st.one_of(
        st.integers(-(2**70), 2**1100),
        st.floats(),
        st.text(max_size=2),
        st.none(),
        st.booleans(),
    ),
    max_size=12,
)

domains = st.one_of(
    st.builds(lambda b: Integers(bits=b), st.sampled_from([1, 5, 63, 64, 65, 1000])),
    st.builds(lambda s: Integers(size=s), st.sampled_from([1, 2, 3, 7, 2**64 - 1, 2**64 + 1])),
)


def as_array(values):
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


@settings(max_examples=150, deadline=None)
@given(junk, domains, st.sampled_from(list(Relation)), st.integers(0, 3))
def test_values_in_answers_in_the_domain(data, domain, relation, seed):
    rng = seeded(seed)
    shared = {"domain": domain, "relation": relation}
    prefix = StablePrefix(
        epsilon_length=ONE,
        epsilon_prefix=ONE,
        epsilon_side=ONE,
        delta=Fraction(1, 4),
        low=1,
        high=4,
        **shared,
    )
    chosen = (
        InteriorPoint(epsilon=ONE, **shared),
        InteriorPoint(epsilon=ONE, selector="permute-and-flip", **shared),
        RobustMinimum(low=1, high=3, epsilon=ONE, **shared),
        prefix,
    )
    for mechanism in chosen:
        assert 0 <= mechanism._release(as_array(data), rng=rng) < domain.size
    histogram = StabilityHistogram(epsilon=ONE, delta=Fraction(1, 4), **shared)
    pairs = histogram._release(as_array(data), rng=rng)
    assert [value for value, _ in pairs] == sorted({value for value, _ in pairs})
    assert all(0 <= value < domain.size and count >= histogram.threshold for value, count in pairs)


@settings(max_examples=100, deadline=None)
@given(junk, st.lists(st.sampled_from([0, 1, None, "yes"]), max_size=12), st.integers(0, 3))
def test_learners_take_any_records(x, y, seed):
    n = min(len(x), len(y))
    sample = Sample(as_array(x[:n]), as_array(y[:n]))
    rng = seeded(seed)
    for concepts in (OneWaySequences(bits=30), OneWaySequences(index_bits=4, seed_bits=130)):
        for delta in (Fraction(0), TINY):
            learner = OneWayLearner(
                tree=concepts.tree,
                epsilon_count=ONE,
                epsilon_index=ONE,
                epsilon_string=ONE,
                enough=-5,
                low=1,
                high=3,
                delta=delta,
            )
            rule = learner._release(sample, rng=rng)
            assert rule == NEVER or 0 <= rule.start < concepts.tree.leaves
    for bits in (1, 9, 64, 65):
        domain = Parities(bits=bits).domain
        votes = ParityVotes(domain=domain, rows=2, blocks=3, epsilon=ONE, delta=TINY)
        tries = ParityElimination(domain=domain, tries=2, block=3, epsilon=ONE, epsilon_choice=ONE)
        for learner in (votes, tries):
            assert 0 <= learner._release(sample, rng=rng).mask < 1 << bits


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 6), st.integers(1, 20), st.data())
def test_forward_on_any_string(k, lam, data):
    tree = Tree(k, lam, k * lam + data.draw(st.integers(0, 3)))
    i = data.draw(st.integers(0, tree.leaves - 2))
    j = data.draw(st.integers(i + 1, tree.leaves - 1))
    string = data.draw(st.integers(0, (1 << tree.width) - 1))
    found, label = tree.forward(j, i, string)
    assert label in (0, 1)
    assert found >> tree.padding << tree.padding == found < 1 << tree.width
    seed = data.draw(st.integers(0, (1 << lam) - 1))
    assert tree.forward(j, i, tree.leaf(i, seed)[0]) == tree.leaf(j, seed)


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 90), st.data())
def test_equations_of_a_parity_are_solved_by_it(bits, data):
    mask = data.draw(st.integers(0, (1 << bits) - 1))
    rows = data.draw(st.lists(st.integers(0, (1 << bits) - 1), max_size=40))
    cells = Bits(columns=bits).coerce(as_array(rows))
    labels = Parities(bits=bits).hypothesis(mask).predict(as_array(rows))
    found = solve(cells, labels, bits)
    assert found is not None
    for vector in (0, *found.free):
        answer = Parities(bits=bits).hypothesis(found.solution ^ vector)
        assert answer.predict(as_array(rows)).tolist() == labels.tolist()
    if not found.free:
        assert found.solution == mask
