"""Answer questions one by one: weights that are corrected where a noisy test finds them wrong."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from tacit.core import MECHANISMS, Claim, Sample, Sampler, Tiny
from tacit.core.numbers import positive, probability, whole
from tacit.core.tiny import COARSE
from tacit.mechanisms.calibration import firing_scales
from tacit.problems.finite.held_counts import Conversation, Opening, Values
from tacit.problems.points.points import Points

_CLAIM = Claim(
    paper="BNS19",
    locator="Theorem 25",
    statement="multiplicative weights that answer any number of questions as they come: only tests "
    "that find an error cost privacy, and there are so many at most; constants ours",
    proof="problems/finite/in_turn.proof.md",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class InTurn(Opening):
    """Open a conversation: questions of a reader are answered as they come.

    Weights over the domain answer every question. Two tests with noise, one in each direction,
    say whether the answer is wrong by about ``threshold`` records; if so, the weights are
    corrected by ``step`` and the question is tested again. After ``corrections`` corrections
    the records are not looked at any more.

    ``share``  the part of the budget that pays for the noise on the threshold. Give ``epsilon``
    (pure: one noisy threshold for all) or ``rho`` (zCDP: a fresh one after each correction).
    ``reader``  a function that asks; then all that it sees is released, and no conversation.

    Privacy
    -------
    Requires  the number of records is public; a reader gets answers, not the conversation.
    Ensures   everything that any reader gets to see, however many questions are asked and
              however they depend on earlier answers, is ``epsilon``-DP, or ``rho``-zCDP, under
              ``REPLACE_ONE``.
    Proof     Theorem 1 of ``in_turn.proof.md``.
    Numerics  noise is exact. The weights are floats: they are made from what was answered.

    Utility
    -------
    ``tacit.problems.finite.in_turn_upper.in_turn``.

    Edge cases
    ----------
    No records: every answer is 0, and noise alone decides about corrections.
    """

    CLAIM: ClassVar[Claim] = _CLAIM

    corrections: int
    threshold: int
    step: Fraction
    share: Fraction = Fraction(1, 2)

    def __post_init__(self) -> None:
        Opening.__post_init__(self)
        object.__setattr__(
            self, "corrections", whole(self.corrections, name="corrections", least=0)
        )
        object.__setattr__(self, "threshold", whole(self.threshold, name="threshold", least=1))
        object.__setattr__(self, "step", positive(self.step, name="step"))
        object.__setattr__(self, "share", probability(self.share, name="share"))

    @property
    def scales(self) -> tuple[Fraction, Fraction]:
        """The scale of the noise on the threshold, and on each test."""
        return firing_scales(self.corrections, self.share, epsilon=self.epsilon, rho=self.rho)

    def opened(self, data: Sample, rng: Sampler) -> Conversation:
        """Weights that nothing has corrected."""
        return Corrected(self, data, rng)


class Corrected(Conversation):
    """Answer by weights, corrected where a noisy test finds them wrong.

    ``history`` has 1 or -1 for a correction upwards or downwards, 0 for an answer.
    """

    def __init__(self, rule: InTurn, data: Sample, rng: Sampler) -> None:
        super().__init__(rule.concepts, data, rng)
        self._rule, self._scales, self._left = rule, rule.scales, rule.corrections
        self._moved = np.zeros(len(self._counts), dtype=np.int64)
        self._weights = np.full(len(self._counts), 1 / len(self._counts))
        self._bar = self._noisy_threshold()

    @property
    def asked(self) -> int:
        """How many questions were answered."""
        return len(self.history) - (self._rule.corrections - self._left)

    @property
    def left(self) -> int:
        """How many corrections are left."""
        return self._left

    def _told(self, wanted: Values, truth: int) -> int:
        while True:
            share = float(self._weights[wanted].sum())
            held = min(self._n, math.floor(self._n * share + 0.5))
            sign = self._tested(truth - held)
            self.history.append(sign)
            if not sign:
                return held
            self._correct(wanted, sign)

    def _tested(self, error: int) -> int:
        """1 or -1 where the answer seems too low or too high by the threshold, else 0."""
        if not self._left:
            return 0  # [P3]
        for sign in (1, -1):
            if self._rng.geometric(self._scales[1]) + sign * error >= self._bar:  # [P4]
                self._left -= 1
                return sign
        return 0

    def _correct(self, wanted: Values, sign: int) -> None:
        self._moved[wanted] += sign
        weights = np.exp(float(self._rule.step) * (self._moved - self._moved.max()))
        self._weights = weights / weights.sum()
        if self._rule.rho is not None:
            self._bar = self._noisy_threshold()

    def _noisy_threshold(self) -> int:
        return self._rng.geometric(self._scales[0]) + self._rule.threshold  # [P5]


def twice_then_other(history: tuple[int, ...]) -> Values | None:
    """Asks about the first of two values twice and about the other once; stops when corrected.

    >>> twice_then_other((0,)).tolist(), twice_then_other((0, 0)).tolist()
    ([True, False], [False, True])
    """
    if any(history) or len(history) > 2:
        return None
    return np.array([len(history) < 2, len(history) == 2])


MECHANISMS.add(
    Tiny(
        name="InTurn",
        make=lambda e: InTurn(
            concepts=Points(size=2),
            corrections=1,
            threshold=1,
            step=Fraction(2),
            share=Fraction(1, 4),
            epsilon=e,
            reader=twice_then_other,
        ),
        records=(0, 1),
        n=6,
        pairs=(((0,) * 6, (0,) * 5 + (1,)), ((0,) * 3 + (1,) * 3, (0,) * 2 + (1,) * 4)),
        unlabelled=True,
        faint=COARSE,
        remark="three questions, one correction",
    )
)
