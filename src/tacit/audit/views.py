"""Ways of looking at outputs: each turns an output into a label; events are sets of labels.

An event is learned from labelled outputs of two data sets: labels in order of how much
more often one of the two shows them, cut where the evidence is best.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.attacks.floating_point import finest_bit
from tacit.audit.outputs import key, vector

_BINS = 64
_MOST_COLUMNS = 8

View = Callable[[Any], Hashable]


@dataclass(frozen=True, slots=True)
class LearnedEvent:
    """An output belongs to the event if its label is one of ``labels``."""

    what: str
    view: View
    labels: frozenset[Hashable]
    promise: float

    def __contains__(self, output: Any) -> bool:
        return self.view(output) in self.labels


def views(outputs: Sequence[Any]) -> list[tuple[str, View]]:
    """Some ways to look at outputs like these."""
    found: list[tuple[str, View]] = [("value", key)]
    numbers = [vector(output) for output in outputs]
    lengths = {len(row) for row in numbers if row is not None}
    if None in numbers or len(lengths) != 1 or lengths == {0}:
        return found
    table = np.array(numbers, dtype=float)
    for column in range(min(table.shape[1], _MOST_COLUMNS)):
        values = table[:, column]
        if len(np.unique(values)) > _BINS:
            edges = np.unique(np.quantile(values, np.linspace(0, 1, _BINS + 1)[1:-1]))
            found.append((f"number {column} in bins", _binned(column, edges)))
        if np.any(values != np.round(values)):
            found.append((f"last bit of number {column}", _last_bit(column)))
    return found


def _binned(column: int, edges: Any) -> View:
    return lambda output: int(np.searchsorted(edges, _number(output, column)))


def _last_bit(column: int) -> View:
    return lambda output: max(-60, finest_bit(_number(output, column)))


def _number(output: Any, column: int) -> float:
    row = vector(output)
    return math.nan if row is None or column >= len(row) else row[column]


def learn(here: Sequence[Any], there: Sequence[Any], *, delta: float) -> LearnedEvent | None:
    """The event that seems to tell ``here`` from ``there`` best; ``None`` if nothing does.

    Its ``promise`` is a rough lower bound on epsilon, to compare events by: it is not
    certified, because the event was chosen on these very outputs.
    """
    best: LearnedEvent | None = None
    for what, view in views([*here[:2000], *there[:2000]]):
        ours, theirs = Counter(map(view, here)), Counter(map(view, there))
        if len(ours) > len(here) / 2 and what == "value":
            continue
        ranked = sorted(
            ours.keys() | theirs.keys(),
            key=lambda label: (ours[label] + 0.5) / (theirs[label] + 0.5),
            reverse=True,
        )
        seen = np.cumsum([ours[label] for label in ranked])
        false = np.cumsum([theirs[label] for label in ranked])
        promise = _rough(seen, len(here), false, len(there), delta)
        cut = int(np.argmax(promise))
        if promise[cut] > 0 and (best is None or promise[cut] > best.promise):
            best = LearnedEvent(what, view, frozenset(ranked[: cut + 1]), float(promise[cut]))
    return best


def _rough(seen: Any, runs: int, false: Any, other_runs: int, delta: float) -> Any:
    """``ln((p - delta) / q)`` with both moved by three standard errors (Wilson's limits)."""
    low = _wilson(seen, runs, -3.0) - delta
    high = _wilson(false, other_runs, 3.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(low > 0, np.log(np.maximum(low, 1e-300) / high), -np.inf)


def _wilson(successes: Any, trials: int, errors: float) -> Any:
    share, z2 = np.asarray(successes) / trials, errors**2 / trials
    width = errors / math.sqrt(trials) * np.sqrt(share * (1 - share) + z2 / 4)
    return (share + z2 / 2 + width) / (1 + z2)
