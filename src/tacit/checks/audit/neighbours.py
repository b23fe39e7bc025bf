"""Candidate pairs of neighbours: walks from one data set to another, a record at a time.

A loss is often largest where the answer tips over, and nobody knows beforehand at which
data that is. Every step of a walk is a pair of neighbours.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tacit.checks.audit.outputs import key
from tacit.core import Relation, Sample

Pair = tuple[Any, Any]
_POSITIONS = 9


def default_pairs(n: int = 8) -> list[Pair]:
    """Lists of zeros and ones that differ in one entry: for callables that say no more."""
    return [
        ([1] * ones + [0] * (n - ones), [1] * (ones + 1) + [0] * (n - ones - 1))
        for ones in range(n)
    ]


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """``start`` with its first records, in the given order, replaced by ``record``.

    Step ``j`` is the pair of neighbours with ``j`` and ``j + 1`` records replaced. A pair
    that stands by itself is a walk of one step.
    """

    start: object
    order: tuple[int, ...]
    record: object
    pair: Pair | None = None
    made: dict[int, object] = field(default_factory=dict)

    @property
    def steps(self) -> int:
        return len(self.order)

    def data(self, j: int) -> Any:
        """The data set after ``j`` replacements."""
        if self.pair is not None:
            return self.pair[j]
        if j not in self.made:
            self.made[j] = replaced(self.start, self.order[:j], self.record)
        return self.made[j]

    def positions(self) -> list[int]:
        """Some steps to try, in this order: the middle, the ends, and some between."""
        first = [(self.steps - 1) // 2, 0, self.steps - 1, self.steps // 2]
        spread = np.linspace(0, self.steps - 1, min(self.steps, _POSITIONS)).astype(int)
        return list(dict.fromkeys([*first, *spread.tolist()]))


def alone(pair: Pair) -> Walk:
    """The pair itself, and no other."""
    return Walk(pair[0], (0,), None, pair)


def walks(pair: Pair, relation: Relation) -> list[Walk]:
    """Walks that pass through data sets like those of ``pair``, all steps neighbours.

    The record that differs, before and after, is spread over the other places; and data
    sets of equal records are walked between these records and those of the other label.
    Only lists, arrays and samples that differ in one place are understood, and only where
    neighbours differ in one record or its label; else there are none.
    """
    left, right = pair
    place = differs_at(left, right)
    if place is None or relation is Relation.ADD_REMOVE:
        return []
    before, after = record_at(left, place), record_at(right, place)
    if relation is Relation.LABEL and key(before[0]) != key(after[0]):
        return []
    order = (place, *(i for i in range(len(left)) if i != place))
    found = [Walk(left, order, after), Walk(right, order, before)]
    if relation is Relation.LABEL and len({key(record_at(left, i)[0]) for i in order}) > 1:
        # The features stay where they are: only labels may be set.
        return [Walk(left, order, (None, after[1])), Walk(right, order, (None, before[1]))]
    ends = [before, after, *(flipped(record) for record in (before, after))]
    for i, first in enumerate(ends):
        for second in ends[i + 1 :]:
            if first is None or second is None or key(first) == key(second):
                continue
            if relation is Relation.LABEL and key(first[0]) != key(second[0]):
                continue
            found.append(Walk(replaced(left, order, first), order, second))
    return list(_different(found))


def _different(found: Sequence[Walk]) -> Iterator[Walk]:
    seen: set[Hashable] = set()
    for walk in found:
        ends = tuple(sorted((repr(data_key(walk.data(0))), repr(data_key(walk.data(walk.steps))))))
        if ends not in seen:
            seen.add(ends)
            yield walk


def data_key(data: object) -> Hashable:
    """Tells data sets apart."""
    return ("sample", key(data.x), key(data.y)) if isinstance(data, Sample) else key(data)


def differs_at(left: Any, right: Any) -> int | None:
    """The one place in which two data sets differ, if they are of a kind and there is one."""
    if type(left) is not type(right) or not isinstance(left, (Sample, np.ndarray, list)):
        return None
    if np.ndim(left.x if isinstance(left, Sample) else left) == 0 or len(left) != len(right):
        return None
    places = [i for i in range(len(left)) if key(record_at(left, i)) != key(record_at(right, i))]
    return places[0] if len(places) == 1 else None


def record_at(data: Any, place: int) -> Any:
    """One record; of a sample its value and its label."""
    if isinstance(data, Sample):
        return np.asarray(data.x)[place], np.asarray(data.y)[place]
    return data[place]


def replaced(data: Any, places: Sequence[int], record: Any) -> Any:
    """A copy with ``record`` in these places; a value of ``None`` leaves the features."""
    if isinstance(data, Sample):
        x, y = np.array(data.x), np.array(data.y)
        for place in places:
            y[place] = record[1]
            if record[0] is not None:
                x[place] = record[0]
        return Sample(x, y, data.positive)
    copy = np.array(data) if isinstance(data, np.ndarray) else list(data)
    for place in places:
        copy[place] = record
    return copy


def flipped(record: object) -> object:
    """The record with all labels turned, if it has labels 0 and 1; else nothing."""
    if not isinstance(record, tuple) or len(record) != 2:
        return None
    labels = np.asarray(record[1])
    return (record[0], 1 - labels.astype(int)) if np.all((labels == 0) | (labels == 1)) else None
