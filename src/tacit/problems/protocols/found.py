"""Learn with what ``tacit dims`` found: a representation or a protocol of a listed class."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    BadInput,
    Claim,
    ConceptClass,
    SampleBound,
    Sampler,
    Size,
    Task,
    Tiny,
    tiny_task,
)
from tacit.core.tiny import labelled
from tacit.domains.integers import Integers
from tacit.exact.arrays import Placed
from tacit.problems.finite.finite_class import epsilon_to_spend
from tacit.problems.finite.listed import Table, TableRule
from tacit.problems.protocols import found_upper as bounds
from tacit.problems.protocols.one_way_protocols import Protocol
from tacit.problems.protocols.protocol import ProtocolLearner
from tacit.problems.thresholds.thresholds import label_histogram
from tacit.theory.dimensions.checks import why_not
from tacit.theory.dimensions.conversions import deterministic_from_private
from tacit.theory.dimensions.measured import Measured
from tacit.theory.dimensions.witnesses import (
    PrivateProtocol,
    PublicProtocol,
    RandomRepresentation,
    Representation,
    Witness,
)

Rows = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Represented:
    """A listed class with a representation or protocol of it, checked when it is named.

    ``found``  what ``tacit.dimensions.representation`` or ``.communication`` returned, or the
               witness in it. Rules may lie outside the class.
    """

    base: Table
    found: Representation | RandomRepresentation | PublicProtocol
    name: ClassVar[str] = "represented"

    def __init__(self, base: ConceptClass, found: Witness | Measured) -> None:
        if not isinstance(base, Table):
            raise BadInput("a representation serves a listed class: Table(matrix)")
        shown = found
        if isinstance(shown, Measured):
            shown = _best(shown)
        reason = why_not(shown, base)
        if reason is not None:
            raise BadInput(f"this witness does not fit the class: {reason}")
        if isinstance(shown, PrivateProtocol):
            shown = deterministic_from_private(shown, base)
        if not isinstance(shown, (Representation, RandomRepresentation, PublicProtocol)):
            raise BadInput("learning needs a representation or a protocol, not a lower bound")
        object.__setattr__(self, "base", base)
        object.__setattr__(self, "found", shown)

    @property
    def size(self) -> int:
        return self.base.size

    @property
    def domain(self) -> Integers:
        return self.base.domain

    @classmethod
    def tiny(cls) -> Self:
        """A small instance, for tests and demonstrations: two constants represent a coin."""
        from tacit.theory.dimensions.deterministic import itself
        from tacit.theory.dimensions.incidence import read

        table = Table(np.eye(2, dtype=bool))
        return cls(table, itself(read(table), alpha=Fraction(1, 8)))

    def describe(self) -> str:
        return f"{self.base.describe()}, with {self.found.says()}"

    def sets(self) -> tuple[tuple[Rows, ...], tuple[Fraction, ...]]:
        """The sets of hypotheses that the public coins choose from, and their chances."""
        match self.found:
            case Representation():
                return (self.found.hypotheses,), (Fraction(1),)
            case RandomRepresentation():
                return self.found.sets, self.found.chances
            case _:
                return self.found.bob, self.found.chances

    @property
    def strength(self) -> tuple[Fraction, Fraction, int]:
        """The error that some hypothesis of the set does not exceed, how often there is none,
        and how many there are; of a protocol the second is how often Bob errs.
        """
        sets, _ = self.sets()
        count = max(len(part) for part in sets)
        match self.found:
            case Representation():
                return self.found.alpha, Fraction(0), count
            case RandomRepresentation():
                return self.found.alpha, self.found.beta, count
            case _:
                return Fraction(1), self.found.error, count


def _best(found: Measured) -> Witness:
    upper = [one for one in found.witnesses if one.side == "upper"]
    if not upper:
        raise BadInput(f"no representation or protocol was found, only bounds: {found}")
    return upper[0]


@dataclass(frozen=True, slots=True)
class Majorities(Protocol):
    """Majorities of ``runs`` hypotheses, one of each of ``runs`` sets that the coins choose."""

    represented: Represented
    runs: int

    @property
    def domain(self) -> Integers:
        return self.represented.domain

    @property
    def messages(self) -> int:
        return int(self._each**self.runs)

    @property
    def _each(self) -> int:
        return self.represented.strength[2]

    @property
    def error(self) -> Fraction:
        rho, miss, _ = self.represented.strength
        one = miss if rho == 1 else rho + miss - rho * miss
        return bounds.majority_error(runs=self.runs, error=one)

    def coins(self, rng: Sampler) -> tuple[int, ...]:
        _, chances = self.represented.sets()
        whole = lcm(*(chance.denominator for chance in chances))
        ends = np.cumsum([int(chance * whole) for chance in chances], dtype=object)
        return tuple(
            int(np.searchsorted(ends, rng.below(whole), side="right")) for _ in range(self.runs)
        )

    def alice(self, concept: int, coins: tuple[int, ...]) -> int:
        """The message whose rule errs on the fewest points of the concept."""
        wrong = (self.rows(coins) != self.represented.base.matrix[concept]).sum(axis=1)
        return int(np.argmin(wrong))

    def rows(self, coins: tuple[int, ...]) -> npt.NDArray[np.bool_]:
        """The rules of all messages, a row each: digits of a message name hypotheses."""
        sets, _ = self.represented.sets()
        votes = np.zeros((1, self.domain.size), dtype=np.int64)
        for coin in coins:
            part = np.array(sets[coin], dtype=np.int64)
            part = part[np.arange(self._each) % len(part)]
            votes = (votes[:, None, :] + part[None, :, :]).reshape(-1, self.domain.size)
        return np.asarray(2 * votes > self.runs)

    def rule(self, message: int, coins: tuple[int, ...]) -> TableRule:
        return TableRule(values=tuple(self.rows(coins)[message].tolist()))

    def mistakes(
        self, coins: tuple[int, ...], x: Placed, y: npt.NDArray[np.bool_]
    ) -> npt.NDArray[np.int64]:
        zeros, ones = label_histogram(x, y, self.domain.size)
        gains = self.rows(coins).astype(np.int64) @ (zeros - ones).astype(np.int64)
        return np.asarray(gains + int(ones.sum()), dtype=np.int64)


def _represented(task: Task) -> Represented:
    family = task.concept_class
    assert isinstance(family, Represented)
    return family


def _samples(task: Task) -> SampleBound:
    rho, miss, count = _represented(task).strength
    return bounds.found_records(
        rho=rho,
        miss=miss,
        hypotheses=count,
        protocol=rho == 1,
        **task.asked("alpha", "beta", "epsilon", "relation", "setting"),
    )


def _mechanism(task: Task, bound: SampleBound, size: Size) -> ProtocolLearner:
    return ProtocolLearner(
        protocol=Majorities(_represented(task), bound.choices["runs"]),
        copies=bound.choices["copies"],
        epsilon=epsilon_to_spend(task, bound, size.n),
        relation=task.privacy.relation,
    )


def _tiny(entry: Algorithm) -> Tiny:
    tiny = Represented.tiny()
    return tiny_task(entry, tiny, tiny, records=labelled(range(2)), usual=(0, 1), odd=(1, 1))


CLAIM = Claim(
    paper="FX14",
    locator="Theorem 6",
    statement="selecting from a representation that was found, or from majorities of several, is "
    "private, and learns the class it represents",
    proof="problems/protocols/found.proof.md",
)

FOUND = ALGORITHMS.add(
    Algorithm(
        name="found-representation",
        summary="select from a representation or protocol that was found for the class",
        applies=Applies(proper=False, classes=(Represented,)),
        claim=CLAIM,
        bound=_samples,
        build=_mechanism,
        tiny=_tiny,
    )
)
