"""How many records a rule gets wrong, and what else is counted beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core import Hypothesis, Relation, Sample, Task
from tacit.core.certificate import Counted, OfValue
from tacit.core.source import Batch
from tacit.core.tally import Named, Streamed
from tacit.domains.labels import fitting, labels_of
from tacit.domains.schema import Schema
from tacit.exact.geometric_tails import width
from tacit.mechanisms.calibration import count_scales
from tacit.problems.tables.table_rule import Cells, TableRule

WHATS = ("positive", "values", "labels", "columns", "missed", "alarms", "each", "right")
"""Records with the positive label; with each of several label values; with a declared label; that
fit in the rule's columns; with the positive label, and the rule says the negative one; of which the
rule says the positive one; with each label value, and the rule says another; that are no
mistakes."""
MOST_BESIDE = Fraction(1, 10)
"""The part of epsilon that all these numbers cost together at most."""
_STEPS = 1000
_MOST = int(MOST_BESIDE * _STEPS)
_NEAR, _FIRST = 20, 10
"""Numbers are wanted to within one part in so many of the records. How many have each label is
worth saying less nearly: nothing else tells if a rule is better than one answer for everybody."""
_PRIVATE = Fraction(1, 30)
"""The part of epsilon that counts the records of each label where their number is private."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """One number of records that is counted beside the mistakes, and what is spent on it.

    Or ``numbers`` of them: how many records have each of several label values.
    """

    what: str
    epsilon: Fraction
    numbers: int = 1


@lru_cache(maxsize=256)
def plan_beside(
    wanted: tuple[str, ...], *, n: int | None, epsilon: Fraction, beta: Fraction, values: int = 2
) -> tuple[tuple[Beside, ...], Mapping[str, int]]:
    """What can be counted to within a twentieth of the records for a tenth of ``epsilon``.

    ``wanted`` in order of importance; the first one to within a tenth where it cannot be nearer. No
    more is spent than that takes.
    Also says of each number that is left out how many records it would need. Only public numbers
    are read; noise stays within that part of the records with probability ``1 - beta`` for each
    number, and for those of all label ``values`` at once. Where ``n`` is private, the records of
    each label alone are counted; no public number says how near that will be.
    """

    def within(what: str, steps: int) -> int:
        """How far noise reaches where so many steps of epsilon are spent."""
        return reaches((_beside(what, epsilon * steps / _STEPS, values),), beta)[0]

    # One more number leaves less for each: those before it must stay as near as they have to be.
    parts = [_FIRST, *(_NEAR for _ in wanted[1:])]
    needed = {
        what: max(
            part * within(one, _MOST // place)
            for one, part in zip(wanted[:place], parts, strict=False)
        )
        for place, what in enumerate(wanted, start=1)
    }
    if n is None:
        return (Beside(what="values", epsilon=epsilon * _PRIVATE, numbers=values),), {}
    few = [what for what in wanted if n >= needed[what]]
    if not few:
        return (), needed
    low, high = 0, _MOST // len(few)
    near = _NEAR if n >= _NEAR * max(within(what, high) for what in few) else _FIRST
    while high - low > 1:
        middle = (low + high) // 2
        if near * max(within(what, middle) for what in few) <= n:
            high = middle
        else:
            low = middle
    share = epsilon * high / _STEPS
    left_out = {what: least for what, least in needed.items() if what not in few}
    return tuple(_beside(what, share, values) for what in few), left_out


def _beside(what: str, epsilon: Fraction, values: int) -> Beside:
    return Beside(what=what, epsilon=epsilon, numbers=values if what == "values" else 1)


def reaches(
    beside: tuple[Beside, ...], beta: Fraction, *, relation: Relation = Relation.REPLACE_ONE
) -> list[int]:
    """How far the noise on all numbers of each goes, but for a chance of ``beta`` for each.

    Where the number of records is public, a record that is replaced moves two label values.
    """
    each = ((one.epsilon, one.numbers) for one in beside)
    scales = count_scales(each, relation=relation)
    return [width(scale, beta / one.numbers) for scale, one in zip(scales, beside, strict=True)]


def counted(
    beside: tuple[Beside, ...], numbers: tuple[int, ...], task: Task
) -> tuple[Counted, ...]:
    """Noisy numbers as a certificate states them; of several label values the largest."""
    found, rest = [], iter(numbers)
    within_each = reaches(beside, task.accuracy.beta, relation=task.privacy.relation)
    for one, within in zip(beside, within_each, strict=True):
        count = max(islice(rest, one.numbers))
        found.append(Counted(what=one.what, count=count, epsilon=one.epsilon, within=within))
    return tuple(found)


def of_values(
    beside: tuple[Beside, ...], numbers: tuple[int, ...], task: Task
) -> tuple[OfValue, ...]:
    """The noisy numbers of records of each of several label values, where they were counted."""
    rest = iter(numbers)
    for one in beside:
        each = list(islice(rest, one.numbers))
        if one.what == "values":
            named = zip(task.answer_names, each, strict=True)
            return tuple(OfValue(label=label, count=count) for label, count in named)
    return ()


def wanted_counts(schema: Schema, *, declared: bool, values: int = 2) -> tuple[str, ...]:
    """What is worth counting for these public columns and labels."""
    loose = any(not field.complete for field in schema.fields)
    first = "positive" if values == 2 else "values"
    return (first, *(("labels",) if declared else ()), *(("columns",) if loose else ()))


def fitting_rows(rule: Hypothesis, cells: Cells) -> npt.NDArray[np.bool_]:
    """Which placed records hold declared values, or missing ones that have a cell of their own, in
    every column that the rule reads: all, where it is no rule over a table.
    """
    fits = np.ones(len(cells), dtype=bool)
    if isinstance(rule, TableRule):
        for column in rule.reads:
            apart = rule.schema.fields[column].extra
            if apart:
                fits &= cells[:, column] != apart - 1
    return fits


@dataclass(frozen=True, slots=True)
class RuleCounts:
    """Mistakes of a rule, then one number for each of ``whats``; a tally of streamed records.

    "values" and "each" are one number for each of ``values`` labels.
    """

    rule: Hypothesis
    whats: tuple[str, ...] = ()
    values: int = 2

    def zero(self) -> tuple[int, ...]:
        several = sum(what in ("values", "each") for what in self.whats)
        return (0,) * (1 + len(self.whats) + several * (self.values - 1))

    def add(self, counter: tuple[int, ...], batch: Batch) -> tuple[int, ...]:
        labels = np.asarray(batch.column(1), dtype=bool if self.values == 2 else np.int64)
        fits = batch.column(2) if "labels" in self.whats else None
        return self.merge(counter, self.count(batch.column(0), labels, fits))

    def merge(self, left: tuple[int, ...], right: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(a + b for a, b in zip(left, right, strict=True))

    def of(self, sample: Sample | Streamed) -> tuple[int, ...]:
        """All numbers of a sample; of a streamed one only the rule's own columns are read."""
        if isinstance(sample, Streamed):
            rule = self.rule
            if isinstance(sample, Named) and isinstance(rule, TableRule):
                sample = sample.only(rule.schema.names[place] for place in rule.reads)
            return sample.fold(self)
        fits = fitting(sample) if "labels" in self.whats else None
        return self.count(sample.x, labels_of(sample, values=self.values), fits)

    def count(self, x: object, labels: npt.NDArray[Any], fits: object) -> tuple[int, ...]:
        """All numbers of some records; ``fits`` says which labels were declared."""
        rule = self.rule
        cells: Any = rule.place(x) if isinstance(rule, TableRule) else x
        said = rule.of_cells(cells) if isinstance(rule, TableRule) else rule.predict(x)
        wrong = said != labels
        found = [int(np.count_nonzero(wrong))]
        for what in self.whats:
            if what == "positive":
                found.append(int(np.count_nonzero(labels)))
            elif what == "values":
                found += np.bincount(labels, minlength=self.values).tolist()
            elif what == "each":
                missed = np.asarray(labels)[wrong].astype(np.int64)
                found += np.bincount(missed, minlength=self.values).tolist()
            elif what == "labels":
                found.append(int(np.count_nonzero(np.asarray(fits))))
            elif what == "right":
                found.append(len(labels) - found[0])
            elif what == "missed":
                found.append(int(np.count_nonzero(wrong & labels)))
            elif what == "alarms":
                found.append(int(np.count_nonzero(said)))
            else:
                found.append(int(np.count_nonzero(fitting_rows(rule, cells))))
        return tuple(found)
