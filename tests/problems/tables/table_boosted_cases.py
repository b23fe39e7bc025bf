"""Cases that several tests share: Boosting by exact draws: sensitivities on every pair, the law of a round, and what it learns."""

from fractions import Fraction

import numpy as np

from tacit.core import Relation
from tacit.problems.marginals.budget import Budget


def budget(amount=1, concentrated=False, relation=Relation.REPLACE_ONE):
    return Budget(amount=Fraction(amount), concentrated=concentrated, relation=relation)


def by_hand(made, ones, n):
    """The law of one round over one cell: geometric noise on both sums, then the last draw."""
    first, second = (float(scale) for scale in made.noise)
    reach = 40
    z = np.arange(-reach, reach + 1)
    p, q = (np.exp(-abs(z) / scale) for scale in (first, second))
    p, q = p / p.sum(), q / q.sum()
    steps, found = made.steps, {}
    half = steps // 2
    gap, slope = half * (2 * ones - n), n * (half * half // steps)
    for up, a in zip(z, p, strict=True):
        for over, b in zip(z, q, strict=True):
            points = made._points(int(gap + up), int(slope + over))
            wrong = [n - ones if points > 0 else ones, ones, n - ones]
            weight = np.exp(-float(made.last_rate) * np.array(wrong))
            rules = [(points, 1), (-1, 0), (1, 0)]
            for rule, share in zip(rules, weight / weight.sum(), strict=True):
                found[rule] = found.get(rule, 0.0) + a * b * share
    return found
