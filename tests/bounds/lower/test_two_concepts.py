"""Lower bounds against the best mechanism there is, found by linear programming.

On a tiny instance the optimal pure mechanism is a linear program: one distribution over
answers per multiset of records, privacy between neighbours, least worst failure. With one
record fewer than a lower bound demands, that optimum must fail more often than beta.
"""

from fractions import Fraction as F
from itertools import product

import pytest
from tests.bounds.lower.bounds_lower_witness_cases import best_failure, flips

from tacit.bounds.lower import two_concepts
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE
from tacit.problems.finite import sanitizers_lower as sanitizers
from tacit.problems.points import points_lower as points

pytestmark = pytest.mark.exact

TOLERANCE = 1e-7


def needed(scenarios, *, beta, **rest):
    """The least number of records with which the best mechanism fails at most ``beta``."""
    n = 1
    while best_failure(scenarios, n=n, **rest) > beta + TOLERANCE:
        n += 1
    return n


def rare_points(size, alpha):
    """BBKN13 Lemma 3.9: the rest of the probability on point 0, labelled 0."""
    return [({("0", 0): 1 - alpha, (i, 1): alpha}, {i}) for i in map(str, range(1, size))]


@pytest.mark.parametrize(
    ("size", "alpha", "beta", "epsilon"),
    [(4, F(2, 5), F(1, 5), F(1)), (3, F(3, 10), F(1, 4), F(1)), (5, F(7, 10), F(1, 10), F(3, 2))],
)
def test_rare_point(size, alpha, beta, epsilon):
    claimed = points.rare_point(size=size, alpha=alpha, beta=beta, epsilon=epsilon).n
    answers = [str(i) for i in range(size)]
    scenarios = rare_points(size, alpha)
    assert claimed > 1
    rest = {"answers": answers, "epsilon": float(epsilon)}
    assert best_failure(scenarios, n=claimed - 1, **rest) > beta


def test_rare_point_is_within_a_factor_of_the_truth():
    alpha, beta, epsilon = F(1, 2), F(1, 5), F(1)
    claimed = points.rare_point(size=3, alpha=alpha, beta=beta, epsilon=epsilon).n
    truth = needed(rare_points(3, alpha), answers=["0", "1", "2"], beta=beta, epsilon=1.0)
    assert claimed <= truth <= 2 * claimed


def test_scattered_zeros():
    """Values 0..3 and one set aside; answers are all sets of values reported as 1."""
    alpha, beta, epsilon, values = F(3, 10), F(1, 10), F(1, 2), range(4)
    claimed = points.scattered_zeros(size=5, alpha=alpha, beta=beta, epsilon=epsilon).n
    answers = [frozenset(x for x in values if (bits >> x) & 1) for bits in range(16)]
    spread = {(x, 0): F(1, 4) for x in values}
    scenarios = [(spread, {h for h in answers if F(len(h), 4) <= alpha})]
    for i in values:
        law = {(i, 1): alpha, **{(x, 0): (1 - alpha) / 3 for x in values if x != i}}
        good = {h for h in answers if i in h and (1 - alpha) / 3 * len(h - {i}) <= alpha}
        scenarios.append((law, good))
    assert claimed > 1
    rest = {"answers": answers, "epsilon": float(epsilon)}
    assert best_failure(scenarios, n=claimed - 1, **rest) > beta


def test_one_point_each():
    beta, epsilon = F(1, 5), F(1, 2)
    claimed = points.one_point_each(size=4, beta=beta, epsilon=epsilon).n
    scenarios = [({(i, 1): 1}, {i}) for i in range(4)]
    truth = needed(scenarios, answers=range(4), beta=beta, epsilon=float(epsilon))
    assert (claimed, truth) == (5, 6)


@pytest.mark.parametrize("relation", [REPLACE_ONE, LABEL])
def test_two_concepts(relation):
    alpha, beta, epsilon = F(3, 10), F(1, 10), F(1)
    claimed = two_concepts.rare_difference(
        alpha=alpha, beta=beta, epsilon=epsilon, relation=relation
    ).n
    scenarios = [({("x", 0): 1 - alpha, ("y", b): alpha}, {b}) for b in (0, 1)]
    truth = needed(
        scenarios,
        answers=(0, 1),
        beta=beta,
        epsilon=1.0,
        neighbours=flips if relation is LABEL else None,
    )
    assert 1 < claimed <= truth <= 2 * claimed


def test_label_vectors():
    alpha, beta, epsilon, k = F(2, 5), F(1, 5), F(1), 2
    claimed = two_concepts.label_vectors(k=k, alpha=alpha, beta=beta, epsilon=epsilon).n
    vectors = list(product((0, 1), repeat=k))
    scenarios = [({("x", (0, 0)): 1 - alpha, ("y", v): alpha}, {v}) for v in vectors]
    assert claimed > 1
    rest = {"answers": vectors, "epsilon": 1.0, "neighbours": flips}
    assert best_failure(scenarios, n=claimed - 1, **rest) > beta


def test_fair_coin():
    alpha, beta = F(1, 5), F(1, 4)
    claimed = two_concepts.fair_coin(alpha=alpha, beta=beta).n
    scenarios = [({b: (1 + alpha) / 2, 1 - b: (1 - alpha) / 2}, {b}) for b in (0, 1)]
    truth = needed(
        scenarios, answers=(0, 1), beta=beta, epsilon=1.0, neighbours=lambda _old, _new: False
    )
    assert claimed == truth == 11


def test_planted_value():
    """All that matters of an answer is which value it reports above alpha, if any."""
    alpha, beta, epsilon, size = F(1, 5), F(1, 4), F(1), 4
    claimed = sanitizers.planted_value(domain_size=size, alpha=alpha, beta=beta, epsilon=epsilon).n
    n = claimed - 1
    planted = int(2 * alpha * n) + 1
    scenarios = [((0,) * n, {0})]
    scenarios += [((x,) * planted + (0,) * (n - planted), {x}) for x in range(1, size)]
    assert n > 1
    assert best_failure(scenarios, answers=range(size), n=n, epsilon=1.0) > beta
    more = 2 * claimed
    planted = int(2 * alpha * more) + 1
    scenarios = [((0,) * more, {0})]
    scenarios += [((x,) * planted + (0,) * (more - planted), {x}) for x in range(1, size)]
    assert best_failure(scenarios, answers=range(size), n=more, epsilon=1.0) < beta


def test_add_remove_counts_a_replacement_twice():
    twice = points.rare_point(
        size=100, alpha=F(1, 10), beta=F(1, 10), epsilon=F(1), relation=ADD_REMOVE
    )
    assert twice.n == points.rare_point(size=100, alpha=F(1, 10), beta=F(1, 10), epsilon=F(2)).n
