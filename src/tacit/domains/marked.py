"""Labels of several tasks as marks: 1 and -1, and 0 where a task leaves a record out.

Of a label with more than two values the marks are 1, 2, 3 and so on, in their order.

Each label column may have values of its own. Marks are looked at when a mechanism first asks,
so after the charge.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, Label, Sample
from tacit.core.named import SeveralLabels
from tacit.core.tally import Streamed
from tacit.domains.columns import as_array
from tacit.domains.labels import equals, numbered, truths
from tacit.exact.arrays import Values

Marks = npt.NDArray[np.int8]


def mark(positive: npt.NDArray[np.bool_], negative: npt.NDArray[np.bool_] | None) -> Marks:
    """1 for the positive labels and -1 for the others, 0 for those that are neither.

    Without ``negative`` every other label counts as the negative one.
    """
    found = np.where(positive, 1, -1).astype(np.int8)
    if negative is not None:
        found[~(positive | negative)] = 0
    return found


def number_marks(numbers: npt.NDArray[np.int64], *, ignore: bool) -> Marks:
    """The marks of labels with more than two values, from their numbers; -1 is any other.

    With ``ignore`` every other is left out, else it counts as the first value.
    """
    return np.where(numbers < 0, 0 if ignore else 1, numbers + 1).astype(np.int8)


def check_left_out(labels: Sequence[Label | SeveralLabels]) -> None:
    """Refuse to leave records out by labels of which one value is not declared."""
    for label in labels:
        if None in label.values or (isinstance(label, Label) and label.negative is None):
            raise BadInput(
                f"records without a declared label are left out: declare both values of "
                f"{label.name!r}"
            )


class MarkedSample(Sample):
    """Records with several label columns, each with its own public values; private.

    ``y`` holds marks, a column a task. With ``ignore`` a record whose label is neither of the
    two values has no part in that task, and stays in all others.
    """

    __slots__ = ("_columns", "_ignore", "_labels", "_marks")
    _columns: Values
    _ignore: bool
    _labels: tuple[Label | SeveralLabels, ...]
    _marks: Marks | None

    def __init__(
        self, x: Any, y: Any, labels: Sequence[Label | SeveralLabels], *, ignore: bool = False
    ) -> None:
        columns = as_array(y)
        if columns.ndim != 2 or columns.shape != (len(x), len(labels)):
            raise BadInput("Y must hold one label per row of X in each column")
        if ignore:
            check_left_out(labels)
        for name, value in (("x", x), ("positive", 1), ("negative", None), ("values", None)):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "_columns", columns)
        object.__setattr__(self, "_ignore", ignore)
        object.__setattr__(self, "_labels", tuple(labels))
        object.__setattr__(self, "_marks", None)

    @property
    def y(self) -> Any:
        """The marks of all tasks."""
        if self._marks is None:
            found = [self._marked(place) for place in range(len(self._labels))]
            object.__setattr__(self, "_marks", np.stack(found, axis=1))
        return self._marks

    def _marked(self, place: int) -> Marks:
        column, label = self._columns[:, place], self._labels[place]
        if isinstance(label, SeveralLabels):
            return number_marks(numbered(column, label.values, otherwise=-1), ignore=self._ignore)
        negative = equals(column, label.negative) if self._ignore else None
        return mark(equals(column, label.positive), negative)

    @property
    def tasks(self) -> int:
        """How many label columns there are: public."""
        return len(self._labels)

    def __len__(self) -> int:
        return len(self._columns)


def marks_of(labels: Values) -> Marks:
    """Labels that were read as truth values or as marks, as marks."""
    return mark(labels, None) if labels.dtype == bool else labels.astype(np.int8, copy=False)


def marks(sample: Sample | Streamed, k: int) -> Marks:
    """The labels of ``k`` tasks as marks, one column a task."""
    if not isinstance(sample, (MarkedSample, Streamed)):
        return mark(truths(sample, k), None)
    read = as_array(sample.y)  # type: ignore[union-attr]
    if read.ndim != 2 or read.shape[1] != k:
        raise BadInput(f"{k} labels per record are needed: pass an (n, {k}) array")
    return marks_of(read)


def marked(sample: Sample) -> MarkedSample | None:
    """A sample with several label columns, each of which leaves out its own records; else none."""
    columns = as_array(sample.y)
    if columns.ndim != 2 or columns.shape[1] < 2:
        return None
    labels = [
        Label(name=str(place), negative=sample.negative, positive=sample.positive)
        for place in range(columns.shape[1])
    ]
    return MarkedSample(sample.x, columns, labels, ignore=True)
