"""Learn a parity efficiently: by votes of blocks, or by solving a secret subsample."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from tacit.bounds.upper import selection
from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    BadInput,
    Claim,
    Condition,
    Event,
    Hypothesis,
    Mechanism,
    Pure,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Size,
    Task,
    Tiny,
)
from tacit.core.numbers import positive, whole
from tacit.core.tiny import DELTA, labelled
from tacit.domains.bits import Bits
from tacit.domains.integers import Integers
from tacit.domains.labels import truth
from tacit.exact.landscape import Flat
from tacit.mechanisms.calibration import giving_up, subsample_rate
from tacit.mechanisms.gap_test import GapTest
from tacit.mechanisms.shuffled import Shuffled
from tacit.problems.finite.finite_class import learner_for
from tacit.problems.finite.reasons import IN_PARTS
from tacit.problems.parities import parities_upper as bounds
from tacit.problems.parities.linear import solve, solve_at_random
from tacit.problems.parities.parities import Parities, ParityRule, odd
from tacit.problems.parities.tiny_parities import on_parities
from tacit.problems.points.frequent_item import Counts
from tacit.problems.tables.drawn import DRAWN


def _by_index(relation: Relation) -> Relation:
    relation = Relation.read(relation)
    if relation is Relation.ADD_REMOVE:
        raise BadInput("records are split by their position: use REPLACE_ONE or LABEL")
    return relation


def _equations(data: Sample, domain: Bits) -> tuple[Any, Any]:
    return domain.coerce(data.x), truth(data)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParityVotes(Mechanism[Sample, Hypothesis]):
    """Each block of ``rows`` records votes for the parity that it determines, if any.

    Privacy
    -------
    Requires  records are split into blocks by position.
    Ensures   ``(epsilon, delta)``-DP under ``REPLACE_ONE`` and ``LABEL``.
    Proof     Theorem 1 of ``parity_learner.proof.md``.
    Numerics  exact.

    Utility
    -------
    ``tacit.problems.parities.parities_upper.block_votes``, under the uniform marginal.

    Edge cases
    ----------
    Blocks that are short, unsolvable or have several solutions do not vote. Without a
    clear winner: the empty parity, which is always 0.
    """

    CLAIM: ClassVar[Claim] = bounds.VOTES

    domain: Bits
    rows: int
    blocks: int
    epsilon: Fraction
    delta: Fraction
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        whole(self.rows, name="rows", least=1)
        whole(self.blocks, name="blocks", least=1)
        object.__setattr__(self, "relation", _by_index(self.relation))

    def _test(self) -> GapTest[Any]:
        return GapTest(
            score=Counts(Integers(size=self.domain.size)),
            epsilon=self.epsilon,
            delta=self.delta,
            relation=self.relation,
        )

    def event(self) -> Event:
        return self._test().event()

    def votes(self, data: Sample) -> list[int]:
        """The parities that blocks determine, in the order of the blocks."""
        x, y = _equations(data, self.domain)
        starts = range(0, self.rows * self.blocks, self.rows)
        solved = [
            solve(x[start : start + self.rows], y[start : start + self.rows], self.domain.columns)
            for start in starts
        ]
        return [vote.solution for vote in solved if vote is not None and not vote.free]

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        votes = np.array(self.votes(data), dtype=object)  # [P1]
        mask = rng.part(self._test(), votes)  # [P2]
        return ParityRule(domain=self.domain, mask=mask or 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParityElimination(Mechanism[Sample, Hypothesis]):
    """Solve the equations of secret subsamples, then select among the solutions.

    Each of ``tries`` blocks of ``block`` records keeps every record with probability
    ``tanh(epsilon/2)`` and draws a solution of the kept equations uniformly; it gives up
    if there is none, and anyway with probability ``1/(e^epsilon + 2)``. The remaining
    records choose among the solutions by their mistakes.

    Privacy
    -------
    Requires  records are split by position.
    Ensures   ``epsilon``-DP under ``REPLACE_ONE`` and ``LABEL``.
    Proof     Theorem 3 of ``parity_learner.proof.md``.
    Numerics  exact; the two probabilities are rationals rounded to the safe side.

    Utility
    -------
    ``tacit.problems.parities.parities_upper.elimination``, for every marginal.

    Edge cases
    ----------
    All tries give up: the empty parity, which is always 0.
    """

    CLAIM: ClassVar[Claim] = bounds.ELIMINATION

    domain: Bits
    tries: int
    block: int
    epsilon: Fraction
    epsilon_choice: Fraction
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        epsilon = positive(self.epsilon, name="epsilon")
        object.__setattr__(self, "epsilon", epsilon)
        if positive(self.epsilon_choice, name="epsilon_choice") > epsilon:
            raise BadInput("epsilon_choice must be at most epsilon")
        whole(self.tries, name="tries", least=1)
        whole(self.block, name="block", least=1)
        object.__setattr__(self, "relation", _by_index(self.relation))

    def event(self) -> Event:
        return Pure(epsilon=self.epsilon, relation=self.relation)

    def attempt(self, x: Any, y: Any, *, rng: Sampler) -> int | None:
        """One try on one block: a parity, or ``None``."""
        if rng.coin(giving_up(self.epsilon)):  # [P3]
            return None
        rate = subsample_rate(self.epsilon)
        kept = rng.coins(rate, len(x))  # [P4]
        return solve_at_random(x[kept], y[kept], self.domain.columns, rng=rng)  # [P5]

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        x, y = _equations(data, self.domain)
        masks: set[int] = set()
        for start in range(0, self.tries * self.block, self.block):
            stop = start + self.block
            mask = self.attempt(x[start:stop], y[start:stop], rng=rng)
            masks |= {mask} if mask is not None else set()
        candidates = sorted(masks)
        if not candidates:
            return ParityRule(domain=self.domain, mask=0)
        rest = self.tries * self.block
        mistakes = [_mistakes(x[rest:], y[rest:], mask) for mask in candidates]
        flat = Flat(errors=np.array(mistakes, dtype=np.int64))
        levels = flat.levels()
        level = rng.level(levels, rate=self.epsilon_choice / 2)  # [P6]
        chosen = flat.member(int(levels.errors[level]), rng.below(int(levels.counts[level])))
        return ParityRule(domain=self.domain, mask=candidates[chosen])


def _mistakes(x: Any, y: Any, mask: int) -> int:
    return int(np.count_nonzero(odd(x & (mask if x.dtype == object else np.uint64(mask))) != y))


def _votes_bound(task: Task) -> SampleBound:
    return bounds.block_votes(
        bits=task.concept_class.domain.columns,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
        delta=task.privacy.delta,
    )


def _elimination_bound(task: Task) -> SampleBound:
    return bounds.elimination(
        bits=task.concept_class.domain.columns,
        alpha=task.accuracy.alpha,
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
        marginal="uniform" if task.marginal == "uniform" else "any",
    )


def _listed_bound(task: Task) -> SampleBound:
    # Under the uniform marginal every wrong parity errs on half of the points.
    return selection.realizable(
        size=task.concept_class.size or 0,
        alpha=Fraction(1, 2),
        beta=task.accuracy.beta,
        epsilon=task.privacy.epsilon,
        relation=task.privacy.relation,
        selector="permute-and-flip",
    )


def _votes(task: Task, bound: SampleBound, _size: Size) -> Shuffled[Hypothesis]:
    learner = ParityVotes(
        domain=task.concept_class.domain,
        epsilon=task.privacy.epsilon,
        delta=task.privacy.delta,
        relation=task.privacy.relation,
        **bound.choices,
    )
    return Shuffled(inner=learner, domain=learner.domain)


def _elimination(task: Task, bound: SampleBound, _size: Size) -> Shuffled[Hypothesis]:
    learner = ParityElimination(
        domain=task.concept_class.domain,
        epsilon=task.privacy.epsilon,
        relation=task.privacy.relation,
        **bound.choices,
    )
    return Shuffled(inner=learner, domain=learner.domain)


def _tiny_elimination(entry: Algorithm) -> Tiny:
    """Without the random order, which is followed where it is proved."""
    whole_task = on_parities(entry)
    return replace(whole_task, make=lambda e: _inner(whole_task.make(e)))


def _inner(made: Mechanism[Any, Any]) -> Mechanism[Any, Any]:
    assert isinstance(made, Shuffled)
    return made.inner


def _tiny(entry: Algorithm) -> Tiny:
    return on_parities(entry, delta=DELTA).exactly(
        lambda e: ParityVotes(domain=Bits(columns=1), rows=1, blocks=9, epsilon=e, delta=DELTA),
        records=labelled([(1,)]),
        n=9,
    )


VOTES = ALGORITHMS.add(
    Algorithm(
        name="parity-votes",
        summary="blocks solve for the parity and vote; a gap test believes a clear winner",
        applies=Applies(
            proper=True,
            classes=(Parities,),
            settings=("realizable",),
            relations=(Relation.REPLACE_ONE, Relation.LABEL),
            because=IN_PARTS,
            delta=True,
            uniform=True,
        ),
        claim=bounds.VOTES,
        bound=_votes_bound,
        build=_votes,
        tiny=_tiny,
    )
)
ELIMINATION = ALGORITHMS.add(
    Algorithm(
        name="parity-elimination",
        summary="solve the equations of secret subsamples, then select a solution; pure",
        applies=Applies(
            proper=True,
            classes=(Parities,),
            settings=("realizable",),
            relations=(Relation.REPLACE_ONE, Relation.LABEL),
            because=IN_PARTS,
        ),
        claim=bounds.ELIMINATION,
        bound=_elimination_bound,
        build=_elimination,
        tiny=_tiny_elimination,
    )
)
LISTED = ALGORITHMS.add(
    Algorithm(
        name="parity-selection",
        summary="permute-and-flip over all parities, whose mistakes one transform counts",
        applies=Applies(
            proper=True,
            classes=(Parities,),
            settings=("realizable",),
            uniform=True,
            further=(
                Condition(
                    "few enough parities to list them all",
                    lambda task: (
                        isinstance(task.concept_class, Parities)
                        and task.concept_class.too_many is None
                    ),
                    says=lambda _task: "lists all parities, and there are too many",
                ),
            ),
        ),
        claim=selection.REALIZABLE,
        bound=_listed_bound,
        build=lambda task, bound, size: learner_for(task, bound, size.n),
        certify=DRAWN,
        tiny=on_parities,
    )
)
