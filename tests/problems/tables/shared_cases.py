"""Questions that labels share, one by one, and their weights from the definition."""

from itertools import product

import numpy as np

from tacit.exact.balls import at, ball


def every(trees, levels):
    """All questions: trees whose leaves are all ``False``."""
    yield False
    if levels:
        below = list(every(trees, levels - 1))
        for cut in range(len(trees.cuts)):
            for low, high in product(below, repeat=2):
                yield (cut, low, high)


def leaves(tree):
    return 1 if isinstance(tree, bool) else leaves(tree[1]) + leaves(tree[2])


def places(trees, tree, cells):
    """The number of the leaf of each record, in the order of the leaves."""
    if isinstance(tree, bool):
        return np.zeros(len(cells), dtype=int)
    cut, low, high = tree
    yes = trees.cuts[cut].asks(cells)
    first = leaves(low)
    return np.where(yes, places(trees, low, cells), first + places(trees, high, cells))


def sums(trees, tree, cells, marks):
    """The sum of the marks of each label in each leaf."""
    where = places(trees, tree, cells)
    return np.array([marks[where == leaf].sum(axis=0) for leaf in range(leaves(tree))])


def stated(trees, rate, cells, marks):
    """The law by its definition: the marks that the best labels of each leaf miss."""
    with at(256):
        weights = {}
        for tree in every(trees, trees.depth):
            missed = marks.size - int(np.abs(sums(trees, tree, cells, marks)).sum())
            prior = trees.prior(tree) * 2 ** leaves(tree)
            weights[tree] = ball(prior) * (-ball(rate) * missed).exp()
        total = sum(weights.values(), ball(0))
        return {tree: weight / total for tree, weight in weights.items()}


def computed(weigher, node, levels):
    """The law of ``draw``: products of the choices' probabilities, by balls."""
    weights = list(weigher.balls(node, levels))
    total = sum(weights, ball(0))
    law = {False: weights[0] / total}
    for cut, weight in enumerate(weights[1:]):
        low, high = weigher.sides(node, levels, cut)
        for (a, p), (b, q) in product(
            computed(weigher, low, levels - 1).items(), computed(weigher, high, levels - 1).items()
        ):
            law[(cut, a, b)] = weight / total * p * q
    return law
