"""Keeping a tree or growing all its leaves is one selection, and it seldom makes things worse."""

from fractions import Fraction
from itertools import product
from math import cosh, exp, sinh, tanh

import numpy as np
import pytest
from tests.complete import complete

from tacit.bounds.upper.occam import agnostic_excess
from tacit.checks.testing import exact_epsilon, neighbours, seeded
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE, Sample
from tacit.core.errors import BadInput
from tacit.exact.balls import at, ball
from tacit.problems.tables.grown_trees import GrownTreeLearner, keeps
from tacit.problems.tables.tree_weights import Weigher
from tacit.problems.tables.trees import Trees

pytestmark = pytest.mark.exact

SCHEMA = complete([bool, bool])

TREES = Trees(SCHEMA, depth=1)

RECORDS = [((False, False), 0), ((False, True), 1), ((True, False), 1), ((True, False), 0)]


def every_tree():
    yield from (False, True)
    yield from product(range(len(TREES.cuts)), (False, True), (False, True))


def mistakes(tree, rows):
    """By predicting every record."""
    if not rows:
        return 0
    said = TREES.hypothesis(tree).predict([row for row, _ in rows])
    return sum(int(a != b) for a, (_, b) in zip(said.tolist(), rows, strict=True))


def sides(rows):
    """The records of the two leaves of "is the first column false"."""
    return tuple(row for row in rows if not row[0][0]), tuple(row for row in rows if row[0][0])


def kept(rows):
    """Mistakes of the tree that says 0 on the first leaf and 1 on the second."""
    return sum(int(row[0]) != label for row, label in rows)


def second_law(rows, rate):
    """Keep that tree, or grow both leaves: each alternative from the definition."""
    weights = {"keep": ball(Fraction(1, 2)) * (-ball(rate) * kept(rows)).exp()}
    for pair in product(every_tree(), repeat=2):
        wrong = sum(mistakes(t, side) for t, side in zip(pair, sides(rows), strict=True))
        prior = TREES.prior(pair[0]) * TREES.prior(pair[1]) / 2
        weights[pair] = ball(prior) * (-ball(rate) * wrong).exp()
    total = sum(weights.values(), ball(0))
    return {choice: weight / total for choice, weight in weights.items()}


def nodes(rows, weigher):
    out = []
    for side in sides(rows):
        x = [row for row, _ in side] or np.empty((0, 2), dtype=object)
        labels = np.array([label for _, label in side], dtype=bool)
        out.append(weigher.root(SCHEMA.coerce(x), labels))
    return out


@pytest.mark.parametrize("relation", [REPLACE_ONE, LABEL, ADD_REMOVE])
def test_the_second_draw_costs_one_selection(relation):
    rate = Fraction(1) / (1 if relation is ADD_REMOVE else 2)
    laws, worst = {}, ball(0)
    with at(256):
        for left, right in neighbours(RECORDS, 3, relation):
            for rows in (left, right):
                if rows not in laws:
                    laws[rows] = second_law(rows, rate)
            worst = worst.max(exact_epsilon(laws[left], laws[right]))
    assert worst < 1 + ball(Fraction(1, 10**60))
    assert worst > ball(Fraction(2, 5))


ROWS = tuple(RECORDS[i] for i in (0, 0, 1, 1, 1, 2, 3))


def test_keeping_and_growing_have_the_stated_weights():
    weigher = Weigher(TREES, Fraction(1))
    with at(256):
        stated = second_law(ROWS, Fraction(1))
        leaves = nodes(ROWS, weigher)
        keep = (-ball(1) * kept(ROWS)).exp()
        grow = weigher.total(leaves[0], 1) * weigher.total(leaves[1], 1)
        assert abs(keep / (keep + grow) - stated["keep"]) < ball(Fraction(1, 10**60))
    draws, rng, p = 3000, seeded(3), float(stated["keep"])
    often = sum(keeps(weigher, leaves, kept(ROWS), rng) for _ in range(draws)) / draws
    # Six standard deviations: a false alarm once in 10^8 runs.
    assert abs(often - p) < 6 * (p * (1 - p) / draws) ** 0.5
    assert abs(often - float(second_law(ROWS, Fraction(3))["keep"])) > 0.05


@pytest.mark.parametrize("rate", [Fraction(1, 10), Fraction(1), Fraction(3)])
def test_growing_seldom_adds_mistakes(rate):
    with at(128):
        chances = second_law(ROWS, rate)
        for more in (1, 2):
            chance = ball(0)
            for pair, mass in chances.items():
                if pair == "keep":
                    continue
                wrong = sum(mistakes(t, side) for t, side in zip(pair, sides(ROWS), strict=True))
                chance += mass if wrong >= kept(ROWS) + more else ball(0)
            assert chance > 0
            assert chance < (-ball(rate) * more).exp()


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
def test_only_what_the_first_draw_cannot_use_is_left_for_the_second(relation):
    w = 1 if relation is ADD_REMOVE else 2
    rates = ((Fraction(1, 9), 1), (1, 1), (Fraction(3, 2), 1), (2, 1), (5, Fraction(5, 2)))
    for whole, first in rates:
        epsilon = Fraction(whole) * w
        learner = GrownTreeLearner(schema=SCHEMA, depth=6, epsilon=epsilon, relation=relation)
        assert learner.budgets[0] == min(epsilon, Fraction(first) * w)
        event = learner.event()
        spent = [e.epsilon for e in (event.parts if learner.budgets[1] else [event])]
        assert spent == [part for part in learner.budgets if part]
        assert sum(spent) == epsilon


