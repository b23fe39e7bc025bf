"""Algorithms, bounds and theorems: a statement tied to the function that computes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from tacit.core.applies import Applies, Speaks
from tacit.core.certify import PLAIN_FACTS, Certifier
from tacit.core.claim import Claim
from tacit.core.concept import ConceptClass
from tacit.core.errors import BadInput
from tacit.core.mechanism import SomeMechanism
from tacit.core.size import Size
from tacit.core.task import Accuracy, Privacy, Task
from tacit.core.tiny import Tiny


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleBound:
    """A number of records, the theorem behind it and what it is made of.

    ``n``        rounded outward: up if it suffices, down-safe if it is necessary.
    ``terms``    named parts, for explanations; the largest one dominates.
    ``printed``  what the paper's own constants give, where it has some.
    ``choices``  parameters that the bound optimised and the algorithm must use.
    ``impossible``  of a lower bound: no number of records suffices; ``n`` is then only what
                    64-bit numbers would need.
    """

    n: int
    claim: Claim
    terms: Mapping[str, float] = field(default_factory=dict)
    printed: int | None = None
    choices: Mapping[str, Any] = field(default_factory=dict)
    impossible: bool = False


def _always(_task: Task) -> str | None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Algorithm:
    """An algorithm, with all that the package knows about it.

    ``applies``                   the tasks it is made for, as data.
    ``bound(task)``               a theorem as a function: records that suffice.
    ``build(task, bound, size)``  the mechanism for so many records, with the parameters
                                  of that bound.
    ``certify(task, outcome)``    what may be said about one release, beyond that theorem.
    ``tiny(algorithm)``           an instance so small that its exact law can be followed:
                                  what the audit and the contract tests run.
    ``runs(task)``                ``None`` if a computer can run it at this size; else why
                                  the theorem is about records only. It is planned, never
                                  chosen.
    ``counts``                    whether it counts a rule's mistakes itself, out of the whole
                                  epsilon; else ``learn`` does, with ``task.count``.
    """

    name: str
    summary: str
    applies: Applies
    claim: Claim
    bound: Callable[[Task], SampleBound]
    build: Callable[[Task, SampleBound, Size], SomeMechanism]
    tiny: Callable[[Algorithm], Tiny]
    certify: Certifier = PLAIN_FACTS
    runs: Callable[[Task], str | None] = _always
    counts: bool = False

    def part(self, task: Task) -> Task:
        """The task without the epsilon that counts mistakes: what this algorithm is planned for."""
        return task if self.counts else task.drawn

    @property
    def goal(self) -> str:
        """What it delivers: ``"learn"`` or ``"sanitize"``."""
        return self.applies.goal

    @property
    def proper(self) -> bool:
        """Whether its answers lie in the class."""
        return self.applies.proper

    @property
    def when(self) -> str:
        """The tasks it is made for, in words."""
        return self.applies.words()

    @property
    def proof(self) -> str | None:
        """The file that proves what it claims, relative to the package."""
        return self.claim.proof

    def instance(self) -> Tiny:
        """Its tiny instance, under its own name."""
        return replace(self.tiny(self), name=self.name)

    def why_not(self, task: Task) -> str | None:
        """Why it cannot do ``task``, in words; ``None`` if it can."""
        return self.applies.refusal(task)

    def too_large(self, task: Task) -> str | None:
        """Why no computer can run it on ``task``, in words; ``None`` if one can."""
        return self.applies.uncounted(task) or self.runs(task)

    def built(self, task: Task, n: int) -> SomeMechanism:
        """The mechanism for ``n`` records of ``task``, its bound computed anew."""
        return self.build(task, self.bound(task), Size(n))

    def whole(self, task: Task, bound: SampleBound, size: Size, *, declared: bool) -> SomeMechanism:
        """The mechanism that is run: the algorithm, and then a count of its rule's mistakes.

        ``task`` is ``task.at(...)`` these records.
        """
        counted = not self.counts and task.count
        learner = self.build(self.part(task), bound, size)
        if not counted:
            return learner
        counting = self.certify.counting(task, learner, size, declared=declared)
        if counting is None:
            raise BadInput(
                f"the rules of the algorithm {self.name!r} have no public prior, so a count of "
                "their mistakes says nothing: use error_share=0"
            )
        return counting

    def __repr__(self) -> str:
        return f"Algorithm({self.name!r}: {self.claim.cite}; applies to {self.when})"


def tiny_task(
    entry: Algorithm,
    small: ConceptClass,
    large: ConceptClass,
    *,
    records: Sequence[Any],
    usual: Any,
    odd: Any,
    n: int = 2,
    large_n: int = 12,
    delta: Fraction = Fraction(0),
    relation: str = "replace-one",
    **more: Any,
) -> Tiny:
    """An algorithm as it is planned: exactly on ``small``, sampled on ``large``.

    ``usual``, ``odd``  two records of the large domain: a data set of the first with one of
                        the second, and a tie that one record breaks, are sampled.
    """

    def built(concepts: ConceptClass, records: int, epsilon: Fraction) -> SomeMechanism:
        privacy = Privacy(epsilon, delta, relation)
        accuracy = Accuracy("0.25", "0.25")
        task = Task(concepts, privacy=privacy, accuracy=accuracy, goal=entry.goal, **more)
        return entry.built(task, records)

    def data(odds: int) -> tuple[Any, ...]:
        return (*[usual] * (large_n - odds), *[odd] * odds)

    half = large_n // 2
    return Tiny(
        make=lambda epsilon: built(small, n, epsilon),
        records=records,
        n=n,
        sampled=lambda epsilon: built(large, large_n, epsilon),
        pairs=((data(0), data(1)), (data(half), data(half + 1))),
        unlabelled=entry.goal == "sanitize",
        order="matters",
        delta=delta or None,
        faint=Fraction(1, 1 << 24),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LowerBound:
    """How many records every algorithm needs.

    ``applies``        the tasks it speaks about, as data.
    ``records(task)``  a theorem as a function; a returned ``n`` means that ``n - 1`` records
                       are not enough for anybody.
    """

    name: str
    applies: Speaks
    claim: Claim
    records: Callable[[Task], SampleBound]

    @property
    def goal(self) -> str:
        """What it bounds: ``"learn"`` or ``"sanitize"``."""
        return self.applies.goal

    @property
    def when(self) -> str:
        """The tasks it applies to, in words."""
        return self.applies.words()

    def why_not(self, task: Task) -> str | None:
        """Why it says nothing about ``task``, in words; ``None`` if it does."""
        return self.applies.refusal(task)

    def __repr__(self) -> str:
        return f"LowerBound({self.name!r}: {self.claim.cite}; applies to {self.when})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Theorem:
    """A bound as a plain function of exact numbers, kept for the documentation.

    ``kind``     ``"upper"`` (suffices), ``"lower"`` (necessary) or ``"fact"``.
    ``setting``  in which setting and relation it speaks, in words.
    ``formula``  the formula, in TeX.
    """

    claim: Claim
    kind: str
    setting: str
    formula: str
    function: Callable[..., object]
