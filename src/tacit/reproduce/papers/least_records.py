"""Planned, needed and measured records of the learners that need fewest: one task a row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from tacit.core import Accuracy, Privacy, Task
from tacit.planner import plan
from tacit.problems.boxes.grid_boxes import GridBoxes
from tacit.problems.boxes.grid_intervals import GridIntervals
from tacit.problems.formulas.k_term_dnf import KTermDnf
from tacit.problems.lines.lines import Lines
from tacit.problems.one_way.sequences import OneWaySequences
from tacit.problems.parities.parities import Parities
from tacit.problems.points.points import Points
from tacit.problems.thresholds.thresholds import Thresholds
from tacit.reproduce.experiment import Effort, Experiment, Part, Row, reproduction
from tacit.reproduce.least import at_plan, least

_MOST_SEARCHED = {"planned": 0, "quick": 1000, "full": 30_000}
"""Plans of more records than this are tried at the planned number only."""
_MOST_LABELS = {"planned": 0, "quick": 11_000_000, "full": 10**9}
"""Plans whose records have more labels than this in all are not simulated."""

Wanted = Mapping[str, Any]
_DELTA = {"delta": "1e-6"}
_TENTH = {"beta": "0.1"}
_PROPER = {"output": "proper"}
_AGNOSTIC = {"setting": "agnostic"}
_LABEL = {"relation": "label"}
_UNIFORM = {"marginal": "uniform"}

TASKS: Mapping[str, tuple[Callable[..., Any], Wanted, Wanted]] = {
    "points, pure, 64 bits": (Points, {"bits": 64}, _PROPER),
    "points, any rule, pure, 64 bits": (Points, {"bits": 64}, {}),
    "points, delta, 64 bits": (Points, {"bits": 64}, {**_PROPER, **_DELTA}),
    "points, delta, 1000 bits": (Points, {"bits": 1000}, {**_PROPER, **_DELTA}),
    "points, labels private, 64 bits": (Points, {"bits": 64}, {**_PROPER, **_LABEL}),
    "points, labels private, 1000 bits": (Points, {"bits": 1000}, {**_PROPER, **_LABEL}),
    "thresholds, pure, 16 bits": (Thresholds, {"bits": 16}, {}),
    "thresholds, agnostic, pure, 64 bits": (Thresholds, {"bits": 64}, _AGNOSTIC),
    "thresholds, agnostic, pure, 1000 bits": (Thresholds, {"bits": 1000}, _AGNOSTIC),
    "thresholds, agnostic, labels private, 1000 bits": (
        Thresholds,
        {"bits": 1000},
        {**_AGNOSTIC, **_LABEL},
    ),
    "intervals, agnostic, pure, 64 bits": (GridIntervals, {"bits": 64}, _AGNOSTIC),
    "boxes of 2 columns, agnostic, pure, 64 bits": (
        GridBoxes,
        {"bits": 64, "columns": 2},
        _AGNOSTIC,
    ),
    "boxes of 3 columns, agnostic, pure, 64 bits": (
        GridBoxes,
        {"bits": 64, "columns": 3},
        _AGNOSTIC,
    ),
    "boxes of 2 columns, agnostic, pure, 4 bits": (
        GridBoxes,
        {"bits": 4, "columns": 2},
        _AGNOSTIC,
    ),
    "thresholds, delta, 256 bits": (Thresholds, {"bits": 256}, _DELTA),
    "thresholds, delta, 1000 bits": (Thresholds, {"bits": 1000}, _DELTA),
    "thresholds, delta, 4096 bits": (Thresholds, {"bits": 4096}, _DELTA),
    "thresholds, labels private, 64 bits": (Thresholds, {"bits": 64}, _LABEL),
    "thresholds, labels private, 1000 bits": (Thresholds, {"bits": 1000}, _LABEL),
    "thresholds, uniform, 32 bits": (Thresholds, {"bits": 32}, _UNIFORM),
    "one-way sequences, 36 bits": (OneWaySequences, {"bits": 36}, {}),
    "one-way sequences, 64 bits": (OneWaySequences, {"bits": 64}, {}),
    "one-way sequences, 1000 bits": (OneWaySequences, {"bits": 1000}, {}),
    "2-term DNF over 4 columns": (KTermDnf, {"columns": 4, "terms": 2}, _PROPER),
    "2-term DNF over 6 columns": (KTermDnf, {"columns": 6, "terms": 2}, _PROPER),
    "2-term DNF over 4 columns, agnostic": (
        KTermDnf,
        {"columns": 4, "terms": 2},
        {**_PROPER, **_AGNOSTIC},
    ),
    "lines modulo 101": (Lines, {"size": 101}, {}),
    "lines modulo 9999991": (Lines, {"size": 9_999_991}, {}),
    "lines modulo 2^61 - 1": (Lines, {"size": 2**61 - 1}, {}),
    "10 parities, uniform, delta, 12 bits": (
        Parities,
        {"bits": 12},
        {**_UNIFORM, **_DELTA, **_TENTH, "k": 10},
    ),
    "10 parities, uniform, delta, 64 bits": (
        Parities,
        {"bits": 64},
        {**_UNIFORM, **_DELTA, **_TENTH, "k": 10},
    ),
    "100 points, delta, 64 bits": (
        Points,
        {"bits": 64},
        {**_PROPER, **_DELTA, **_TENTH, "k": 100},
    ),
    "10 points, pure, 1000 bits": (Points, {"bits": 1000}, {**_PROPER, **_TENTH, "k": 10}),
    "100 points, pure, 1000 bits": (Points, {"bits": 1000}, {**_PROPER, **_TENTH, "k": 100}),
    "1000 points, pure, 1000 bits": (Points, {"bits": 1000}, {**_PROPER, **_TENTH, "k": 1000}),
    "100 thresholds, agnostic, delta, 64 bits": (
        Thresholds,
        {"bits": 64},
        {**_AGNOSTIC, **_DELTA, **_TENTH, "k": 100},
    ),
    "100 thresholds, agnostic, pure, 64 bits": (
        Thresholds,
        {"bits": 64},
        {**_AGNOSTIC, **_TENTH, "k": 100},
    ),
}


def task_of(name: str) -> Task:
    """The task of one row: alpha 0.1, beta 0.05 and epsilon 1 where nothing else is said."""
    made, numbers, said = TASKS[name]
    more = {key: value for key, value in said.items() if key not in ("delta", "relation", "beta")}
    return Task(
        made(**numbers),
        privacy=Privacy(1, said.get("delta", "0"), relation=said.get("relation", "replace-one")),
        accuracy=Accuracy("0.1", said.get("beta", "0.05")),
        **more,
    )


def _row(name: str, effort: Effort) -> Sequence[Row]:
    task = task_of(name)
    found = plan(task)
    best, runs = found.best, found.runnable
    measured = failures = None
    if runs is not None and runs.n * task.k <= _MOST_LABELS[effort.name]:
        search = runs.n <= _MOST_SEARCHED[effort.name]
        bracket = least(runs.algorithm, task, effort=effort, seed=f"least {name}", search=search)
        failures = at_plan(*bracket.at_plan, effort.wrong)
        measured = bracket.words() if search and bracket.enough is not None else None
        if search and bracket.enough is None and bracket.fails is not None:
            measured = f"{bracket.fails + 1} or more"
    return [
        {
            "task": name,
            "needed": found.lower_bounds[0].n if found.lower_bounds else None,
            "measured": measured,
            "enough": best.n if best else None,
            "by": best.name if best else "no learner",
            "run with": runs.n if runs else "no learner that runs here",
            "at that number": failures,
            "theorem": best.claim.cite if best else None,
        }
    ]


LEAST = reproduction(
    Experiment(
        name="least-records",
        title="Records that are enough, that were enough, and that are needed",
        says="Each of the papers' learners, or the one that replaces it, at alpha 0.1, beta "
        "0.05 (several tasks: 0.1), epsilon 1 and delta 1e-6 where there is a delta; points, "
        "formulas and thresholds are learned by a rule of the class.",
        changed="All constants are ours. Measured is the least number of records on the hardest "
        "law tried, between a number shown too small and one shown to be enough; it is looked for "
        "where at most 1000 records are planned, and nothing is tried where the records have more "
        "than eleven million labels in all (`--full`: 30,000 records, and all of them). Where "
        "the learner with the fewest records does not run here, the one that does is tried. Not "
        "run at all: boxes of 64 bits (18,336 records can be enclosed by 2.8 x 10^16 different "
        "boxes of 2 columns, 26,082 by 3.9 x 10^25 of 3 columns; boxes of 4 bits are run in their "
        "place), the gap test on parities of 64 bits (2^64 masks; 12 bits are run in its place), "
        "and one seed after another of one-way sequences of 1000 bits (2^30 seeds on 576 records: "
        "6 x 10^11 strings to compute; 64 bits are run in their place). 1000 points of 1000 bits "
        "have 392 million labels: 19 s and 540 MB a run, so they are left to `--full`.",
        columns=(
            "task",
            "needed",
            "measured",
            "enough",
            "by",
            "run with",
            "at that number",
            "theorem",
        ),
        parts=lambda effort: [Part(key=name, rows=partial(_row, name, effort)) for name in TASKS],
        measured=("measured", "at that number"),
    )
)
