"""Every tiny instance that mechanisms and algorithms own, by its name."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from tacit.checks.audit.enumeration import Dataset, plain
from tacit.core import ALGORITHMS, MECHANISMS, Sample, Tiny


def everything() -> Iterator[Tiny]:
    """All registered mechanisms, then all algorithms."""
    yield from MECHANISMS
    yield from (entry.instance() for entry in ALGORITHMS)


def named(name: str) -> Tiny | None:
    """The instance of this name, in any spelling of its case."""
    return next((line for line in everything() if line.name.lower() == name.lower()), None)


def formed(line: Tiny, records: Dataset) -> object:
    """Records as the mechanism of an instance takes them."""
    if line.form is not None:
        return line.form(records)
    if line.unlabelled:
        return Sample(np.array(records), np.zeros(len(records), dtype=int))
    return plain(records)


def sampled_pairs(line: Tiny) -> list[tuple[object, object]]:
    """The neighbouring data that a line is sampled on."""
    return [(formed(line, left), formed(line, right)) for left, right in line.neighbours()]
