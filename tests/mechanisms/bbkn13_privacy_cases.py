"""Cases that several tests share: BBKN13's mechanisms: the exact law on every tiny data set, compared with every neighbour's."""

from itertools import product

import numpy as np
from tests.tools.coin_tree import law

from tacit.core import Sample
from tacit.exact.balls import ball

BITS = 128


def sample(entries):
    x = np.array([x for x, _ in entries], dtype=np.int64)
    return Sample(x, np.array([y for _, y in entries], dtype=np.int64))


def laws_of(mechanism, entries, n, form):
    return {
        data: law(lambda tree, data=data: repr(mechanism._release(form(data), rng=tree)))
        for data in product(entries, repeat=n)
    }


def largest_ratio(laws, entries):
    """Over all ordered data sets and all substitutions at any position."""
    worst = ball(1)
    for data, here in laws.items():
        for place in range(len(data)):
            for entry in entries:
                there = laws[(*data[:place], entry, *data[place + 1 :])]
                for output, mass in here.items():
                    worst = worst.max(mass / there.get(output, ball(0)))
    return worst


def records(size):
    return [(x, y) for x in range(size) for y in (0, 1)]
