"""Cases that several tests share: Bounds of the accountant against divergences computed exactly on small worst cases."""

import itertools

from tacit.core import Pure
from tacit.exact.balls import ball


def exponential_law(scores, epsilon):
    """The exponential mechanism with scores of sensitivity 1, as balls."""
    weights = [(ball(epsilon * score / 2)).exp() for score in scores]
    return [weight / sum(weights) for weight in weights]


def neighbours():
    """All scores on three candidates and all moves by at most one."""
    for scores in itertools.product(range(3), repeat=2):
        for move in itertools.product((-1, 0, 1), repeat=3):
            yield (0, *scores), tuple(s + m for s, m in zip((0, *scores), move, strict=True))


def pair(kind, epsilon, place):
    """Two outputs with log-ratios ``high`` and ``low``: the worst laws of a step.

    Returns the probabilities of the first output and the two log-ratios.
    """
    width = 2 * epsilon if kind is Pure else epsilon
    high = epsilon if kind is Pure else epsilon * place
    top, bottom = ball(high).exp(), ball(high - width).exp()
    q = (1 - bottom) / (top - bottom)
    return q * top, q, high, high - width
