"""How many records a rule gets wrong, and what else is counted beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core import Hypothesis
from tacit.core.certificate import Counted
from tacit.core.named import ReadsColumns
from tacit.core.source import Batch
from tacit.domains.schema import Schema
from tacit.exact.geometric_tails import width

WHATS = ("positive", "labels", "columns", "missed")
"""Records with the positive label; with a declared label; that fit in the rule's columns; with the
positive label, and the rule says the negative one."""
MOST_BESIDE = Fraction(1, 10)
"""The part of epsilon that all these numbers cost together at most."""
_STEPS = 1000
_MOST = int(MOST_BESIDE * _STEPS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """One number of records that is counted beside the mistakes, and what is spent on it."""

    what: str
    epsilon: Fraction


@lru_cache(maxsize=256)
def plan_beside(
    wanted: tuple[str, ...], *, n: int | None, epsilon: Fraction, beta: Fraction
) -> tuple[tuple[Beside, ...], Mapping[str, int]]:
    """What can be counted to within a twentieth of the records for a tenth of ``epsilon``.

    ``wanted`` in order of importance. Also says of each number that is left out how many
    records it would need. Only public numbers are read; noise stays within the twentieth
    with probability ``1 - beta`` for each number.
    """
    needed = {
        what: 20 * width(1 / (epsilon * (_MOST // place) / _STEPS), beta)
        for place, what in enumerate(wanted, start=1)
    }
    if n is None:
        return (), {}
    few = [what for what in wanted if n >= needed[what]]
    if not few:
        return (), needed
    low, high = 0, _MOST // len(few)
    while high - low > 1:
        middle = (low + high) // 2
        if 20 * width(_STEPS / (epsilon * middle), beta) <= n:
            high = middle
        else:
            low = middle
    share = epsilon * high / _STEPS
    left_out = {what: least for what, least in needed.items() if what not in few}
    return tuple(Beside(what=what, epsilon=share) for what in few), left_out


def counted(
    beside: tuple[Beside, ...], numbers: tuple[int, ...], *, beta: Fraction
) -> tuple[Counted, ...]:
    """Noisy numbers as a certificate states them."""
    return tuple(
        Counted(
            what=one.what,
            count=number,
            epsilon=one.epsilon,
            within=width(1 / one.epsilon, beta),
        )
        for one, number in zip(beside, numbers, strict=True)
    )


def wanted_counts(schema: Schema, *, declared: bool) -> tuple[str, ...]:
    """What is worth counting for these public columns and labels."""
    loose = any(not field.complete for field in schema.fields)
    return ("positive", *(("labels",) if declared else ()), *(("columns",) if loose else ()))


def fitting_rows(rule: Hypothesis, x: object) -> npt.NDArray[np.bool_] | None:
    """Which records hold declared values, or missing ones that have a cell of their own, in
    every column that the rule reads; ``None`` where the rule reads none.
    """
    if not isinstance(rule, ReadsColumns) or not rule.reads:
        return None
    schema: Any = rule.schema
    cells = schema.coerce(x, only=rule.reads)
    fits = np.ones(len(cells), dtype=bool)
    for column in rule.reads:
        field = schema.fields[column]
        if field.extra:
            fits &= cells[:, column] != field.extra - 1
    return fits


@dataclass(frozen=True, slots=True)
class RuleCounts:
    """Mistakes of a rule, then one number for each of ``whats``; a tally of streamed records."""

    rule: Hypothesis
    whats: tuple[str, ...] = ()

    def zero(self) -> tuple[int, ...]:
        return (0,) * (1 + len(self.whats))

    def add(self, counter: tuple[int, ...], batch: Batch) -> tuple[int, ...]:
        labels = np.asarray(batch.column(1), dtype=bool)
        fits = batch.column(2) if "labels" in self.whats else None
        return self.merge(counter, self.count(batch.column(0), labels, fits))

    def merge(self, left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(a + b for a, b in zip(left, right, strict=True))

    def count(self, x: object, labels: npt.NDArray[np.bool_], fits: object) -> tuple[int, ...]:
        """All numbers of some records; ``fits`` says which labels were declared."""
        wrong = self.rule.predict(x) != labels
        found = [int(np.count_nonzero(wrong))]
        for what in self.whats:
            if what == "positive":
                found.append(int(np.count_nonzero(labels)))
            elif what == "labels":
                found.append(int(np.count_nonzero(np.asarray(fits))))
            elif what == "missed":
                found.append(int(np.count_nonzero(wrong & labels)))
            else:
                rows = fitting_rows(self.rule, x)
                found.append(len(labels) if rows is None else int(np.count_nonzero(rows)))
        return tuple(found)
