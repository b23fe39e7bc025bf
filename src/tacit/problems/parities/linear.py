"""Linear equations modulo 2: ``<mask, x> = y``, one per record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tacit.core import Sampler


@dataclass(frozen=True, slots=True)
class Solutions:
    """All masks of the form ``solution`` plus any sum of vectors of ``free``."""

    solution: int
    free: tuple[int, ...]

    def __repr__(self) -> str:
        return "Solutions(private)"


def solve(x: Any, y: Any, bits: int) -> Solutions | None:
    """The masks that satisfy every equation; ``None`` if there are none.

    Elimination with one integer per equation: the label is its lowest bit.
    """
    rows: dict[int, int] = {}
    for cell, label in zip(x.tolist(), y.tolist(), strict=True):
        row = (int(cell) << 1) | bool(label)
        while row > 1:
            lead = row.bit_length()
            if lead not in rows:
                rows[lead] = row
                break
            row ^= rows[lead]
        if row == 1:
            return None
    leads = sorted(rows)
    # From the shortest row up, so that every row ends with its lead and free bits only.
    for place, lead in enumerate(leads):
        for shorter in leads[:place]:
            if rows[lead] >> (shorter - 1) & 1:
                rows[lead] ^= rows[shorter]
    solution = sum((rows[lead] & 1) << (lead - 2) for lead in leads)
    free = []
    for place in range(bits):
        if place + 2 not in rows:
            moved = [lead for lead in leads if rows[lead] >> (place + 1) & 1]
            free.append((1 << place) | sum(1 << (lead - 2) for lead in moved))
    return Solutions(solution, tuple(free))


def solve_at_random(x: object, y: object, bits: int, *, rng: Sampler) -> int | None:
    """A uniform solution of the equations; ``None`` if there are none."""
    found = solve(x, y, bits)
    if found is None:
        return None
    mask = found.solution
    coins = rng.bits(len(found.free))
    for place, vector in enumerate(found.free):
        if coins >> place & 1:
            mask ^= vector
    return mask
