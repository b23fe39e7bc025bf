"""Cases that several tests share: Records that suffice do suffice: exact failure probabilities on tiny instances."""

from collections import Counter
from itertools import combinations_with_replacement, product
from math import factorial, prod

import numpy as np


def law(errors, *, rate, selector):
    """The probability of each candidate, by its number of mistakes."""
    weights = np.exp(-rate * (np.asarray(errors, float) - min(errors)))
    if selector == "exponential":
        return weights / weights.sum()
    chosen = np.zeros(len(weights))
    for coins in product((0, 1), repeat=len(weights)):
        accepted = [i for i, coin in enumerate(coins) if coin]
        chance = prod(w if coin else 1 - w for w, coin in zip(weights, coins, strict=True))
        for i in accepted:
            chosen[i] += chance / len(accepted)
    return chosen


def failure(concepts, distribution, *, n, rate, selector, bad):
    """Exactly how often selection ends in ``bad``; records are (value, label) pairs."""
    symbols = [s for s, p in distribution.items() if p]
    total = 0.0
    for table in combinations_with_replacement(range(len(symbols)), n):
        count = Counter(table)
        chance = factorial(n) / prod(factorial(c) for c in count.values())
        chance *= prod(float(distribution[symbols[s]]) ** c for s, c in count.items())
        errors = [
            sum(c for s, c in count.items() if concept[symbols[s][0]] != symbols[s][1])
            for concept in concepts
        ]
        chosen = law(errors, rate=rate, selector=selector)
        total += chance * sum(chosen[i] for i in bad)
    return total


POINTS = [tuple(int(x == p) for x in range(4)) for p in range(4)]
