"""Labels: one public value means 1, everything else means 0."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, Sample
from tacit.domains.columns import as_array
from tacit.domains.placing import as_floats, place_listed
from tacit.domains.values import key
from tacit.exact.arrays import Values


@lru_cache(maxsize=256)
def check_values(values: tuple[object, ...], *, name: str) -> None:
    """Refuse public label values that are equal as labels are compared, or that stand for none."""
    keys = [key(value) for value in values]
    if None in keys:
        raise BadInput(f"{name} must be values of the label: a missing one cannot be declared")
    if len(set(keys)) < len(keys):
        many = "two different values" if len(keys) == 2 else "different values"
        raise BadInput(
            f"{name} must be {many}; numbers, their text and truth values are one value: 1, 1.0, "
            "'1' and True"
        )


def truth(sample: Sample) -> npt.NDArray[np.bool_]:
    """The labels as booleans: equal to the sample's public ``positive`` value, or not.

    A missing or undeclared label counts as 0; it is never reported.
    """
    return equals(_one_column(sample), sample.positive)


def labels_of(sample: Sample, *, values: int) -> npt.NDArray[np.bool_] | npt.NDArray[np.int64]:
    """The labels as booleans, or as numbers where there are more than two ``values``."""
    return truth(sample) if values == 2 else numbers(sample, values=values)


def numbers(sample: Sample, *, values: int) -> npt.NDArray[np.int64]:
    """The number of each label, below ``values``, among the sample's public label values.

    Every other value, a missing one too, has the number that ``sample.values.otherwise`` says.
    Where the sample holds no label values, they are the numbers themselves.
    """
    labels, told = _one_column(sample), sample.values
    if told is None:
        return numbered(labels, range(values), otherwise=0)
    found = numbered(labels, told.declared, otherwise=told.otherwise)
    found[found >= values] = 0
    return found


def numbered(labels: Values, values: Sequence[object], *, otherwise: int) -> npt.NDArray[np.int64]:
    """The place of each label among public values, compared by ``values.key``; total."""
    out = np.full(len(labels), otherwise, dtype=np.int64)
    for place, value in enumerate(values):
        out[equals(labels, value)] = place
    return out


def _one_column(sample: Sample) -> Values:
    labels = as_array(sample.y)
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise BadInput("one label per record is needed: pass a 1-D array")
    return labels


def fitting(sample: Sample) -> npt.NDArray[np.bool_]:
    """Which labels are one of the public values; all of them where only one was declared."""
    if sample.values is not None:
        return numbered(_one_column(sample), sample.values.declared, otherwise=-1) >= 0
    return declared(as_array(sample.y), sample.positive, sample.negative)


def declared(labels: Values, positive: object, negative: object) -> npt.NDArray[np.bool_]:
    """Which labels are ``positive`` or ``negative``; every one if ``negative`` is ``None``."""
    if negative is None:
        return np.ones(len(labels), dtype=bool)
    return equals(labels, positive) | equals(labels, negative)


def truths(sample: Sample, k: int) -> npt.NDArray[np.bool_]:
    """The labels of ``k`` tasks as booleans, one column a task; read as ``truth`` does."""
    labels = as_array(sample.y)
    if labels.ndim == 1 and k == 1:
        labels = labels[:, None]
    if labels.ndim != 2 or labels.shape[1] != k:
        raise BadInput(f"{k} labels per record are needed: pass an (n, {k}) array")
    return equals(labels.ravel(), sample.positive).reshape(labels.shape)


def equals(labels: Values, positive: object) -> npt.NDArray[np.bool_]:
    """Which labels are the public value ``positive``, compared by ``values.key``; total."""
    wanted = key(positive)
    if labels.dtype == bool and wanted == 1:
        return labels
    small = isinstance(wanted, float) and wanted.is_integer() and abs(wanted) < 1 << 53
    if labels.dtype.kind in "iu" and small:
        try:
            return np.asarray(labels == int(wanted))  # type: ignore[arg-type]
        except OverflowError:  # a positive value that this type cannot hold
            return np.zeros(len(labels), dtype=bool)
    if labels.dtype.kind == "f" and isinstance(wanted, float):
        return np.asarray(as_floats(labels) == wanted)
    return place_listed(labels, {wanted: 1}, otherwise=0).astype(bool)
