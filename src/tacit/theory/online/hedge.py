"""Weighted experts: conservative Hedge for mistakes, randomised Hedge for regret.

Weights are powers of one rational, held as how often each expert was wrong; a vote is
counted in whole numbers, so no rounding ever decides a prediction.
"""

from __future__ import annotations

from fractions import Fraction
from math import exp, sqrt
from math import log as float_log

import numpy as np

from tacit.bounds.tails import float_above
from tacit.core import BadInput, Claim, Rng, theorem
from tacit.core.numbers import Number, probability, whole
from tacit.exact.balls import Ball, above, ball
from tacit.exact.entropy import SYSTEM
from tacit.theory.online.panels import Members, Panel, Votes, panel

_PROOF = "theory/online/hedge.proof.md"
_GRID = 256  # learning rates are multiples of 1/_GRID
THREE_EIGHTHS = Fraction(3, 8)

CONSERVATIVE = Claim(
    paper="B20",
    locator="Section 3.6",
    statement="if some mixture of N experts is wrong with weight at most q < 1/2 at every point, "
    "conservative Hedge makes at most ln N / KL(q, 1/2) mistakes, which is below 32 ln N "
    "for q = 3/8; constants ours",
    proof=_PROOF,
)
REGRET = Claim(
    paper="B20",
    locator="Section 3.6",
    statement="Hedge's expected mistakes in T rounds exceed those of the best of N experts by "
    "at most ln N / r + r T / 8 for its rate r; constants ours",
    proof=_PROOF,
)


def _edge(wrong: Number) -> Fraction:
    share = probability(wrong, name="wrong", zero="allowed")
    if 2 * share >= 1:
        raise BadInput("wrong must be below 1/2: experts that are right less often teach nothing")
    return share


def _divergence(share: Fraction) -> Ball:
    """``KL(share, 1/2)``, which is ``ln 2`` minus the entropy of ``share``."""
    if share == 0:
        return ball(2).log()
    rest = 1 - share
    return ball(2).log() + ball(share) * ball(share).log() + ball(rest) * ball(rest).log()


@theorem(
    CONSERVATIVE,
    kind="upper",
    setting="mistakes, every adversary; a mixture errs with weight at most q everywhere",
    formula=r"M \le \frac{\ln N}{\mathrm{KL}(q \,\|\, 1/2)} \le \frac{\ln N}{2 (1/2 - q)^2}",
)
def mistake_bound(*, experts: int, wrong: Number = THREE_EIGHTHS) -> int:
    """Mistakes that conservative Hedge cannot exceed.

    >>> mistake_bound(experts=1000), mistake_bound(experts=1000, wrong=0)
    (218, 9)
    """
    count = whole(experts, name="experts", least=1)
    share = _edge(wrong)
    if share == 0:
        return count.bit_length() - 1  # floor(ln N / ln 2), exactly
    return int(above(lambda: ball(count).log() / _divergence(share)) // 1)


@theorem(
    REGRET,
    kind="upper",
    setting="expected regret in T rounds, every oblivious or adaptive adversary, agnostic",
    formula=r"E[R_T] \le \frac{\ln N}{r} + \frac{r T}{8}, \quad r = -\ln b",
)
def regret_bound(*, experts: int, rounds: int, factor: Fraction | None = None) -> float:
    """Expected mistakes of ``Hedge`` beyond the best expert's, rounded up.

    >>> round(regret_bound(experts=100, rounds=1000), 2)
    47.99
    """
    count = whole(experts, name="experts", least=1)
    length = whole(rounds, name="rounds", least=1)
    b = rate_factor(experts=count, rounds=length) if factor is None else factor

    def total() -> Ball:
        rate = -ball(b).log()
        return ball(count).log() / rate + rate * length / 8

    return float_above(above(total))


def rate_factor(*, experts: int, rounds: int) -> Fraction:
    """A short rational near ``exp(-sqrt(8 ln N / T))``, the factor of the least bound."""
    ideal = exp(-sqrt(8 * float_log(max(2, experts)) / rounds))
    return Fraction(min(_GRID - 1, max(1, round(_GRID * ideal))), _GRID)


class _Weighted:
    """Experts with weight ``factor ** (times wrong)``."""

    def __init__(self, experts: object, factor: Fraction) -> None:
        self._panel: Panel = panel(experts)
        self._everyone: Members = np.arange(self._panel.size)
        self._wrong = np.zeros(self._panel.size, dtype=np.int64)
        self._factor = factor

    @property
    def size(self) -> int:
        """How many experts there are."""
        return self._panel.size

    def _votes(self, point: object) -> Votes:
        return self._panel.votes(point, self._everyone)

    def chance(self, point: object) -> Fraction:
        """The share of the weight that votes 1, exactly."""
        votes = self._votes(point)
        # Only ratios matter, so the best expert's weight is 1; it is never 0, whatever the factor.
        late = self._wrong - self._wrong.min()
        levels = int(late.max()) + 1
        ones = _weight(np.bincount(late[votes], minlength=levels).tolist(), self._factor)
        everyone = _weight(np.bincount(late, minlength=levels).tolist(), self._factor)
        return Fraction(ones, everyone)

    def _blame(self, point: object, label: int) -> None:
        self._wrong = self._wrong + (self._votes(point) != bool(label))


def _weight(counts: list[int], factor: Fraction) -> int:
    """``sum_l counts[l] factor**l``, times the denominator to the highest power."""
    total, scale = 0, 1
    for count in reversed(counts):
        total = total * factor.numerator + count * scale
        scale *= factor.denominator
    return total


class ConservativeHedge(_Weighted):
    """Predict the weighted majority; blame the wrong experts only after a mistake.

    Requires  some mixture of the experts is wrong with weight at most ``wrong`` on every
              labelled point of the game (``wrong = 0``: one expert is always right).
    Ensures   at most ``bound`` mistakes, against every adversary.
    Proof     Theorem 2 of ``hedge.proof.md``.

    The factor is ``q / (1 - q)`` for ``q = wrong``; a tie predicts 1. Without the
    requirement it is still total, and Theorem 2 bounds it by the best expert's mistakes.
    """

    def __init__(self, experts: Panel | object, *, wrong: Number = THREE_EIGHTHS) -> None:
        share = _edge(wrong)
        super().__init__(experts, share / (1 - share))
        self.bound = mistake_bound(experts=self.size, wrong=share)

    def predict(self, point: object) -> int:
        return int(2 * self.chance(point) >= 1)  # [P1]

    def learn(self, point: object, label: int) -> None:
        if self.predict(point) != label:
            self._blame(point, label)  # [P2]


class Hedge(_Weighted):
    """Follow an expert drawn by weight; blame the wrong ones after every round.

    Ensures   expected mistakes in ``rounds`` rounds are at most ``bound`` above those of the
              best expert, whatever the labels.
    Proof     Theorem 3 of ``hedge.proof.md``.
    """

    def __init__(self, experts: object, *, rounds: int, rng: Rng = SYSTEM) -> None:
        given: Panel = panel(experts)
        super().__init__(given, rate_factor(experts=given.size, rounds=rounds))
        self.bound = regret_bound(experts=self.size, rounds=rounds, factor=self._factor)
        self._rng = rng

    def predict(self, point: object) -> int:
        share = self.chance(point)
        return int(self._rng.below(share.denominator) < share.numerator)  # [P3]

    def learn(self, point: object, label: int) -> None:
        self._blame(point, label)  # [P4]