def test_the_first_agnostic_formula_gains_nothing_from_a_rate_above_one():
    """The factor of Theorem 2 of the selection bound grows with the rate from 1 on."""

    def factor(rate, g):
        return (1 + g) / 2 * exp(-rate) + (1 - g) / 2 * exp(rate)

    for g in np.linspace(0.001, tanh(1), 50):
        values = [factor(rate, g) for rate in np.linspace(1, 8, 200)]
        assert values == sorted(values)
        assert values[0] == pytest.approx(cosh(1) - g * sinh(1))
    assert factor(1.1, 0.9) < factor(1, 0.9)


def test_the_second_agnostic_formula_does_gain_so_the_first_draw_has_half_the_rate():
    given = {"n": 2000, "prior": Fraction(1, 10**12), "least_prior": Fraction(1, 10**12)}
    bounds = [agnostic_excess(rate=Fraction(r), beta=Fraction(1, 20), **given) for r in (1, 2, 4)]
    assert bounds[0] > bounds[1] > bounds[2]
    assert bounds[0] < Fraction(1, 5) < Fraction(tanh(0.5))  # the first formula says less here
    for epsilon in (Fraction(1, 3), Fraction(2), Fraction(3), Fraction(40)):
        learner = GrownTreeLearner(schema=SCHEMA, depth=6, epsilon=epsilon)
        assert learner.budgets[0] >= max(epsilon / 2, min(epsilon, Fraction(2)))


def trees_of(levels):
    """All trees over one column of two cells, with their prior."""
    share = Fraction(1, 5) if levels else Fraction(1)
    for label in (False, True):
        yield label, share / 2
    if levels:
        below = list(trees_of(levels - 1))
        for (low, p), (high, q) in product(below, repeat=2):
            yield (low, high), Fraction(4, 5) * p * q


def leaf_of(tree, bit, way=()):
    """The label that one bit gets, and the way to its leaf."""
    if isinstance(tree, bool):
        return tree, way
    return leaf_of(tree[bit], bit, (*way, bit))


def whole_law(rows, rates):
    """The law of (label of 0, label of 1) after both draws, from their definition."""
    wrong = {
        (b, said): sum(x == b and y != said for x, y in rows) for b in (0, 1) for said in (0, 1)
    }
    grown = [(tree, float(prior)) for tree, prior in trees_of(1)]
    law, total = {}, 0.0
    for top, prior in trees_of(3):
        (zero, left), (one, right) = leaf_of(top, 0), leaf_of(top, 1)
        here = wrong[0, zero] + wrong[1, one]
        weight = float(prior) * exp(-float(rates[0]) * here)
        total += weight
        after = {(zero, one): exp(-float(rates[1]) * here)}
        # Both bits in one leaf are told apart by one tree; leaves without records sum to 1.
        pairs = ((t, t, p) for t, p in grown)
        if left != right:
            pairs = ((t, u, p * q) for (t, p), (u, q) in product(grown, repeat=2))
        for low, high, p in pairs:
            said = leaf_of(low, 0)[0], leaf_of(high, 1)[0]
            mass = p * exp(-float(rates[1]) * (wrong[0, said[0]] + wrong[1, said[1]]))
            after[said] = after.get(said, 0.0) + mass
        for said, mass in after.items():
            law[said] = law.get(said, 0.0) + weight * mass / sum(after.values())
    return {said: mass / total for said, mass in law.items()}


def test_the_whole_release_follows_both_draws():
    bit = complete([range(2)])
    rows = [(0, 1), (0, 0), (0, 1), (1, 0), (1, 1), (1, 0), (1, 0)]
    sample = Sample(np.array([[x] for x, _ in rows]), np.array([y for _, y in rows]))
    learner = GrownTreeLearner(
        schema=bit, depth=4, epsilon=Fraction(2), relation=ADD_REMOVE, four_levels=False
    )
    assert learner.budgets == (1, 1)
    stated = whole_law(rows, learner.budgets)
    rng, draws = seeded(7), 2500
    counts = dict.fromkeys(stated, 0)
    for _ in range(draws):
        rule = learner._release(sample, rng=rng)
        counts[tuple(rule.predict(np.array([[0], [1]])).tolist())] += 1
    told_apart = [False, False]
    one_draw, wrong_rate = whole_law(rows, (2, 1)), whole_law(rows, (1, Fraction(1, 4)))
    for said, p in stated.items():
        # Six standard deviations: a false alarm once in 10^8 such comparisons.
        room = 6 * (p * (1 - p) / draws) ** 0.5
        assert abs(counts[said] / draws - p) < room
        for place, other in enumerate((one_draw, wrong_rate)):
            told_apart[place] |= abs(counts[said] / draws - other[said]) > room
    assert all(told_apart)


def test_the_prior_bound_is_below_every_prior():
    learner = GrownTreeLearner(schema=SCHEMA, depth=5, epsilon=Fraction(4), four_levels=False)
    first, second = learner.stages
    assert (first.depth, second.depth) == (3, 2)
    assert learner.least_prior == first.least_prior() * second.least_prior() ** 8 / 2
    deep = GrownTreeLearner(schema=SCHEMA, depth=5, epsilon=Fraction(4))
    first, second = deep.stages
    assert (first.depth, second.depth) == (4, 1)
    assert deep.least_prior == first.least_prior() * second.least_prior() ** 16 / 20
    with pytest.raises(BadInput, match="depth"):
        GrownTreeLearner(schema=SCHEMA, depth=7, epsilon=Fraction(1))
