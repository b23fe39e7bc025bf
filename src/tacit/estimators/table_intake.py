"""Public facts of what ``fit`` is given: names, shapes and labels of arrays and frames."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.exceptions import DataConversionWarning

from tacit.core import BadInput
from tacit.domains.columns import as_array
from tacit.domains.schema import column_names
from tacit.exact.arrays import Values


def own_names(X: Any) -> Any:
    """A frame's own labels of its columns."""
    return X.column_names if hasattr(X, "column_names") else X.columns


def rows_of(X: Any) -> int:
    """How many rows an array or a frame has."""
    return int(X.num_rows) if hasattr(X, "num_rows") else len(X)


def labels_of(y: Any) -> Values:
    """The labels as one column; a column vector is flattened with a warning."""
    labels = as_array(y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        warnings.warn(
            "A column-vector y was passed when a 1d array was expected. Please change the "
            "shape of y to (n_samples,), for example using ravel().",
            DataConversionWarning,
            stacklevel=3,
        )
        labels = labels[:, 0]
    return labels


def shape_of(X: Any) -> tuple[list[str] | None, int]:
    """Names and number of columns; only public facts are looked at."""
    if hasattr(X, "collect") and not hasattr(X, "to_numpy"):
        raise BadInput("X is a lazy frame: call its collect() first")
    _refuse_sparse(X)
    names = column_names(X)
    if names is not None:
        if not names:
            raise BadInput(
                "0 feature(s) (shape=(n, 0)) while a minimum of 1 is required: X has no columns"
            )
        if len(set(names)) == len(names):
            return names, len(names)
    return None, int(_two_dimensional(as_array(X)).shape[1])


def dense(X: Any) -> Values:
    """``X`` as a table of at least one column, or ``BadInput`` in scikit-learn's words."""
    _refuse_sparse(X)
    return _two_dimensional(as_array(X))


def _refuse_sparse(X: Any) -> None:
    if issparse(X):
        raise BadInput("sparse input is not supported: pass a dense array or a frame")


def _two_dimensional(table: Values) -> Values:
    if np.iscomplexobj(table):
        raise BadInput("Complex data not supported")
    if table.ndim == 1:
        raise BadInput(
            "Expected 2D array, got 1D array instead. Reshape your data: one row per record, "
            "one column per feature"
        )
    if table.ndim != 2:
        raise BadInput(
            "X must be 2-D: an array or a list with one row per record, or a pandas, polars or "
            "Arrow frame"
        )
    if table.shape[1] == 0:
        raise BadInput(
            "X must be 2-D with at least one column: 0 feature(s) (shape=(n, 0)) while a "
            "minimum of 1 is required."
        )
    return table


def check_public(said: Any, names: list[str] | None, width: int, *, read_off: bool) -> None:
    """Refuse to read a grid off features that nobody called public, and words for nothing."""
    every = names or [f"x{place}" for place in range(width)]
    named = every if said == "all" else [str(name) for name in said]
    unknown = [name for name in named if name not in every]
    if unknown:
        raise BadInput(f"public_columns names {unknown[0]!r}, which is no column of X")
    if named and not read_off:
        raise BadInput(
            "public_columns is for label privacy without domain=: elsewhere nothing is read off "
            "the features; leave it out"
        )
    absent = [name for name in every if name not in named]
    if read_off and absent:
        raise BadInput(
            f"without domain= the values of {absent[0]!r} would set the grid and be published: "
            "declare domain=, or pass public_columns='all' if every feature of every record is "
            "public"
        )
