"""What all columns of a schema share: cells that stand apart, and the words for cells.

A column's cells are public. Missing and undeclared values have one joint cell, the first,
unless ``missing = "own"`` gives missing values a cell before it, or ``complete = true`` declares
that there are none. The words for a set of cells are made from the object that places values.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput
from tacit.core.printable import one_line
from tacit.exact.arrays import Values

MISSING = ("joint", "own")
MOST_CELLS = 1 << 15
Cells = npt.NDArray[np.int32]

_PLAIN = re.compile(r"[^\W\d_][\w.+/%-]*|-?\d+(\.\d+)?")
_TAKEN = {"missing", "anything", "not", "at", "or", "and", "one", "true", "false"}


@dataclass(frozen=True, kw_only=True)
class Column(ABC):
    """A public column: ``missing`` is ``"joint"`` or ``"own"``, ``complete`` leaves both out.

    A value that is not declared goes to the cell for anything else. Where the column was
    declared complete there is none, and it counts as the first cell.
    """

    kind: ClassVar[str]
    missing: str = "joint"
    complete: bool = False

    def __post_init__(self) -> None:
        given: object = self.missing
        if given is True:  # an older spelling
            object.__setattr__(self, "missing", "joint")
        if self.missing not in MISSING or not isinstance(self.complete, bool):
            raise BadInput(
                'missing must be "joint" (missing values share a cell with anything else, the '
                'default) or "own"; complete = true declares that there are neither'
            )
        if self.complete and self.missing == "own":
            raise BadInput("a complete column has no missing values: leave missing out")

    @cached_property
    def apart(self) -> tuple[str, ...]:
        """The cells before the declared ones, in words."""
        if self.complete:
            return ()
        own = self.missing == "own"
        return ("missing", "anything else") if own else ("missing or anything else",)

    @cached_property
    def extra(self) -> int:
        """How many cells stand apart, before the declared ones."""
        return len(self.apart)

    @property
    @abstractmethod
    def declared(self) -> int:
        """How many cells the declared values have."""

    @cached_property
    def cells(self) -> int:
        """How many cells there are."""
        return self.extra + self.declared

    @property
    @abstractmethod
    def ordered(self) -> bool:
        """Whether the declared cells have an order that questions may use."""

    @abstractmethod
    def with_bins(self, bins: int) -> Self:
        """The same column, with this grid unless it has one."""

    @abstractmethod
    def place(self, values: Values) -> Cells:
        """The cell of each value."""

    @abstractmethod
    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form."""

    def _told(self, record: dict[str, object]) -> dict[str, object]:
        """A JSON-ready form with what was said of missing values."""
        own = {"missing": self.missing} if self.missing == "own" else {}
        return {"kind": self.kind} | record | own | ({"complete": True} if self.complete else {})

    # -- words -----------------------------------------------------------------------------

    @property
    @abstractmethod
    def what(self) -> str:
        """What a declared value is, after "is"."""

    @property
    @abstractmethod
    def each(self) -> tuple[str, ...]:
        """Every declared cell in words, as a list of levels says it."""

    @property
    def all_cells(self) -> tuple[str, ...]:
        """Every cell in words."""
        return (*self.apart, *self.each)

    def _lower(self, cell: int, name: str) -> str:
        """Being in declared cell ``cell > 0`` or a later one, in words."""
        return f"{name} is at least {self.each[cell]}"

    def _upper(self, cell: int, name: str) -> str:
        """Being in declared cell ``cell``, not the last, or an earlier one, in words."""
        return f"{name} is at most {self.each[cell]}"

    def _alone(self, cell: int, name: str) -> str | None:
        """Being in one declared cell, in words, if there is a shorter way than two bounds."""
        return f"{name} is {self.each[cell]}"

    def is_in(self, first: int, last: int, *, name: str) -> list[str]:
        """Being in one of the cells ``first, ..., last``: words that must all hold."""
        if first == 0 and last == self.cells - 1:
            return []
        if last < self.extra:
            return [f"{name} is {' or '.join(self.apart[first : last + 1])}"]
        low, high = max(first - self.extra, 0), last - self.extra
        bounded = high < self.declared - 1
        if first < self.extra:
            if not bounded:
                return [f"{name} is not {' or '.join(self.apart[:first])}"]
            words = self._upper(high, name) if high else self._lowest(name)
            return [f"{words} (or {' or '.join(self.apart[first:])})"]
        if low == 0 and not bounded:
            return [f"{name} is {self.what}"]
        alone = self._alone(low, name) if low == high else None
        if alone is not None:
            return [alone]
        lower = [self._lower(low, name)] if low else []
        return lower + ([self._upper(high, name)] if bounded else [])

    def _lowest(self, name: str) -> str:
        return self._alone(0, name) or self._upper(0, name)

    def is_not(self, cell: int, *, name: str) -> str:
        """Being in any cell but this one, in words; for columns without an order."""
        if cell >= self.extra:
            return f"{name} is not {self.each[cell - self.extra]}"
        if self.extra == 1:
            return f"{name} is {self.what}"
        return f"{name} is not {self.apart[cell]}"

    def is_among(self, cells: Collection[int], *, name: str) -> list[str]:
        """Being in one of these cells: words that must all hold; for columns without an order."""
        inside = [word for place, word in enumerate(self.each) if place + self.extra in cells]
        outside = [word for place, word in enumerate(self.each) if place + self.extra not in cells]
        apart = [word for place, word in enumerate(self.apart) if place in cells]
        shut = [word for place, word in enumerate(self.apart) if place not in cells]
        if apart and not inside:
            return [f"{name} is {' or '.join(apart)}"]
        if inside and len(inside) <= len(outside):
            others = f" (or {' or '.join(apart)})" if apart else ""
            return [f"{name} is {listed(inside)}{others}"]
        words = [f"{name} is not {listed(outside)}"] if outside else []
        if shut:
            words.append(f"{name} is {self.what}" if not apart else f"{name} is not {shut[0]}")
        plain = f"{name} is {listed(inside)}"
        # Where all declared values would be listed anyway, those that are meant say it all.
        shorter = outside and shut and not apart and len(plain) < len(" and ".join(words))
        return [plain] if shorter else words

    def below(self, cut: int, *, name: str) -> tuple[str, str]:
        """The two answers of a question: in the first ``cut + 1`` cells, or not.

        Without an order: in cell ``cut``, or not.
        """
        if not self.ordered:
            return f"{name} is {self.all_cells[cut]}", self.is_not(cut, name=name)
        yes = self.is_in(0, cut, name=name)
        no = self.is_in(cut + 1, self.cells - 1, name=name)
        return yes[0], no[0]


def value_words(value: object) -> str:
    """A declared value as text, in quotes unless it is one plain word or number."""
    text = str(value)
    plain = _PLAIN.fullmatch(text) is not None and text.lower() not in _TAKEN
    return text if plain else one_line(json.dumps(text, ensure_ascii=False))


def listed(words: Sequence[str]) -> str:
    """``a``, ``a or b``, ``a, b or c``."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
