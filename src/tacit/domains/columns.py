"""Arrays from whatever a user passes, each record by itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput


def as_array(values: Any) -> npt.NDArray[Any]:
    """``values`` as an array in which no record's entry depends on another record.

    numpy would give a list one common type: a single -1 or 0.5 among 64-bit integers rounds
    them all to floats, a single word turns every truth value into text. One record would
    then move all others, which no privacy proof allows for. A list therefore becomes an
    array of objects, placed one by one; the type of an array or a column is public.

    >>> as_array([2**63 + 1, -1]).tolist()
    [9223372036854775809, -1]
    """
    if hasattr(values, "to_numpy"):
        array = np.asarray(values.to_numpy())
        if array.dtype.kind != "f" or "int" not in _column_type(values):
            return array
        # Some engines turn an integer column into floats as soon as one entry is missing.
        values = values.to_list() if hasattr(values, "to_list") else values.to_pylist()
    if isinstance(values, np.ndarray):
        return values
    try:
        return np.array(values, dtype=object)
    except ValueError:
        raise BadInput("records must form a column, or rows of equal length") from None


def _column_type(values: Any) -> str:
    return str(getattr(values, "dtype", getattr(values, "type", ""))).lower()
