"""Cases that several tests share: BBKN13 section 5 and Observation 2.7: reconstructions, checked on every rule there is."""

from itertools import product

import numpy as np

SIZE = 6


ORIENTATIONS = ["INTERVAL", ">=", "THRESH"]


RULES = [np.array(rule, dtype=bool) for rule in product((False, True), repeat=SIZE)]


def concepts(thresholds):
    everywhere = np.arange(SIZE, dtype=np.uint64)
    boundaries = range(thresholds.first, SIZE + 1)
    return {b: thresholds.hypothesis(b).predict(everywhere) for b in boundaries}
