"""One private learner a task, side by side on the same records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, cast

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Approximate,
    BadInput,
    Claim,
    Composed,
    Condition,
    CountsMistakes,
    Event,
    Hypothesis,
    Mechanism,
    Sample,
    SampleBound,
    Sampler,
    Selection,
    Size,
    Task,
    Tasks,
    Tiny,
)
from tacit.core.numbers import whole
from tacit.core.tally import Streamed
from tacit.domains.integers import Integers
from tacit.domains.labels import truths
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.finite.growing_class import Grows
from tacit.problems.points.hashed import HashedPointLearner, tiny_hashed
from tacit.problems.points.points import Points
from tacit.problems.points.tiny_points import SEVERAL, TWO, on_several_points
from tacit.problems.several import direct_sum_upper
from tacit.problems.several import several_upper as multitask
from tacit.problems.several.rules import Rules
from tacit.problems.several.shares import equal_share, share
from tacit.problems.thresholds.thresholds import Thresholds
from tacit.tallies.distinct import Repeated, fits_a_table
from tacit.tallies.labelled import LabelledValues, has_words


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectSum(Mechanism[Sample, Rules]):
    """Run ``learner`` once for each of ``k`` label columns, with fresh randomness.

    Privacy
    -------
    Requires  a record is its features and all its ``k`` labels together.
    Ensures   the composition of ``k`` runs of ``learner``: a record that changes is a
              neighbouring input for each of them. With ``together``, that pair of epsilon and
              delta: each run is one selection of a range that adaptive composition allows.
    Proof     Theorem 1 of ``direct_sum.proof.md``.
    Numerics  exact, as ``learner`` is.

    Utility
    -------
    ``tacit.problems.several.several_upper.direct_sum`` and ``.hashed_points``.

    Edge cases
    ----------
    As ``learner``, task by task.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="BNS19",
        locator="Corollary 34",
        statement="k private learners side by side are private by composition, and all accurate "
        "with probability 1 - beta when each fails with probability beta/k",
        proof="problems/several/direct_sum.proof.md",
    )

    learner: Mechanism[Sample, Hypothesis]
    domain: Integers
    k: int
    together: tuple[Fraction, Fraction] | None = None

    def __post_init__(self) -> None:
        whole(self.k, name="k", least=1)
        if self.together is None:
            return
        epsilon, delta = self.together
        one = self.learner.event()
        most = equal_share(epsilon=epsilon, delta=delta, k=self.k)
        if not isinstance(one, Selection) or one.epsilon > most:
            raise BadInput("each task must be one selection within its share of the budget")

    def event(self) -> Event:
        one = self.learner.event()
        if self.together is not None:  # [P2]
            epsilon, delta = self.together
            return Approximate(epsilon=epsilon, delta=delta, relation=one.relation)
        return Composed(events=(one,) * self.k, relation=one.relation)

    def streams(self, n: int | None) -> bool:
        if not has_words(self.domain):
            return False
        return fits_a_table(n, self.domain.size << self.k) and self.learner.streams(n)

    def _release(self, data: Sample, *, rng: Sampler) -> Rules:
        return Rules(
            rules=tuple(rng.part(self.learner, one) for one in self._each_task(data))  # [P1]
        )

    def _each_task(self, data: Sample | Streamed) -> Iterator[Sample]:
        """The records with the labels of one task after the other."""
        if isinstance(data, Streamed) and has_words(self.domain):
            table = LabelledValues(self.domain, self.k).table(data)
            for task in range(self.k):
                yield cast(Sample, Repeated(table.values, table.labels[:, task], table.counts))
            return
        held = cast(Sample, data)
        # Whole numbers stay when the learner places them again; rows of cells would not.
        x = self.domain.coerce(held.x) if has_words(self.domain) else held.x
        labels = truths(held, self.k)
        for task in range(self.k):
            yield Sample(x, labels[:, task])


def _asked(task: Task) -> dict[str, Any]:
    return task.asked("k", "alpha", "beta", "epsilon", "delta", "relation", "setting")


def _each(task: Task, bound: SampleBound, n: int) -> Fraction:
    """What the theorem asks each selection to spend, or all there is if ``n`` is too small."""
    if n >= bound.n:
        asked: Fraction = bound.choices["epsilon"]
        return asked
    privacy = task.privacy
    return equal_share(epsilon=privacy.epsilon, delta=privacy.delta, k=task.k)


def _together(task: Task, each: Fraction) -> tuple[Fraction, Fraction] | None:
    """The whole budget, where only adaptive composition lets each task spend so much of it."""
    privacy = task.privacy
    added = share(epsilon=privacy.epsilon, delta=privacy.delta, k=task.k)
    return (privacy.epsilon, privacy.delta) if each > added else None


def _proper_bound(task: Task) -> SampleBound:
    size, asked = task.concept_class.size or 0, _asked(task)
    found = [multitask.direct_sum(size=size, **asked)]
    if isinstance(task.concept_class, Thresholds):
        found.append(direct_sum_upper.several_thresholds(size=size, **asked))
    elif isinstance(task.concept_class, Grows) and asked.pop("setting") == "agnostic":
        growth = task.concept_class.log_growth
        found.append(direct_sum_upper.several_growing(size=size, log_growth=growth, **asked))
    return min(found, key=lambda bound: bound.n)


def _proper(task: Task, bound: SampleBound, size: Size) -> DirectSum:
    each = _each(task, bound, size.n)
    learner = FiniteClassLearner(
        concept_class=task.concept_class, epsilon=each, relation=task.privacy.relation
    )
    domain = task.concept_class.domain
    return DirectSum(learner=learner, domain=domain, k=task.k, together=_together(task, each))


def _hashed_bound(task: Task) -> SampleBound:
    return multitask.hashed_points(**_asked(task))


def _hashed(task: Task, bound: SampleBound, size: Size) -> DirectSum:
    domain, each = task.concept_class.domain, _each(task, bound, size.n)
    learner = HashedPointLearner(
        domain=domain,
        bits=bound.choices["bits"],
        hashes=bound.choices["hashes"],
        epsilon=each,
        relation=task.privacy.relation,
    )
    return DirectSum(learner=learner, domain=domain, k=task.k, together=_together(task, each))


_NO_TABLE = Condition(
    "no delta and no count of mistakes, where rules are over a table",
    lambda task: (
        not isinstance(task.concept_class, CountsMistakes)
        or not (task.privacy.delta or task.several_share)
    ),
    "leaves labels of a table to what counts their mistakes",
)

DIRECT_SUM = ALGORITHMS.add(
    Algorithm(
        name="direct-sum",
        summary="one selection a task; the budget is shared by the better of two compositions",
        applies=Applies(proper=True, tasks=Tasks.SEVERAL, further=(_NO_TABLE,)),
        claim=multitask.BNS_34,
        bound=_proper_bound,
        build=_proper,
        tiny=on_several_points,
    )
)


def _tiny_hashed(entry: Algorithm) -> Tiny:
    return on_several_points(entry).exactly(
        lambda e: DirectSum(learner=tiny_hashed(e / 2), domain=TWO, k=2), records=SEVERAL, n=2
    )


DIRECT_SUM_HASHED = ALGORITHMS.add(
    Algorithm(
        name="direct-sum-hashed-points",
        summary="one hashed selection a task; records do not grow with the domain",
        applies=Applies(proper=False, classes=(Points,), tasks=Tasks.SEVERAL),
        claim=multitask.BNS_33,
        bound=_hashed_bound,
        build=_hashed,
        tiny=_tiny_hashed,
    )
)
