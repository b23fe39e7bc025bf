"""BNS19: k tasks from one set of records (the four tables of section 1.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

import numpy as np

from tacit.core import Accuracy, ConceptClass, Privacy, Task
from tacit.planner import plan
from tacit.problems.finite.listed import Table
from tacit.problems.parities.parities import Parities
from tacit.problems.points.points import Points
from tacit.problems.thresholds.thresholds import Thresholds
from tacit.reproduce.experiment import Chart, Effort, Experiment, Part, Row, reproduction
from tacit.reproduce.least import least

ALPHA = BETA = Fraction(1, 10)
TASKS = (1, 10, 100, 1000)
_MOST_LABELS = {"planned": 0, "quick": 6_000, "full": 5_000_000}
"""Plans whose records have more labels than this in all are not simulated."""


def _general() -> ConceptClass:
    """A general class: all 16 labellings of four values."""
    return Table(np.array([[n >> place & 1 == 1 for place in range(4)] for n in range(16)]))


CLASSES: dict[str, tuple[Callable[[], ConceptClass], str]] = {
    "points, 8 bits": (lambda: Points(bits=8), "any"),
    "points, 16 bits": (lambda: Points(bits=16), "any"),
    "points, 64 bits": (lambda: Points(bits=64), "any"),
    "points, 1024 bits": (lambda: Points(bits=1024), "any"),
    "thresholds, 8 bits": (lambda: Thresholds(bits=8), "any"),
    "thresholds, 16 bits": (lambda: Thresholds(bits=16), "any"),
    "thresholds, 64 bits": (lambda: Thresholds(bits=64), "any"),
    "thresholds, 256 bits": (lambda: Thresholds(bits=256), "any"),
    "general, 16 rules on 4 values": (_general, "any"),
    "parities, 8 bits, uniform": (lambda: Parities(bits=8), "uniform"),
    "parities, 12 bits, uniform": (lambda: Parities(bits=12), "uniform"),
    "parities, 64 bits, uniform": (lambda: Parities(bits=64), "uniform"),
}


def _rows(name: str, delta: str, effort: Effort) -> Sequence[Row]:
    made, marginal = CLASSES[name]
    concepts = made()
    rows: list[Row] = []
    for setting in ("realizable", "agnostic"):
        for k in TASKS:
            task = Task(
                concepts,
                privacy=Privacy(1, delta),
                accuracy=Accuracy(ALPHA, BETA),
                k=k,
                setting=setting,
                marginal=marginal,
            )
            improper, proper = plan(task), plan(task.with_(output="proper"))
            row: dict[str, str | int | float | None] = {
                "class": name,
                "setting": "PAC" if setting == "realizable" else setting,
                "k": k,
                "needed": improper.lower_bounds[0].n if improper.lower_bounds else None,
                "any rule: enough": improper.best.n if improper.best else None,
                "by": improper.best.name if improper.best else "no learner known here",
                "class's own: needed": proper.lower_bounds[0].n if proper.lower_bounds else None,
                "class's own: enough": proper.best.n if proper.best else None,
            }
            best = improper.runnable
            if best is not None and best.n * k <= _MOST_LABELS[effort.name]:
                seed = f"section 1.3 {name} {delta} {k}{'' if setting == 'realizable' else ' a'}"
                bracket = least(best.algorithm, task, effort=effort, seed=seed)
                row["measured"] = f"{bracket.words()} ({best.name})"
            rows.append(row)
    return rows


_COLUMNS = (
    "class",
    "setting",
    "k",
    "needed",
    "measured",
    "any rule: enough",
    "by",
    "class's own: needed",
    "class's own: enough",
)


def _experiment(name: str, title: str, says: str, changed: str, delta: str) -> Experiment:
    return reproduction(
        Experiment(
            name=name,
            title=title,
            says=says,
            changed=changed,
            columns=_COLUMNS,
            parts=lambda effort: [
                Part(key=key, rows=partial(_rows, key, delta, effort)) for key in CLASSES
            ],
            measured=("measured",),
            chart=Chart(x="k", y=("needed", "any rule: enough"), panel="class"),
        )
    )


PURE = _experiment(
    "bns19-pure",
    "BNS19 section 1.3, pure privacy: upper and lower bounds for k tasks",
    "Upper: points k + log|C| proper and k improper, thresholds k + log|C|, in general "
    "min(k log|C|, k VC + log|X| VC), parities k log|C|. Lower: the same for points, thresholds "
    "and parities (Theorems 31, 52, 55, Corollary 33).",
    "Numbers in place of orders, at alpha = beta = 0.1, epsilon 1. Planned is the best learner of "
    "the registry for each cell, so improvements over the printed theorems are in it; a proper "
    "learner counts as one that may answer anything. Measured, by the learner named: the least "
    "records on the hardest law tried, where planned records have at most 6,000 labels. "
    "In the agnostic setting the laws tried are not the hardest, and measured may be below needed.",
    "0",
)

APPROXIMATE = _experiment(
    "bns19-approximate",
    "BNS19 section 1.3, approximate privacy: upper and lower bounds for k tasks",
    "Upper: points 1 in the PAC setting (Theorem 40) and sqrt(k) in the agnostic one (Corollary "
    "37), thresholds 2^(log-star|X|) + sqrt(k) (Corollary 38), in general min(sqrt(k) log|C|, "
    "sqrt(k) VC + sqrt(log|X|) VC, ...) (Theorem 31), parities log|C| (Theorem 39) and sqrt(k) "
    "log|C|. Lower: thresholds log-star|X| + k^(1/3), parities log|C|, agnostic sqrt(k) "
    "(Corollaries 46 and 50).",
    "delta = 1e-6. Theorems 43 and 47 and Corollary 46 are corrected (see the errata); a "
    "log-star sanitizer with published constants does not exist, so explicit ones stand in. "
    "Measured as in the table before.",
    "1e-6",
)
