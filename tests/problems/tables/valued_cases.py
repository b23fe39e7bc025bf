"""Trees with several labels a leaf, one by one, and their weights from the definition."""

from itertools import product

import numpy as np

from tacit.exact.balls import at, ball


def every(trees, levels):
    """Every tree or list of a class, as ``prior`` takes it."""
    yield from range(trees.values)
    if levels:
        below = list(every(trees, levels - 1))
        for cut in range(len(trees.cuts)):
            for low, high in product(below, repeat=2):
                if not trees.chain or isinstance(low, int) or isinstance(high, int):
                    yield (cut, low, high)


def stated(trees, rate, x, y, costs=(1,) * 100):
    """The law by its definition: every tree's mistakes on every record, at their costs."""
    y = np.asarray(y, dtype=np.int64)
    each = np.array(costs)[y]
    with at(256):
        weights = {}
        for tree in every(trees, trees.depth):
            wrong = int(each[trees.hypothesis(tree).predict(x) != y].sum()) if len(y) else 0
            weights[tree] = ball(trees.prior(tree)) * (-ball(rate) * wrong).exp()
        total = sum(weights.values(), ball(0))
        return {tree: weight / total for tree, weight in weights.items()}


def computed(weigher, node, levels):
    """The law of ``draw``: products of the choices' probabilities, by balls."""
    weights, values = list(weigher.balls(node, levels)), weigher.trees.values
    total = sum(weights, ball(0))
    law = {label: weights[label] / total for label in range(values)}
    for place, weight in enumerate(weights[values:]):
        cut, part = divmod(place, weigher._parts(levels))
        low, high = weigher.sides(node, levels, cut)
        left, right = weigher._below(levels)[part]
        for (a, p), (b, q) in product(
            computed(weigher, low, left).items(), computed(weigher, high, right).items()
        ):
            law[(cut, a, b)] = law.get((cut, a, b), ball(0)) + weight / total * p * q
    return law
