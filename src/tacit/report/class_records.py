"""A concept class in public numbers, so that a reader can compute what its theorem needs."""

from __future__ import annotations

from collections.abc import Mapping

from tacit.core import BadInput, ConceptClass
from tacit.problems.points.points import Points
from tacit.problems.thresholds.thresholds import Thresholds

_MOST_BITS = 1 << 16


def class_record(concepts: ConceptClass) -> Mapping[str, str] | None:
    """The class as names and exact numbers; ``None`` where no reader knows it."""
    if type(concepts) is Points:
        return {"kind": "points", "size": str(concepts.domain.size)}
    if type(concepts) is Thresholds:
        return {
            "kind": "thresholds",
            "size": str(concepts.domain.size),
            "orientation": concepts.orientation,
        }
    return None


def class_from_record(record: Mapping[str, str]) -> ConceptClass:
    """Read back what ``class_record`` wrote."""
    try:
        size = int(record["size"])
        if size.bit_length() > _MOST_BITS:
            raise ValueError
        match record["kind"]:
            case "points":
                return Points(size=size)
            case "thresholds":
                return Thresholds(size=size, orientation=record["orientation"])
    except (LookupError, ValueError):
        pass
    raise BadInput("the certificate describes a class that this version does not know")
