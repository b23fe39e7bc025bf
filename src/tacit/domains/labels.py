"""Labels: one public value means 1, everything else means 0."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, Sample
from tacit.domains.columns import as_array


def truth(sample: Sample) -> npt.NDArray[np.bool_]:
    """The labels as booleans: equal to the sample's public ``positive`` value, or not.

    A missing or undeclared label counts as 0; it is never reported.
    """
    labels = as_array(sample.y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise BadInput("one label per record is needed: pass a 1-D array")
    return equals(labels, sample.positive)


def truths(sample: Sample, k: int) -> npt.NDArray[np.bool_]:
    """The labels of ``k`` tasks as booleans, one column a task; read as ``truth`` does."""
    labels = as_array(sample.y)
    if labels.ndim == 1 and k == 1:
        labels = labels[:, None]
    if labels.ndim != 2 or labels.shape[1] != k:
        raise BadInput(f"{k} labels per record are needed: pass an (n, {k}) array")
    return equals(labels.ravel(), sample.positive).reshape(labels.shape)


def equals(labels: npt.NDArray[Any], positive: object) -> npt.NDArray[np.bool_]:
    """Elementwise ``labels == positive`` that never fails."""
    if labels.dtype == bool and positive in (1, True):
        return labels
    if labels.dtype.kind in "iufb" and isinstance(positive, (int, float, np.number, np.bool_)):
        try:
            return np.asarray(labels == positive)
        except OverflowError:  # a positive value that this type cannot hold
            return np.zeros(len(labels), dtype=bool)
    held, text = labels.tolist(), str(positive)
    if isinstance(positive, (bool, np.bool_)):
        # As text a truth value is a word, and tools differ in how they write it.
        held, text = [_lower(value) for value in held], text.lower()
    return np.array([_same(value, (positive, text)) for value in held], dtype=bool)


def _lower(value: object) -> object:
    # The base type's own methods: a record's type may have others, which may fail.
    return str.lower(str.strip(value)) if isinstance(value, str) else value


def _same(value: object, wanted: tuple[object, str]) -> bool:
    try:
        return bool(value == wanted[0]) or str(value) == wanted[1]
    except Exception:  # noqa: BLE001 - any label whatever must have a truth value
        return False
