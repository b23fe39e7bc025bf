"""Cases that several tests share: the law of learners of points over one cell, by hand."""

from fractions import Fraction

import numpy as np

from tacit.core import Relation
from tacit.problems.marginals.budget import Budget
from tacit.problems.tables.odds_steps import chances, gaps_of, slopes


def budget(amount=1, concentrated=False, relation=Relation.REPLACE_ONE):
    return Budget(amount=Fraction(amount), concentrated=concentrated, relation=relation)


def starts(made, ones, n):
    """The law of the start: geometric noise on the numbers of records of both labels."""
    scale = 2 / float(made.budget.share(made.sizes).amount)
    seen, fading, found = range(-40, 43), np.exp(-1 / scale), {}
    for zeros in seen:
        for yes in seen:
            start = made._start(np.array([zeros, yes]))
            far = abs(zeros - (n - ones)) + abs(yes - ones)
            mass = ((1 - fading) / (1 + fading)) ** 2 * fading**far
            found[start] = found.get(start, 0.0) + mass
    return found


def cards(made, ones, n, chance, points_of):
    """The law of the points of one cell: geometric noise on both sums."""
    first, second = (float(scale) for scale in made.sums.noise)
    z = np.arange(-40, 41)
    p, q = (np.exp(-abs(z) / scale) for scale in (first, second))
    p, q = p / p.sum(), q / q.sum()
    each = gaps_of(np.array([True, False]), np.array(chance), made.steps, capped=made.capped)
    gap = int(ones * each[0] + (n - ones) * each[1])
    slope = n * int(slopes(np.array(chance), made.steps))
    found = {}
    for up, a in zip(z, p, strict=True):
        for over, b in zip(z, q, strict=True):
            points = points_of(int(gap + up), int(slope + over))
            found[points] = found.get(points, 0.0) + a * b
    return found


def by_hand(made, ones, n, points_of=None):
    """The law of one round over one cell: start, points and threshold of the released rule.

    Noise on both numbers of records and on both sums, then the last draw. ``points_of`` makes
    points of two noisy sums, where the learner does it otherwise than boosting.
    """
    found, known = {}, {}
    for start, c in starts(made, ones, n).items():
        chance = int(chances(np.array([start]), made.steps)[0])
        if chance not in known:
            known[chance] = cards(made, ones, n, chance, points_of or made._points)
        for points, mass in known[chance].items():
            total = start + points
            wrong = [n - ones if total > 0 else ones, ones, n - ones]
            weight = np.exp(-float(made.last_rate) * np.array(wrong))
            for threshold, share in zip((0, total, total - 1), weight / weight.sum(), strict=True):
                rule = (start, points, threshold)
                found[rule] = found.get(rule, 0.0) + c * mass * share
    return found
