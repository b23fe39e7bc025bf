r"""The tool behind every packing lower bound.

Couple the records of a base distribution and of an alternative so that they differ in
``K ~ Bin(n, p)`` places. A learner that answers the alternative well with probability
``1 - beta`` then answers the *base* in the alternative's good set with probability at least

    ``phi(n) = min { E[exp(-eps K) g(K)] : 0 <= g <= 1, E g >= 1 - beta }``,

which is ``E exp(-eps K)`` with probability ``beta`` taken away from the smallest ``K``. With
``delta`` the group-privacy loss costs at most ``delta / (exp(eps) - 1)`` more. If good sets
of the alternatives are such that the base can fall into them with a total probability of
at most ``room`` per alternative, then ``phi(n) <= room + delta/(exp(eps)-1)`` is necessary.
Proof: ``packing.proof.md``.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor

import numpy as np

from tacit.bounds.search import greatest
from tacit.bounds.tails import SLACK, Floats, Window, binomial, fading, float_above
from tacit.core import Relation
from tacit.core.numbers import Number, positive, probability
from tacit.exact.balls import Ball, above, ball, below

_CAP = 1 << 40  # records beyond which no search looks; a smaller bound is true too


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Privacy per differing record: ``epsilon`` for a whole difference, ``delta`` to lose."""

    epsilon: Fraction
    delta: Fraction
    step: Fraction

    @classmethod
    def of(cls, *, epsilon: Number, delta: Number = 0, relation: Relation) -> Budget:
        """Under add/remove a replaced record is two steps; a changed label is one."""
        steps = 2 if relation is Relation.ADD_REMOVE else 1
        step = positive(epsilon, name="epsilon")
        lost = probability(delta, name="delta", zero="allowed")
        return cls(epsilon=steps * step, delta=lost, step=step)

    def lost(self) -> Fraction:
        """At least ``delta / (exp(epsilon) - 1)`` for one step's epsilon."""
        if self.delta == 0:
            return Fraction(0)
        return above(lambda: ball(self.delta) / ball(self.step).expm1())


def everything(*, alternatives: int, beta: Fraction, budget: Budget) -> int:
    """Necessary when all ``n`` records differ: ``(1/eps) ln(N (1-beta)/beta)``, rounded up."""
    if alternatives < 1:
        return 1
    return everything_at(room=beta / alternatives, beta=beta, budget=budget)


def everything_at(*, room: Fraction, beta: Fraction, budget: Budget) -> int:
    """The same when one answer is good for a share ``room`` of the alternatives."""
    target = room + budget.lost()
    if 1 - beta <= target:
        return 1

    def records() -> Ball:
        return ball((1 - beta) / target).log() / ball(budget.epsilon)

    # The ceiling of something not above the number: a lower bound rounds down.
    return max(1, ceil(below(records)))


def packed(*, alternatives: int, p: Fraction, beta: Fraction, budget: Budget) -> int:
    """Necessary when ``N`` good sets are disjoint from each other and from the base's."""
    if alternatives < 1:
        return 1
    return spread_out(room=beta / alternatives, p=p, beta=beta, budget=budget)


def spread_out(*, room: Fraction, p: Fraction, beta: Fraction, budget: Budget) -> int:
    """Necessary when one answer is good for a share ``room`` of the alternatives."""
    return _spread_out(target=room + budget.lost(), p=p, beta=beta, epsilon=budget.epsilon)


@lru_cache(maxsize=4096)
def _spread_out(*, target: Fraction, p: Fraction, beta: Fraction, epsilon: Fraction) -> int:
    if not 0 < p < 1 or target >= 1 - beta:
        return 1
    log_scale = below(lambda: -ball(target).log())

    def too_few(n: int) -> bool:
        return (
            n <= _CAP and scaled_phi(n=n, p=p, beta=beta, epsilon=epsilon, log_scale=log_scale) > 1
        )

    return greatest(too_few, least=_first(target=target, beta=beta, epsilon=epsilon)) + 1


def _first(*, target: Fraction, beta: Fraction, epsilon: Fraction) -> int:
    # phi(n) >= (1-beta) exp(-eps n), so this many records are surely too few.
    low = below(lambda: (ball(1 - beta) / ball(target)).log() / ball(epsilon))
    return max(0, floor(low) - 1)


def scaled_phi(
    *, n: int, p: Fraction, beta: Fraction, epsilon: Fraction, log_scale: Fraction
) -> float:
    """Not above ``phi(n) * exp(log_scale)``."""
    window = binomial(n, p)
    kept = without_lowest(window, beta)
    values = fading(log_size=log_scale, rate=epsilon, start=window.start, count=len(window.weights))
    return float(np.dot(kept, np.minimum(values, 1e250))) / SLACK - 1e-200


def without_lowest(window: Window, mass: Fraction) -> Floats:
    """Weights not above the true ones, after ``mass`` is taken from the smallest values."""
    weights = window.weights / SLACK
    total = np.cumsum(weights)
    gone = float_above(mass) * SLACK
    edge = int(np.searchsorted(total, gone, side="right"))
    kept = weights.copy()
    kept[: edge + 1] = 0.0
    if edge < len(kept):
        kept[edge] = max(0.0, float(total[edge]) - gone)
    return kept
