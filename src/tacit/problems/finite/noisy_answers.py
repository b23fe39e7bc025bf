"""Answer questions one by one, each with noise of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from tacit.core import MECHANISMS, BadInput, Claim, Sample, Sampler, Tiny
from tacit.core.numbers import whole
from tacit.mechanisms.calibration import count_scale, one_variance
from tacit.problems.finite.held_counts import Conversation, Opening, Values
from tacit.problems.points.points import Points


@dataclass(frozen=True, slots=True, kw_only=True)
class NoisyAnswers(Opening):
    """Open a conversation of so many questions: each count gets noise of its own.

    Give ``epsilon`` (pure: geometric noise) or ``rho`` (zCDP: discrete Gaussian noise).
    ``reader``  a function that asks; then all that it sees is released, and no conversation.

    Privacy
    -------
    Requires  the number of records is public; a reader gets answers, not the conversation.
    Ensures   everything that any reader gets to see, however questions depend on earlier
              answers, is ``epsilon``-DP, or ``rho``-zCDP, under ``REPLACE_ONE``.
    Proof     Theorem 1 of ``noisy_answers.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.finite.in_turn_upper.noisy_answers``.

    Edge cases
    ----------
    After ``questions`` answers the next question is refused: a public number.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Theorem 1 of noisy_answers.proof.md",
        statement="k counts, each asked for after the earlier answers, are private with noise of "
        "scale k/epsilon, or of variance k/(2 rho)",
        proof="problems/finite/noisy_answers.proof.md",
    )

    questions: int

    def __post_init__(self) -> None:
        Opening.__post_init__(self)
        object.__setattr__(self, "questions", whole(self.questions, name="questions", least=1))

    def noise(self, rng: Sampler) -> int:
        """The noise on one answer."""
        if self.rho is not None:
            return rng.gaussian(one_variance(self.rho / self.questions))
        assert self.epsilon is not None
        each = self.epsilon / self.questions
        return rng.geometric(count_scale(epsilon=each, relation=self.RELATION))

    def opened(self, data: Sample, rng: Sampler) -> Conversation:
        """Counts that nobody has asked for."""
        return Noisy(self, data, rng)


class Noisy(Conversation):
    """Answer with fresh noise; ``history`` has the counts that were told."""

    def __init__(self, rule: NoisyAnswers, data: Sample, rng: Sampler) -> None:
        super().__init__(rule.concepts, data, rng)
        self._rule = rule

    @property
    def asked(self) -> int:
        """How many questions were answered."""
        return len(self.history)

    @property
    def left(self) -> int:
        """How many questions are left."""
        return self._rule.questions - len(self.history)

    def _told(self, wanted: Values, truth: int) -> int:
        del wanted
        if not self.left:
            raise BadInput(f"all {self._rule.questions} questions that were paid for are answered")
        told = int(min(self._n, max(0, truth + self._rule.noise(self._rng))))  # [P3]
        self.history.append(told)
        return told


def follows(history: tuple[int, ...]) -> Values | None:
    """Asks about the first of two values, and then about the one that seems rarer.

    >>> follows((3,)).tolist()
    [False, True]
    """
    if len(history) == 2:
        return None
    first = not history or history[0] < 2
    return np.array([first, not first])


MECHANISMS.add(
    Tiny(
        name="NoisyAnswers",
        make=lambda e: NoisyAnswers(
            concepts=Points(size=2), questions=2, epsilon=e, reader=follows
        ),
        records=(0, 1),
        n=3,
        pairs=(((0,) * 6, (0,) * 5 + (1,)), ((0,) * 3 + (1,) * 3, (0,) * 2 + (1,) * 4)),
        unlabelled=True,
        remark="two questions",
    )
)
