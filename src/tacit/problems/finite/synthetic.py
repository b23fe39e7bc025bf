"""A synthetic table: released values with multiplicities, and nothing of the original."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from tacit.core import BadInput
from tacit.core.display import html_of
from tacit.domains.integers import Integers
from tacit.exact.arrays import Placed


@dataclass(frozen=True, slots=True, kw_only=True)
class SyntheticTable:
    """Rows of a public domain, each with how often it stands in the table.

    ``domain``   the public domain of the column;
    ``rows``     pairs ``(value, count)``, ascending by value, counts positive;
    ``column``   what the column is called when written;
    ``low``      what stands for 0 of the domain when written.

    Answering a query on it is post-processing: it costs no further privacy.
    """

    domain: Integers
    rows: tuple[tuple[int, int], ...]
    column: str = "x"
    low: int = 0

    def __post_init__(self) -> None:
        values = [value for value, _ in self.rows]
        if values != sorted(set(values)) or any(count < 1 for _, count in self.rows):
            raise BadInput("rows must ascend by value, with positive counts")

    @classmethod
    def of(cls, domain: Any, values: Iterable[int], *, column: str = "x") -> SyntheticTable:
        """The table with these values, repeated ones counted."""
        counts: dict[int, int] = {}
        for value in values:
            counts[value] = counts.get(value, 0) + 1
        return cls(domain=domain, rows=tuple(sorted(counts.items())), column=column)

    def __len__(self) -> int:
        return sum(count for _, count in self.rows)

    def answer(self, rule: Any) -> Fraction:
        """The fraction of rows on which ``rule`` is 1; 0 on an empty table."""
        if not self.rows:
            return Fraction(0)
        hits = rule.predict(self._values())
        total = sum(count for (_, count), hit in zip(self.rows, hits, strict=True) if hit)
        return Fraction(total, len(self))

    def _values(self) -> Placed:
        kind = np.uint64 if self.domain.fits_a_word else object
        return np.array([value for value, _ in self.rows], dtype=kind)

    def values(self) -> Placed:
        """Every row, repeated as often as it stands in the table."""
        return np.repeat(self._values(), [count for _, count in self.rows])

    def describe(self, *, column: str | None = None) -> str:
        """The table in words."""
        name = self.column if column is None else column
        over = self.domain.describe()
        if self.low:
            over = f"{self.low}..{self.low + self.domain.size - 1}"
        return f"a synthetic column {name!r} of {len(self)} rows over {over}"

    def _repr_html_(self) -> str:
        return html_of(self)

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form."""
        rows = [[str(value), count] for value, count in self.rows]
        return {
            "kind": "synthetic",
            "size": str(self.domain.size),
            "low": str(self.low),
            "column": self.column,
            "rows": rows,
        }

    def to_arrow(self) -> Any:
        """A one-column Arrow table; integers beyond 64 bits as text."""
        import pyarrow as pa

        values = self.values()
        if self.low:
            values = values.astype(np.int64) + self.low
        if not self.domain.fits_a_word:
            return pa.table({self.column: pa.array([str(value) for value in values.tolist()])})
        narrow = self.domain.size <= 1 << 63
        return pa.table({self.column: pa.array(values.astype(np.int64) if narrow else values)})

    def to_pandas(self) -> Any:
        """A pandas frame."""
        return self.to_arrow().to_pandas()

    def write(self, path: str | Path) -> None:
        """Write as ``.csv`` or ``.parquet``, whole or not at all."""
        import pyarrow.csv
        import pyarrow.parquet

        target = Path(path)
        part = target.with_name(target.name + ".part")
        try:
            if target.suffix == ".csv":
                pyarrow.csv.write_csv(self.to_arrow(), part)
            elif target.suffix == ".parquet":
                pyarrow.parquet.write_table(self.to_arrow(), part)
            else:
                raise BadInput("a synthetic table is written as .csv or .parquet")
            part.replace(target)
        finally:
            part.unlink(missing_ok=True)


_MOST_ROWS = 10**7
_MOST_COPIES = 10**9


def table_from_dict(record: Any) -> SyntheticTable:
    """Read back what ``SyntheticTable.to_dict`` wrote; a damaged record is refused."""
    try:
        if record["kind"] != "synthetic" or len(record["rows"]) > _MOST_ROWS:
            raise ValueError
        rows = tuple((int(value), count) for value, count in record["rows"])
        domain = Integers(size=int(record["size"]))
        sound = all(isinstance(count, int) and not isinstance(count, bool) for _, count in rows)
        if not sound or not isinstance(record["column"], str):
            raise ValueError
        if any(not 0 <= value < domain.size for value, _ in rows):
            raise ValueError
        if sum(count for _, count in rows) > _MOST_COPIES:
            raise ValueError
        return SyntheticTable(
            domain=domain, rows=rows, column=record["column"], low=int(record["low"])
        )
    except (ArithmeticError, LookupError, TypeError, ValueError):
        raise BadInput("the synthetic table is damaged") from None
