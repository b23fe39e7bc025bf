"""Which types of Postgres are read, and the SQL by which a cell of each is sent.

No expression here can fail, whatever a cell holds. The driver sends dates and times that Arrow
cannot hold as other ones, from the far end of the calendar: such a cell, an infinite one among
them, is sent as the first or the last one that it can. A ``numeric`` may have more digits than any
type of Arrow: it is sent as text with all of them, and without zeros at the end of a fraction, so
that a whole number is spelled as one. NaN is sent as a missing cell; an infinite number lies beyond
every border, as in columns of floats.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tacit.sources.query import quoted

if TYPE_CHECKING:
    import pyarrow as pa

_AS_STORED = frozenset(
    ("bool", "int2", "int4", "int8", "float4", "float8", "text", "varchar", "bpchar")
)
_ENDS = {
    "date": ("4714-11-24 BC", "5874897-12-31"),
    "timestamp": ("4714-11-24 00:00:00 BC", "294246-12-31 23:59:59.999999"),
    "timestamptz": ("4714-11-24 00:00:00+00 BC", "294246-12-31 23:59:59.999999+00"),
}
"""The first and the last of a type that both the server and Arrow can hold."""
_NUMERIC = "numeric"
_MOST_DIGITS, _MOST_SHORT = 76, 38
"""Of a decimal of Arrow, and of one in 128 bits."""


@dataclass(frozen=True, slots=True)
class ColumnType:
    """The type of a column as the server's catalogue has it: public."""

    kind: str
    told: str
    modifier: int

    @property
    def read(self) -> bool:
        """Whether cells of this type are read."""
        return self.kind in _AS_STORED or self.kind in _ENDS or self.kind == _NUMERIC

    def sent(self, column: str) -> str:
        """The SQL of a cell of this column as it is sent; total."""
        name = quoted(column)
        if self.kind == _NUMERIC:
            return f"pg_catalog.trim_scale(NULLIF({name}, numeric 'NaN'))::text"
        if self.kind not in _ENDS:
            return name
        first, last = (f"{self.kind} '{end}'" for end in _ENDS[self.kind])
        outside = f"WHEN {name} < {first} THEN {first} WHEN {name} > {last} THEN {last}"
        return f"CASE {outside} ELSE {name} END"

    def arrow(self, found: pa.DataType) -> pa.DataType:
        """The Arrow type that a declaration is compared with; ``found`` unless it is a decimal.

        For a ``numeric`` without a stated number of digits, the widest decimal that there is.
        """
        import pyarrow as pa

        if self.kind != _NUMERIC:
            return found
        # As the server packs them: digits above, those of the fraction below, beside a length.
        digits, fraction = (self.modifier - 4) >> 16, (self.modifier - 4) & 0x7FF
        if self.modifier < 0 or digits > _MOST_DIGITS or fraction > digits:
            return pa.decimal256(_MOST_DIGITS, _MOST_DIGITS // 2)
        return (pa.decimal128 if digits <= _MOST_SHORT else pa.decimal256)(digits, fraction)
