"""The errors of all candidates, counted: what an exact selection is drawn from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tacit.exact.arrays import Sizes
from tacit.exact.levels import Levels, exact_sum

_FLOAT_EXACT = 1 << 53
_LIMB = 22  # bits of a part of a count: sums of parts stay exact in float64


class Landscape(Protocol):
    """The errors of all candidates on one data set, in a form that can be counted.

    Private. The candidates are the same for every data set; only their errors move.
    """

    def levels(self) -> Levels:
        """How many candidates have each error."""
        ...

    def member(self, error: int, rank: int) -> int:
        """The ``rank``-th candidate with this error, in an order of the landscape's own."""
        ...


def tally(errors: npt.NDArray[np.int64], sizes: Sizes) -> Levels:
    """Add up the sizes of groups with equal errors, without overflow or rounding."""
    if sizes.dtype == object:
        return _tally_big(errors, sizes)
    least = int(errors.min())
    if int(errors.max()) - least <= 4 * len(errors) + 1024:
        places = errors - least
        distinct = None
    else:
        distinct, places = np.unique(errors, return_inverse=True)
    total = exact_sum(sizes)
    if total < _FLOAT_EXACT:
        counts = np.bincount(places, weights=sizes.astype(np.float64)).astype(np.uint64)
    else:
        # Each limb's sums stay below 2**53, where float64 adds integers exactly.
        words = sizes.astype(np.uint64)
        mask = np.uint64((1 << _LIMB) - 1)
        limbs = [
            np.bincount(places, weights=((words >> np.uint64(shift)) & mask).astype(np.float64))
            for shift in (0, _LIMB, 2 * _LIMB)
        ]
        # Rounded, but far enough from 2**64 to tell that no count reaches it.
        largest = (limbs[0] + limbs[1] * 2.0**_LIMB + limbs[2] * 2.0 ** (2 * _LIMB)).max()
        kind: npt.DTypeLike = np.uint64 if largest < 2.0**63 else object
        low, middle, high = (limb.astype(np.uint64).astype(kind) for limb in limbs)
        counts = low + (1 << _LIMB) * middle + (1 << 2 * _LIMB) * high
    present = np.flatnonzero(counts)
    kept = present + least if distinct is None else distinct[present]
    return Levels(kept, counts[present])


def _tally_big(errors: npt.NDArray[np.int64], sizes: Sizes) -> Levels:
    counts: dict[int, int] = {}
    for error, size in zip(errors.tolist(), sizes.tolist(), strict=True):
        if size:
            counts[error] = counts.get(error, 0) + int(size)
    distinct = sorted(counts)
    big = np.array([counts[error] for error in distinct], dtype=object)
    return Levels(np.array(distinct, dtype=np.int64), big)


@dataclass(frozen=True, slots=True, eq=False)
class Flat:
    """One listed error per candidate; the candidates are 0, 1, 2, ..."""

    errors: npt.NDArray[np.int64]

    def __repr__(self) -> str:
        return "Flat(private)"

    def levels(self) -> Levels:
        least, most = int(self.errors.min()), int(self.errors.max())
        if most - least <= 4 * len(self.errors) + 1024:
            if least >= 0 and most <= 4 * len(self.errors) + 1024:
                least = 0  # a second list as long as the first would take twice the time
            counts = np.bincount(self.errors - least if least else self.errors)
            present = np.flatnonzero(counts)
            return Levels(present + least, counts[present])
        return Levels(*np.unique(self.errors, return_counts=True))

    def member(self, error: int, rank: int) -> int:
        return int(np.flatnonzero(self.errors == error)[rank])


@dataclass(frozen=True, slots=True, eq=False)
class Grouped:
    """Runs of consecutive candidates with one error each.

    ``starts[g]`` is the first candidate of group ``g`` and ``sizes[g]`` how many it has:
    unsigned 64-bit arrays, or object arrays of Python integers. Size 0 is allowed.
    """

    errors: npt.NDArray[np.int64]
    sizes: Sizes
    starts: Sizes

    def __repr__(self) -> str:
        return "Grouped(private)"

    def levels(self) -> Levels:
        return tally(self.errors, self.sizes)

    def member(self, error: int, rank: int) -> int:
        here = np.flatnonzero(self.errors == error)
        sizes = self.sizes[here]
        if sizes.dtype != object and exact_sum(sizes) < 1 << 63:
            ends = np.cumsum(sizes.astype(np.int64))
            place = int(np.searchsorted(ends, rank, side="right"))
            rank -= int(ends[place - 1]) if place else 0
        else:
            place = 0
            while rank >= int(sizes[place]):
                rank -= int(sizes[place])
                place += 1
        return int(self.starts[here[place]]) + rank


@dataclass(frozen=True, slots=True, eq=False)
class Scattered:
    """Groups in several parts and in any order; members are named in ascending order.

    Candidate ``c`` of a part stands for ``c + shift``, with the part's own shift.
    """

    parts: tuple[tuple[Grouped, int], ...]

    def __repr__(self) -> str:
        return "Scattered(private)"

    def levels(self) -> Levels:
        found = [part.levels() for part, _ in self.parts]
        if len(found) == 1:
            return found[0]
        errors = np.concatenate([levels.errors for levels in found])
        return tally(errors, np.concatenate([levels.counts for levels in found]))

    def member(self, error: int, rank: int) -> int:
        chosen = [(part, np.flatnonzero(part.errors == error)) for part, _ in self.parts]
        shifts = [shift for _, shift in self.parts]
        starts = np.concatenate(
            [
                _shifted(part.starts[here], by)
                for (part, here), by in zip(chosen, shifts, strict=True)
            ]
        )
        sizes = np.concatenate([part.sizes[here] for part, here in chosen])
        order = np.argsort(starts, kind="stable")
        errors = np.full(len(starts), error, dtype=np.int64)
        return Grouped(errors, sizes[order], starts[order]).member(error, rank)


def _shifted(starts: Sizes, shift: int) -> Sizes:
    """Starts further on, as Python integers where words would not hold them."""
    if not shift:
        return starts
    if starts.dtype == object or int(starts.max(initial=0)) + shift >= 1 << 64:
        return np.asarray(starts.astype(object) + shift, dtype=object)
    return np.asarray(starts + np.uint64(shift))
