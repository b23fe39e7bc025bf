"""What a learner returns: a rule that can be read, applied, stored and read back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, runtime_checkable

from tacit.core.display import html_of
from tacit.core.errors import BadInput
from tacit.core.records import check_depth

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from tacit.core.domain import Domain

Labels = tuple[str, ...]
"""What 0, 1 and, where there are more label values, further numbers stand for, in words."""

PLAIN: Labels = ("0", "1")


@runtime_checkable
class Predicts(Protocol):
    """Anything that answers for records, such as a rule or a fitted classifier."""

    def predict(self, x: Any, /) -> Any: ...


@runtime_checkable
class Writes(Protocol):
    """Anything that has a JSON-ready form."""

    def to_dict(self) -> Mapping[str, object]: ...


@runtime_checkable
class Hypothesis(Protocol):
    """A 0/1 function over a public domain."""

    def predict(self, x: object) -> npt.NDArray[np.bool_]:
        """A boolean array, one entry per row of ``x``."""
        ...

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        """The rule in words; ``column`` is what a one-column rule calls its input.

        ``labels`` are the words for 0 and for 1.
        """
        ...

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form; ``kind`` says how to read it back."""
        ...


@runtime_checkable
class ReadsRows(Hypothesis, Protocol):
    """A rule that reads several columns at once, in their order."""

    @property
    def domain(self) -> Domain:
        """Rows of as many entries as there are columns."""
        ...

    def worded(self, columns: Sequence[str], labels: Labels) -> str:
        """The rule in words, with a name for each column."""
        ...


def numbered(column: str, width: int) -> list[str]:
    """Names for columns that have none.

    >>> numbered("x", 2)
    ['x1', 'x2']
    """
    return [f"{column}{place + 1}" for place in range(width)]


H = TypeVar("H", bound=type)
_KINDS: dict[str, Any] = {}


def hypothesis_kind(cls: H) -> H:
    """Class decorator: files written by ``to_dict`` of this class can be read back.

    The class has a ``kind`` (a string) and a ``from_dict`` class method. In a notebook its
    rules are shown in words and drawn, where they have a drawing.
    """
    kind = cls.__dict__["kind"]
    if kind in _KINDS:
        raise TypeError(f"two hypothesis classes call themselves {kind!r}")
    _KINDS[kind] = cls
    cls._repr_html_ = html_of  # type: ignore[attr-defined]
    return cls


def hypothesis_from_dict(record: dict[str, object]) -> Hypothesis:
    """Read a rule back; every package that defines rules is loaded first.

    A record that is damaged, or nested beyond any rule of ours, is refused.
    """
    from tacit.core.registry import load_rooms

    check_depth(record)
    load_rooms("tacit.problems")
    cls = _KINDS.get(str(record.get("kind")))
    if cls is None:
        raise BadInput("this is not a rule that this version of Tacit can read")
    try:
        rule: Hypothesis = cls.from_dict(record)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
        raise BadInput(f"the rule of kind {record['kind']!r} is damaged") from None
    return rule
