"""What a release may not do with these records: public facts decide, before the charge."""

from __future__ import annotations

from typing import Any

from tacit.core import BadInput, Mechanism
from tacit.core.resources import resources
from tacit.core.source import Filters
from tacit.sources.files import StreamedRecords
from tacit.sources.persons import PersonSample

_BYTES_A_CELL = 24
"""A cell with its column as it came, and a copy of either while it is placed."""


def check_memory(mechanism: Mechanism[Any, Any], data: object, n: int | None) -> None:
    """Refuse a release that would have to hold more records than is allowed.

    Arrays and frames are in memory already: nothing is refused for them.
    """
    limit = resources().memory
    if limit is None:
        return
    if isinstance(data, PersonSample):
        raise BadInput(
            "a memory limit cannot be kept where persons are protected: their rows are gathered"
        )
    if not isinstance(data, StreamedRecords) or mechanism.streams(n):
        return
    if n is None:
        raise BadInput(
            f"{mechanism.label()} holds all records, and their number is private here: whether it "
            "keeps a memory limit cannot be said; leave the limit out"
        )
    needed = n * data.width * _BYTES_A_CELL
    if needed > limit:
        raise BadInput(
            f"{mechanism.label()} holds all records, about {-(-needed // 10**6)} MB, and the "
            f"memory limit is {limit // 10**6} MB: raise it, or choose an algorithm that counts"
        )


def refuse_filtered(data: object) -> None:
    """Refuse to call the number of records public where conditions choose them."""
    if isinstance(data, Filters) and data.filtered:
        raise BadInput(
            "conditions choose the rows, so their number depends on what they hold and is private: "
            "take the relation add-remove, or leave out WHERE"
        )
