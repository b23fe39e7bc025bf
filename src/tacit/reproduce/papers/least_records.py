"""Planned, needed and measured records of the learners that need fewest: one task a row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from tacit.core import Accuracy, ConceptClass, Privacy, Task
from tacit.planner import plan
from tacit.problems.formulas.k_term_dnf import KTermDnf
from tacit.problems.lines.lines import Lines
from tacit.problems.one_way.sequences import OneWaySequences
from tacit.problems.parities.parities import Parities
from tacit.problems.points.points import Points
from tacit.problems.thresholds.thresholds import Thresholds
from tacit.reproduce.experiment import Effort, Experiment, Part, Row, reproduction
from tacit.reproduce.least import least

_MOST_MEASURED = {"planned": 0, "quick": 1000, "full": 30_000}
"""Plans of more records than this are not simulated."""

Made = Callable[[], ConceptClass]
TASKS: Mapping[str, tuple[Made, str, Mapping[str, str | int], str]] = {
    "points, proper, pure, 64 bits": (
        lambda: Points(bits=64),
        "0",
        {"output": "proper"},
        "replace-one",
    ),
    "points, any rule, pure, 64 bits": (lambda: Points(bits=64), "0", {}, "replace-one"),
    "points, proper, delta, 1000 bits": (
        lambda: Points(bits=1000),
        "1e-6",
        {"output": "proper"},
        "replace-one",
    ),
    "thresholds, pure, 16 bits": (lambda: Thresholds(bits=16), "0", {}, "replace-one"),
    "thresholds, agnostic, pure, 64 bits": (
        lambda: Thresholds(bits=64),
        "0",
        {"setting": "agnostic"},
        "replace-one",
    ),
    "thresholds, delta, 1000 bits": (lambda: Thresholds(bits=1000), "1e-6", {}, "replace-one"),
    "thresholds, labels private, 64 bits": (lambda: Thresholds(bits=64), "0", {}, "label"),
    "thresholds, uniform, 32 bits": (
        lambda: Thresholds(bits=32),
        "0",
        {"marginal": "uniform"},
        "replace-one",
    ),
    "one-way sequences, 36 bits": (lambda: OneWaySequences(bits=36), "0", {}, "replace-one"),
    "2-term DNF over 4 columns": (lambda: KTermDnf(variables=4, terms=2), "0", {}, "replace-one"),
    "lines modulo 101": (lambda: Lines(p=101), "0", {}, "replace-one"),
    "parities, uniform, delta, 12 bits": (
        lambda: Parities(bits=12),
        "1e-6",
        {"marginal": "uniform"},
        "replace-one",
    ),
    "100 points, proper, delta, 64 bits": (
        lambda: Points(bits=64),
        "1e-6",
        {"output": "proper", "k": 100},
        "replace-one",
    ),
    "100 thresholds, agnostic, delta, 64 bits": (
        lambda: Thresholds(bits=64),
        "1e-6",
        {"setting": "agnostic", "k": 100},
        "replace-one",
    ),
}


def _row(name: str, effort: Effort) -> Sequence[Row]:
    made, delta, more, relation = TASKS[name]
    task = Task(
        made(),
        privacy=Privacy(1, delta, relation=relation),
        accuracy=Accuracy("0.1", "0.05"),
        **more,  # type: ignore[arg-type]
    )
    found = plan(task)
    best = found.runnable
    measured = None
    if best is not None and best.n <= _MOST_MEASURED[effort.name]:
        measured = least(best.algorithm, task, effort=effort, seed=f"least {name}").words()
    return [
        {
            "task": name,
            "needed": found.lower_bounds[0].n if found.lower_bounds else None,
            "measured": measured,
            "enough": best.n if best else None,
            "by": best.name if best else "no learner that runs here",
            "theorem": best.claim.cite if best else None,
        }
    ]


LEAST = reproduction(
    Experiment(
        name="least-records",
        title="Records that are enough, that were enough, and that are needed",
        says="Each of the papers' learners, or the one that replaces it, at alpha 0.1, beta "
        "0.05, epsilon 1 and delta 1e-6 where there is a delta.",
        changed="All constants are ours. Measured is the least number of records on the hardest "
        "law tried, between a number shown too small and one shown to be enough.",
        columns=("task", "needed", "measured", "enough", "by", "theorem"),
        parts=lambda effort: [Part(key=name, rows=partial(_row, name, effort)) for name in TASKS],
        measured=("measured",),
    )
)
