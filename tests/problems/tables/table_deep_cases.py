"""Cases that several tests share: Trees of four levels: the law against a plain recursion, and privacy, exactly."""

from fractions import Fraction
from itertools import product

import numpy as np
from tests.complete import complete

from tacit.exact.balls import ball

SCHEMA = complete([bool])


LEAF = Fraction(1, 5)


TINY = ball(Fraction(1, 10**60))


def functions(rows, levels, rate):
    """The weight of every function of one bit, summed over the trees that compute it."""
    out = dict.fromkeys(product((False, True), repeat=2), ball(0))
    for label in (False, True):
        wrong = sum(label != y for _, y in rows)
        share = ball(LEAF) if levels else ball(1)
        out[(label, label)] += share / 2 * (-ball(rate) * wrong).exp()
    if levels:
        low = functions([row for row in rows if not row[0][0]], levels - 1, rate)
        high = functions([row for row in rows if row[0][0]], levels - 1, rate)
        for (a, p), (b, q) in product(low.items(), high.items()):
            out[(a[0], b[1])] += ball(1 - LEAF) * p * q
    return out


def placed(rows):
    x = [row for row, _ in rows] or np.empty((0, 1), dtype=object)
    return SCHEMA.coerce(x), np.array([label for _, label in rows], dtype=bool)


ROWS = (((True,), 1), ((True,), 1), ((True,), 0), ((False,), 0), ((False,), 1), ((False,), 0))
