"""Several columns of a CSV or Parquet file, scanned once when a mechanism asks."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput
from tacit.sources.files import _ask, _is_text, check_columns, columns, count, quoted, read_labels


def read_table(path: Path, names: Sequence[str]) -> Any:
    """These columns as an Arrow table, in file order; the cells of a CSV file as text."""
    check_columns(path, *names)
    return _ask(path, ", ".join(quoted(name) for name in names))


def column_types(path: Path) -> dict[str, Any]:
    """Names and types of a file's columns: public facts, no values. CSV has no types."""
    if _is_text(path):
        return dict.fromkeys(columns(path))
    import pyarrow.parquet

    try:
        fields = pyarrow.parquet.read_schema(path)
    except (OSError, ValueError):
        raise BadInput(f"{path.name}: the file cannot be read as a table") from None
    return {str(field.name): field.type for field in fields}


class TableSample:
    """A ``Sample`` over several columns; its values are read when first asked for."""

    positive = True

    def __init__(self, path: Path, *, columns: Sequence[str], label: str, positive: object) -> None:
        check_columns(path, *columns, label)
        self._path, self._columns, self._label = path, tuple(columns), label
        self._positive = positive

    @cached_property
    def x(self) -> Any:
        """The features, as an Arrow table."""
        return read_table(self._path, self._columns)

    @cached_property
    def y(self) -> npt.NDArray[np.bool_]:
        """Which labels are the positive one."""
        return read_labels(self._path, self._label, self._positive)

    def __len__(self) -> int:
        return count(self._path)

    def __repr__(self) -> str:
        return "TableSample(private)"

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a sample holds private records and is not pickled; pass a path instead")
