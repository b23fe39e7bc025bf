"""Errors over an order as functions of how many records lie below: thresholds and ranks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tacit.tallies.blocks import Counts
from tacit.tallies.ordered import Errors


@dataclass(frozen=True, slots=True)
class CutMistakes:
    """Mistakes of the cut after a value: records of label ``low`` above it, others below.

    A walk that starts at the error before a block, goes down by one with each record of
    label ``low`` and up by one with each other, stays between the two extremes.
    """

    low: int

    @property
    def after(self) -> bool:
        return True

    @property
    def steps(self) -> tuple[int, int]:
        return (-1, 1) if self.low == 0 else (1, -1)

    def _start(self, before: Counts, total: Counts) -> Errors:
        return np.asarray(total[self.low] - before[self.low] + before[1 - self.low])

    def errors(self, before: Counts, inside: Counts, total: Counts) -> Errors:
        return np.asarray(self._start(before, total) + inside[1 - self.low] - inside[self.low])

    def least(self, before: Counts, inside: Counts, total: Counts) -> Errors:
        return np.asarray(self._start(before, total) - inside[self.low])

    def most(self, before: Counts, inside: Counts, total: Counts) -> Errors:
        return np.asarray(self._start(before, total) + inside[1 - self.low])


@dataclass(frozen=True, slots=True)
class RankErrors:
    """``error(below, at_most, n)`` of ranks alone, for ``n`` records.

    It must never fall as ``below`` grows and never rise as ``at_most`` grows: then a block's
    own counts give the least error in it, and the same two exchanged the greatest.
    """

    error: Callable[[Errors, Errors, int], Errors]

    @property
    def after(self) -> bool:
        return False

    @property
    def steps(self) -> None:
        return None

    def errors(self, before: Counts, inside: Counts, total: Counts) -> Errors:
        below = before.sum(axis=0)
        return self.error(below, below + inside.sum(axis=0), int(total.sum()))

    def least(self, before: Counts, inside: Counts, total: Counts) -> Errors:
        return self.errors(before, inside, total)

    def most(self, before: Counts, inside: Counts, total: Counts) -> Errors:
        below = before.sum(axis=0)
        return self.error(below + inside.sum(axis=0), below, int(total.sum()))
