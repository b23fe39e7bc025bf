"""Trees with sets of categories, one by one, and their weights from the definition."""

from fractions import Fraction
from itertools import product

import numpy as np

from tacit.exact.balls import at, ball


def raw(trees, levels):
    """Every way to draw a tree: what is released, and its part of the prior, by the words of the
    class alone.
    """
    leaf = trees.leaf if levels else Fraction(1)
    for label in range(trees.values):
        yield trees.labelled(label), leaf / trees.values
    if not levels:
        return
    columns = {cut.column for cut in trees.cuts}
    for cut in trees.cuts:
        same = sum(one.column == cut.column for one in trees.cuts)
        half = Fraction(1, 2) if cut.column in trees.sets else 1
        share = (1 - leaf) * half / (len(columns) * same)
        below = list(raw(trees, levels - 1))
        for (low, p), (high, q) in product(below, repeat=2):
            yield (cut, low, high), share * p * q
    for column in trees.sets:
        cells, chances = trees.schema.cells[column], trees.chances(column)
        pairs = list(trees.pairs())
        share = (1 - leaf) / (2 * len(columns) * len(chances) * len(pairs))
        for chance, (one, other) in product(chances, pairs):
            for inside in product((False, True), repeat=cells):
                mass = share
                for is_in in inside:
                    mass *= chance if is_in else 1 - chance
                yield trees.question(column, inside, one, other), mass


def priors(trees):
    """The prior of everything that may be released."""
    found = {}
    for root, mass in raw(trees, trees.depth):
        found[root] = found.get(root, 0) + mass
    return found


def stated(trees, rate, x, y):
    """The law by its definition: every tree's mistakes on every record."""
    y = np.asarray(y, dtype=np.int64)
    with at(256):
        weights = {}
        for root, mass in priors(trees).items():
            wrong = int((trees.hypothesis(root).predict(x) != y).sum()) if len(y) else 0
            weights[root] = ball(mass) * (-ball(rate) * wrong).exp()
        total = sum(weights.values(), ball(0))
        return {root: weight / total for root, weight in weights.items()}
