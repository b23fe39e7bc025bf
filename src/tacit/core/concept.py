"""What a class of 0/1 functions is, and what some classes can do besides."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from tacit.core.hypothesis import Hypothesis

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@runtime_checkable
class ConceptClass(Protocol):
    """A finite or parametrised set of 0/1 functions over a public domain.

    Implementations are frozen and hashable. ``size`` is the number of different
    concepts, or ``None`` if there are infinitely many.
    """

    @property
    def name(self) -> str: ...
    @property
    def size(self) -> int | None: ...
    @property
    def domain(self) -> Any: ...
    def describe(self) -> str: ...


@runtime_checkable
class Counted(ConceptClass, Protocol):
    """A class that counts the mistakes of all its concepts at once (``landscape``).

    ``hypothesis(candidate)`` is the rule behind a candidate that the landscape names.
    """

    def landscape(self, x: Any, y: Any) -> Any: ...
    def hypothesis(self, candidate: Any) -> Any: ...


@runtime_checkable
class Numbered(ConceptClass, Protocol):
    """A class whose concepts have numbers: ``hypothesis(number)`` is the rule of one."""

    def hypothesis(self, number: Any, /) -> Hypothesis: ...


@runtime_checkable
class NumberedFrom(Protocol):
    """A class whose concepts are not numbered from 0, but from ``first``."""

    @property
    def first(self) -> int: ...


def first_number(concepts: object) -> int:
    """The number of a class's first concept."""
    return concepts.first if isinstance(concepts, NumberedFrom) else 0


@runtime_checkable
class WrittenOut(Protocol):
    """A class, or a panel of rules, that is held as a table of 0 and 1, a row each."""

    @property
    def matrix(self) -> npt.NDArray[np.bool_]: ...


@runtime_checkable
class Packed(Protocol):
    """A class that lists rules of which any two are more than ``radius`` apart."""

    def packing(self, radius: Fraction) -> Sequence[Hypothesis]: ...


@runtime_checkable
class Limited(Protocol):
    """A class that may have too many concepts to count them all.

    ``too_many`` says why it has, or is ``None`` where it can count them.
    """

    @property
    def too_many(self) -> str | None: ...


@runtime_checkable
class Dimensioned(Protocol):
    """A class whose VC dimension is known."""

    @property
    def vc(self) -> int: ...


@runtime_checkable
class Learnable(Protocol):
    """A class whose Littlestone dimension is known."""

    @property
    def littlestone(self) -> int: ...


@runtime_checkable
class CountsMistakes(Protocol):
    """A class of rules over a table, whose mistakes are counted once a rule is drawn.

    ``count_share`` is the part of epsilon that pays for the count unless a task says another;
    it follows from public numbers (``n`` is ``None`` where it is private or not known yet).
    ``beside_cost`` is the epsilon of what is counted beside, ``most_aside`` the largest part
    that all counts together can take.
    """

    def count_share(self, *, n: int | None, epsilon: Fraction) -> Fraction: ...
    def most_aside(self, share: Fraction | None) -> Fraction: ...
    def beside_cost(
        self, *, n: int | None, epsilon: Fraction, beta: Fraction, declared: bool, values: int
    ) -> Fraction: ...


@runtime_checkable
class ComparedOtherwise(Protocol):
    """A class whose rules are not compared by their mistakes; ``compared_by`` says by what."""

    @property
    def compared_by(self) -> str: ...


@runtime_checkable
class Averaged(ComparedOtherwise, Protocol):
    """A class for several labels whose error is the mean of theirs: ``averaged`` says so."""

    @property
    def averaged(self) -> str: ...


@runtime_checkable
class ComparedWith(Protocol):
    """A class that draws from more rules than its errors are compared with.

    ``comparator`` names the best of those: they are the same for every epsilon and ``n``, whatever
    is drawn from.
    """

    @property
    def comparator(self) -> str: ...


def class_name(family: type) -> str:
    """What a type of class calls itself."""
    said = vars(family).get("name")
    return said if isinstance(said, str) else family.__name__.lower()
