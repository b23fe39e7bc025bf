"""Lower bounds against the best mechanism there is, found by linear programming.

On a tiny instance the optimal pure mechanism is a linear program: one distribution over
answers per multiset of records, privacy between neighbours, least worst failure. With one
record fewer than a lower bound demands, that optimum must fail more often than beta.
"""

from collections import Counter
from fractions import Fraction as F
from itertools import combinations_with_replacement, product
from math import exp, factorial, prod

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import coo_matrix

from tacit.bounds.lower import shattered, two_concepts
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE
from tacit.problems.finite import sanitizers_lower as sanitizers
from tacit.problems.parities import parities_lower as parities
from tacit.problems.points import points_lower as points
from tacit.problems.thresholds import thresholds_lower as thresholds
from tacit.problems.thresholds import uniform_lower as uniform

TOLERANCE = 1e-7


def best_failure(scenarios, *, answers, n, epsilon, neighbours=None):
    """The least worst-case failure of an ``epsilon``-private mechanism on ``n`` records.

    ``scenarios`` are pairs of a record distribution (or one fixed data set, a tuple) and a set
    of good answers. Records that are drawn independently are a multiset without loss.
    """
    symbols = sorted({record for law, _ in scenarios for record in law})
    tables = list(combinations_with_replacement(symbols, n))
    place = {table: i for i, table in enumerate(tables)}
    width = len(answers)
    rows, columns, values, limits = [], [], [], []

    def constraint(entries, limit):
        row = len(limits)
        for column, value in entries:
            rows.append(row)
            columns.append(column)
            values.append(value)
        limits.append(limit)

    for table in tables:
        for out in set(table):
            for new in symbols:
                if new == out or (neighbours and not neighbours(out, new)):
                    continue
                other = list(table)
                other.remove(out)
                other = place[tuple(sorted([*other, new]))]
                for j in range(width):
                    here = place[table] * width + j
                    constraint([(here, 1.0), (other * width + j, -exp(epsilon))], 0.0)
    worst = len(tables) * width
    for law, good in scenarios:
        entries = [(worst, -1.0)]
        for table in [tuple(sorted(law))] if isinstance(law, tuple) else tables:
            chance = 1.0 if isinstance(law, tuple) else multinomial(law, table)
            if chance:
                entries += [
                    (place[table] * width + j, chance)
                    for j, answer in enumerate(answers)
                    if answer not in good
                ]
        constraint(entries, 0.0)
    total = worst + 1
    upper = coo_matrix((values, (rows, columns)), shape=(len(limits), total)).tocsr()
    equal = coo_matrix(
        (
            np.ones(worst),
            (np.repeat(np.arange(len(tables)), width), np.arange(worst)),
        ),
        shape=(len(tables), total),
    ).tocsr()
    cost = np.zeros(total)
    cost[worst] = 1
    solved = linprog(
        cost, A_ub=upper, b_ub=limits, A_eq=equal, b_eq=np.ones(len(tables)), method="highs"
    )
    assert solved.success
    return solved.fun


def multinomial(law, table):
    """The probability of a multiset of independent records."""
    count = Counter(table)
    ways = factorial(len(table)) / prod(factorial(c) for c in count.values())
    return ways * prod(float(law.get(r, 0)) ** c for r, c in count.items())


def needed(scenarios, *, beta, **rest):
    """The least number of records with which the best mechanism fails at most ``beta``."""
    n = 1
    while best_failure(scenarios, n=n, **rest) > beta + TOLERANCE:
        n += 1
    return n


def rare_points(size, alpha):
    """BBKN13 Lemma 3.9: the rest of the probability on point 0, labelled 0."""
    return [({("0", 0): 1 - alpha, (i, 1): alpha}, {i}) for i in map(str, range(1, size))]


def rare_pairs(size, alpha):
    """One rare value on either side of each border 1, ..., size - 1; value 0 has the rest."""
    found = []
    for border in range(1, size):
        law = {(0, 0): 1 - 2 * alpha, (border, 1): alpha}
        law[(border - 1, 0)] = law.get((border - 1, 0), 0) + alpha
        found.append((law, {border}))
    return found


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


@pytest.mark.parametrize(
    ("alpha", "beta", "epsilon"), [(F(1, 5), F(1, 4), F(1)), (F(2, 5), F(1, 8), F(1))]
)
def test_rare_pair(alpha, beta, epsilon):
    size = 4
    claimed = thresholds.rare_pair(domain_size=size, alpha=alpha, beta=beta, epsilon=epsilon).n
    rest = {"answers": range(size + 1), "epsilon": float(epsilon)}
    assert claimed > 1
    assert best_failure(rare_pairs(size, alpha), n=claimed - 1, **rest) > beta


def flips(old, new):
    """Label privacy: the value stays."""
    return old[0] == new[0]


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


def test_shifted_cuts():
    """Five values, cuts 1, 3 and 5. A tenth of five values is none, so one answer is good for
    each, and the values 1, 2 and 3, 4 are alike.
    """
    alpha, beta, epsilon = F(1, 10), F(1, 10), F(1)
    claimed = uniform.shifted_cuts(size=6, domain_size=5, alpha=alpha, beta=beta, epsilon=epsilon).n
    scenarios = [
        ({("0", 0): F(1, 5), ("12", int(cut < 2)): F(2, 5), ("34", int(cut < 4)): F(2, 5)}, {cut})
        for cut in (1, 3, 5)
    ]
    assert claimed > 1
    rest = {"answers": (1, 3, 5), "epsilon": 1.0, "neighbours": flips}
    assert best_failure(scenarios, n=claimed - 1, **rest) > beta


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


def test_shattered_branch():
    """Thresholds over 7 values have a mistake tree of depth 3; answers are all 2**3 labellings."""
    alpha, beta, epsilon, d = F(3, 10), F(1, 10), F(1), 3
    bound = shattered.branch(dimension=d, alpha=alpha, beta=beta, epsilon=epsilon)
    # The branches of a depth-2 tree below the root's label: nodes 1 (first), 0 or 2 (second).
    scenarios = []
    tree = {(): "a", (0,): "b", (1,): "c"}
    answers = [dict(zip("abc", labels, strict=True)) for labels in product((0, 1), repeat=3)]
    for branch in product((0, 1), repeat=2):
        law = {("root", 1): 1 - 2 * alpha}
        for depth in range(2):
            law[(tree[branch[:depth]], branch[depth])] = alpha
        good = {
            i
            for i, h in enumerate(answers)
            if all(h[tree[branch[:j]]] == branch[j] for j in range(2))
        }
        scenarios.append((law, good))
    assert bound.n > 1
    assert best_failure(scenarios, answers=range(8), n=bound.n - 1, epsilon=1.0) > beta


@pytest.mark.parametrize(("bits", "k"), [(2, 1), (1, 2)])
def test_relabelled_parities(bits, k):
    beta, epsilon = F(1, 10), F(2)
    claimed = parities.relabelled(bits=bits, k=k, alpha=F(1, 5), beta=beta, epsilon=epsilon).n
    values = list(product((0, 1), repeat=bits))
    vectors = list(product(values, repeat=k))

    def labels(vector, x):
        return tuple(sum(a * b for a, b in zip(c, x, strict=True)) % 2 for c in vector)

    scenarios = [({(x, labels(v, x)): F(1, 2**bits) for x in values}, {v}) for v in vectors]
    failing = best_failure(scenarios, answers=vectors, n=claimed - 1, epsilon=2.0)
    assert claimed > 1
    assert failing > beta


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
