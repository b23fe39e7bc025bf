"""Numbers of a text file that are written with a decimal comma: what a cell says, by its use.

A cell of a number column is a number with a comma; with a point it is none, since "1.234" may be
meant as thousands. A cell that is compared as a word (a category, a truth value, a date, a label)
may be either. A cell that is carried along or tells persons apart is what stands there.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from tacit.core import Source
from tacit.domains.fields import Integer, Number
from tacit.domains.schema import Schema

if TYPE_CHECKING:
    import pyarrow as pa

_POINT = r"^\s*[+-]?(\d+\.\d*|\.\d+)([eE][+-]?\d+)?\s*$"
_COMMA = r"^(\s*[+-]?)(?:(\d+),(\d*)|,(\d+))((?:[eE][+-]?\d+)?\s*)$"


class Use(Enum):
    """What the cells of a column are taken for."""

    NUMBER = "number"
    WORD = "word"
    WRITTEN = "written"


@runtime_checkable
class Spelled(Protocol):
    """A source whose numbers may be written with a comma."""

    def used(self, uses: dict[str, Use]) -> Source:
        """The same records, the cells of these columns for this use; of all others as numbers."""
        ...


def word_columns(schema: Schema) -> tuple[str, ...]:
    """The columns of a schema whose cells are compared as words."""
    columns = zip(schema.names, schema.fields, strict=True)
    return tuple(name for name, field in columns if not isinstance(field, (Number, Integer)))


def used(source: Source, *, words: Iterable[str] = (), written: Iterable[str] = ()) -> Source:
    """The source with its cells as they are used; itself where nothing hangs on that."""
    if not isinstance(source, Spelled):
        return source
    return source.used(dict.fromkeys(words, Use.WORD) | dict.fromkeys(written, Use.WRITTEN))


def with_point(cells: pa.StringArray, use: Use) -> pa.StringArray:
    """Numbers with a decimal comma, written with a point.

    Where numbers are asked for, those with a point become missing.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    if use is Use.WRITTEN:
        return cells
    if use is Use.NUMBER:
        other = pc.fill_null(pc.match_substring_regex(cells, _POINT), fill_value=False)
        cells = pc.if_else(other, pa.scalar(None, pa.string()), cells)
    return pc.replace_substring_regex(cells, _COMMA, r"\1\2.\3\4\5")
