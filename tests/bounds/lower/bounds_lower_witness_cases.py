"""Cases that several tests share: Lower bounds against the best mechanism there is, found by linear programming."""

from collections import Counter
from itertools import combinations_with_replacement
from math import exp, factorial, prod

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix


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


def flips(old, new):
    """Label privacy: the value stays."""
    return old[0] == new[0]
