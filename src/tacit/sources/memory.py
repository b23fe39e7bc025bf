"""What a release may not do with these records: public facts decide, before the charge."""

from __future__ import annotations

from typing import Any

from tacit.core import BadInput, Mechanism, Relation, Sample
from tacit.core.resources import resources
from tacit.core.sample import some_persons, some_records
from tacit.core.source import Filters
from tacit.domains.marked import MarkedSample
from tacit.sources.files import StreamedRecords
from tacit.sources.ignored import DeclaredSample
from tacit.sources.persons import PersonSample

_BYTES_A_CELL = 24
"""A cell with its column as it came, and a copy of either while it is placed."""


class HoldsRecords(BadInput):
    """A release would have to hold more records than is allowed; ``why`` goes after what does."""

    def __init__(self, what: str, why: str) -> None:
        super().__init__(f"{what} {why}")
        self.why = why


def check_memory(mechanism: Mechanism[Any, Any], data: object, n: int | None) -> None:
    """Refuse a release that would have to hold more records than is allowed.

    Arrays and frames are in memory already: nothing is refused for them.
    """
    if not isinstance(data, (StreamedRecords, PersonSample)):
        return
    limit = resources().memory
    if limit is None:
        return
    if isinstance(data, PersonSample):
        raise BadInput(
            "a memory limit cannot be kept where persons are protected: their rows are gathered"
        )
    if mechanism.streams(n):
        return
    if n is None:
        raise HoldsRecords(
            mechanism.label(),
            "holds all records, and their number is private here: whether it keeps a memory limit "
            "cannot be said; leave the limit out",
        )
    needed = n * data.width * _BYTES_A_CELL
    if needed > limit:
        raise HoldsRecords(
            mechanism.label(),
            f"holds all records, about {-(-needed // 10**6)} MB, and the memory limit is "
            f"{limit // 10**6} MB: raise it, or choose an algorithm that counts",
        )


def public_number(sample: Any, relation: Relation) -> int | None:
    """The number of records, or of persons; ``None`` where ``relation`` makes it private.

    A public number is refused before the charge if it is 0.
    """
    if not relation.size_is_public:
        return None
    if isinstance(sample, PersonSample):
        return some_persons(sample.number)
    if isinstance(sample, Filters) and sample.filtered:
        raise BadInput(
            "conditions choose the rows, so their number depends on what they hold and is private: "
            "take the relation add-remove, or leave out WHERE"
        )
    return some_records(len(sample))


def check_tasks(sample: Any, k: int) -> None:
    """Refuse, before anything is charged, labels that do not have one column a task."""
    if isinstance(sample, Sample) and not isinstance(sample, (DeclaredSample, MarkedSample)):
        shape: tuple[int, ...] = getattr(sample.y, "shape", (0,))
        tasks = shape[1] if len(shape) == 2 else 1
    else:
        tasks = sample.tasks
    if tasks != k:
        raise BadInput(f"this task needs {k} columns of labels: pass an (n, {k}) array")
