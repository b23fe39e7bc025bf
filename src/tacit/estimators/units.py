"""The column of ``X`` that tells persons apart, kept apart from the features."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from tacit.core import BadInput
from tacit.domains.schema import column_names, frame_column
from tacit.sources.samples import refuse_lazy

PERSON = "person"
"""What the unit is called where ids come beside arrays and have no name."""


def apart(X: Any, unit: str | None) -> tuple[Any, Any]:
    """``X`` without the column ``unit``, and that column; ``None`` where there is none."""
    if unit is None:
        return X, None
    refuse_lazy(X, name="X")
    names = column_names(X)
    if names is None or unit not in names:
        return X, None
    rest = [name for name in names if name != unit]
    return X.select(rest) if isinstance(X, pa.Table) else X[rest], frame_column(X, unit)


def protected(X: Any, *, unit: str | None, groups: Any, rows: int) -> tuple[Any, Any, Any]:
    """Features, ids, and the fields of a task that protect persons; no ids where rows are.

    Ids come from the column ``unit`` of ``X`` or, if it has none, from ``groups``: never from
    both, since a certificate names one kind of persons.
    """
    features, found = apart(X, unit)
    if found is not None and groups is not None:
        raise BadInput(
            f"X and groups= both hold ids of each {unit}: leave out groups=, or the column "
            f"{unit!r} of X"
        )
    ids = found if groups is None else groups
    if ids is None:
        if unit is not None:
            raise BadInput(
                f"each {unit} is to be protected: X has no such column; pass groups=, one id a row"
            )
        if rows != 1:
            raise BadInput(
                "rows_per_unit needs unit='patient_id', the column of ids, or groups=, one id a row"
            )
        return features, None, {}
    return features, ids, {"unit": unit or PERSON, "rows_per_unit": rows}
