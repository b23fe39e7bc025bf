"""FX14 Theorem 12, repaired: lines modulo a prime, with a number of records free of the prime."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Claim,
    Event,
    Hypothesis,
    Mechanism,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Size,
    Task,
    Tiny,
    tiny_task,
)
from tacit.core.tiny import DELTA, divided
from tacit.domains.labels import truth
from tacit.domains.plane import Plane
from tacit.mechanisms.boosting import BoostConfidence, Stage
from tacit.mechanisms.shuffled import Shuffled
from tacit.mechanisms.stable_mode import StableMode, Vote
from tacit.problems.finite.constant import NEVER
from tacit.problems.finite.listed_rules import ListedRules
from tacit.problems.finite.reasons import IN_PARTS
from tacit.problems.finite.staged import last_epsilon, share
from tacit.problems.lines import lines_upper as bounds
from tacit.problems.lines.lines import LineRule, Lines, PairRule

ZERO: Vote = (0,)
UNDECIDED: Vote = (3,)
"""Votes: nothing is 1; ``(1, x, y)`` one pair is; ``(2, a, b)`` a line; no line fits."""


def vote_of(plane: Plane, block: Sample) -> Vote:
    """The basic learner: the simplest rule that a block of records points to. Total."""
    cells = plane.coerce(block.x)
    labels = truth(block)
    p = plane.p
    ones = sorted(divmod(int(cell), p) for cell in set(cells[labels].tolist()))
    if not ones:
        return ZERO
    if len(ones) == 1:
        return (1, *ones[0])
    (x0, y0), (x1, y1) = ones[:2]
    if x0 == x1:
        return UNDECIDED
    slope = (y1 - y0) * pow(x1 - x0, -1, p) % p
    offset = (y0 - slope * x0) % p
    zeros = (divmod(int(cell), p) for cell in set(cells[~labels].tolist()))
    fits = all((slope * x + offset - y) % p == 0 for x, y in ones)
    if not fits or any((slope * x + offset - y) % p == 0 for x, y in zeros):
        return UNDECIDED
    return (2, slope, offset)


def rule_of(plane: Plane, vote: Vote) -> Hypothesis:
    """The rule that a vote stands for."""
    match vote:
        case (1, x, y):
            return PairRule(domain=plane, x=x, y=y)
        case (2, slope, offset):
            return LineRule(domain=plane, slope=slope, offset=offset)
        case _:
            return NEVER


@dataclass(frozen=True, slots=True, kw_only=True)
class LineLearner(Mechanism[Sample, Hypothesis]):
    """Stable modes of blocks of six sizes, on disjoint records; the rest selects one.

    Privacy
    -------
    Requires  the number of records is public.
    Ensures   ``(epsilon, delta)``-DP for the substitution of one record.
    Proof     Theorem 1 of ``line_learner.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.lines.lines_upper``: FX14 Theorem 12.

    Edge cases
    ----------
    Records that no line explains: blocks vote "undecided", which is released as 0.
    """

    CLAIM: ClassVar[Claim] = bounds.THEOREM_12

    domain: Plane
    blocks: int
    block_size: int
    epsilon: Fraction
    delta: Fraction
    selection_epsilon: Fraction

    def _vote(self, block: Sample) -> Vote:
        return vote_of(self.domain, block)

    def _gather(self, found: tuple[Any, ...]) -> ListedRules:
        return ListedRules(self.domain, tuple(rule_of(self.domain, vote) for vote in found))

    def _boosted(self) -> BoostConfidence:
        stages = []
        for doubling in range(bounds.DOUBLINGS):
            size = self.block_size << doubling
            mode = StableMode(
                vote=self._vote,
                blocks=self.blocks,
                block_size=size,
                otherwise=ZERO,
                epsilon=self.epsilon,
                delta=self.delta,
            )
            stages.append(Stage(mechanism=mode, records=self.blocks * size))
        return BoostConfidence(
            stages=tuple(stages), gather=self._gather, epsilon=self.selection_epsilon
        )

    def event(self) -> Event:
        return self._boosted().event()

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        cells = np.asarray(self.domain.coerce(data.x))  # [P1]
        placed = Sample(cells, truth(data))
        return rng.part(self._boosted(), placed)  # [P2]


def _samples(task: Task) -> SampleBound:
    return bounds.lines(
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
        delta=task.privacy.delta,
    )


def _mechanism(task: Task, bound: SampleBound, size: Size) -> Shuffled[Hypothesis]:
    choices = bound.choices
    learner = LineLearner(
        domain=task.concept_class.domain,
        blocks=choices["blocks"],
        block_size=max(1, share(bound, choices["block_size"], size.n)),
        epsilon=task.privacy.epsilon,
        delta=task.privacy.delta,
        selection_epsilon=last_epsilon(task, bound, size.n),
    )
    return Shuffled(inner=learner, domain=task.concept_class.domain)


def _tiny(entry: Algorithm) -> Tiny:
    blocks = 9
    here, there, no = ((0, 0), 1), ((1, 1), 1), ((0, 1), 0)
    later = [no] * (62 * blocks) + [here] * 12
    larger = tiny_task(
        entry,
        Lines(size=2),
        Lines(size=5),
        records=(),
        usual=((1, 2), 1),
        odd=((3, 3), 1),
        delta=DELTA,
    )
    return larger.exactly(
        lambda e: LineLearner(
            domain=Plane(size=2),
            blocks=blocks,
            block_size=1,
            epsilon=e,
            delta=DELTA,
            selection_epsilon=e,
        ),
        records=[here, there, no],
        n=63 * blocks + 12,
        order="matters",
        only=divided(here, there, n=blocks, at=range(5, blocks + 1), rest=later),
    )


LINES = ALGORITHMS.add(
    Algorithm(
        name="lines",
        summary="stable modes of blocks of six sizes; records do not grow with the prime",
        applies=Applies(
            proper=False,
            classes=(Lines,),
            settings=("realizable",),
            relations=(Relation.REPLACE_ONE, Relation.LABEL),
            because=IN_PARTS,
            delta=True,
        ),
        claim=bounds.THEOREM_12,
        bound=_samples,
        build=_mechanism,
        tiny=_tiny,
    )
)
