"""Cases that several tests share: The tree sampler's law against enumeration of every tree, and its privacy, exactly."""

from itertools import product

import numpy as np


def every_tree(trees, levels):
    yield False
    yield True
    if levels:
        below = list(every_tree(trees, levels - 1))
        for cut in range(len(trees.cuts)):
            for low, high in product(below, repeat=2):
                yield (cut, low, high)


def mistakes(trees, tree, x, y):
    return int(np.sum(trees.hypothesis(tree).predict(x) != np.array(y, dtype=bool)))
