"""What can be read off an output: the value itself, its numbers, what a rule answers.

A feature is a total function from outputs to a label or a number; whatever cannot be read
is ``None``. Events are learned from features (``tacit.checks.audit.events``).
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tacit.checks.attacks.floating_point import finest_bit
from tacit.checks.audit.outputs import key, vector, writes
from tacit.core import Sample
from tacit.core.hypothesis import Predicts

Read = Callable[[Any], Any]
_MOST_COLUMNS = 12
_MOST_PROBES = 6


@dataclass(frozen=True, slots=True)
class Feature:
    """``read`` gives a label, or a float where ``ordered``; ``None`` if there is nothing."""

    name: str
    read: Read
    ordered: bool


def probes(*datasets: object) -> list[object]:
    """Some different values that occur in these data sets, to ask rules and tables about."""
    found: dict[Hashable, object] = {}
    for data in datasets:
        values = data.x if isinstance(data, Sample) else data
        if isinstance(values, (np.ndarray, list, tuple)) and np.ndim(values) > 0:
            for value in values:
                if len(found) < _MOST_PROBES:
                    found.setdefault(key(value), value)
    return list(found.values())


def features(outputs: Sequence[object], asked: Sequence[object]) -> list[Feature]:
    """Ways of reading outputs like these; ``asked`` are values to ask rules and tables about."""
    found = [Feature("value", key, ordered=False)]
    some = list(outputs[:200])
    if any(isinstance(output, Predicts) for output in some) and asked:
        found += _answers(some, asked)
    if any(_rows(output) is not None for output in some):
        found += _tables(asked)
    widths = {len(row) for row in map(vector, some) if row is not None}
    if widths:
        for column in range(min(max(widths), _MOST_COLUMNS)):
            found += _numbers(f"number {column}", _entry(column), some)
    else:
        read = _remembered(_total(_leaves))
        paths = sorted({path for output in some for path in read(output) or ()})
        for path in paths[:_MOST_COLUMNS]:
            found += _numbers(path, _within(read, path), some)
    return [Feature(one.name, _total(one.read), one.ordered) for one in found]


def _remembered(read: Read) -> Read:
    """Several features read the same part of one output after another."""
    last: list[object] = [None, None]

    def reading(output: object) -> Any:
        if last[0] is not output:
            last[:] = [output, read(output)]
        return last[1]

    return reading


def _within(read: Read, place: object) -> Read:
    return lambda output: read(output)[place]


def _total(read: Read) -> Read:
    def reading(output: object) -> Any:
        try:
            return read(output)
        except Exception:  # noqa: BLE001 - anybody's objects may raise anything
            return None

    return reading


def _numbers(name: str, read: Read, some: Sequence[object]) -> Iterator[Feature]:
    values = [value for value in map(_total(read), some) if value is not None]
    if len(set(values)) < 2:
        return
    yield Feature(name, read, ordered=True)
    if any(math.isfinite(value) and value != round(value) for value in values):
        yield Feature(f"last bit of {name}", lambda o: max(-60, finest_bit(read(o))), ordered=False)


def _entry(column: int) -> Read:
    def read(output: object) -> float | None:
        row = vector(output)
        return None if row is None or column >= len(row) else row[column]

    return read


def _answers(some: Sequence[object], asked: Sequence[object]) -> Iterator[Feature]:
    """What rules say about the probes: all of it, and one at a time."""
    where = np.array(asked)

    @_remembered
    def said(output: Any) -> tuple[Any, ...]:
        return tuple(np.asarray(output.predict(where)).ravel().tolist())

    yield Feature("answers on the records", said, ordered=False)
    widest = max((len(_total(said)(output) or ()) for output in some), default=0)
    for place in range(min(widest, _MOST_COLUMNS)):
        yield Feature(f"answer {place}", _within(said, place), ordered=False)
    yield Feature("how many answers are 1", lambda o: float(sum(said(o))), ordered=True)


def _rows(output: object) -> list[tuple[float, float]] | None:
    """Values and counts, if the output is a table of them."""
    rows = getattr(output, "rows", output if isinstance(output, tuple) else None)
    if not isinstance(rows, (tuple, list)):
        return None
    try:
        return [(float(value), float(count)) for value, count in rows]
    except (TypeError, ValueError):
        return None


def _tables(asked: Sequence[Any]) -> Iterator[Feature]:
    """How much a table gives to each probe, and up to it."""
    read = _remembered(_rows)

    for probe in asked:
        if np.ndim(probe) == 0:
            at = float(probe)
            yield Feature(f"rows at {at:g}", _mass(read, at, at), ordered=True)
            yield Feature(f"share at {at:g}", _share(read, at, at), ordered=True)
            yield Feature(f"share up to {at:g}", _share(read, -math.inf, at), ordered=True)
    yield Feature("rows", lambda o: float(len(read(o) or ())), ordered=True)


def _mass(read: Read, low: float, high: float) -> Read:
    return lambda output: sum(count for value, count in read(output) if low <= value <= high)


def _share(read: Read, low: float, high: float) -> Read:
    inside, everything = _mass(read, low, high), _mass(read, -math.inf, math.inf)
    return lambda output: inside(output) / (everything(output) or 1.0)


def _leaves(output: object) -> dict[str, float]:
    """The numbers in what an object writes of itself, by where they stand."""
    held: Mapping[str, object]
    if writes(output):
        held = output.to_dict()
    elif isinstance(output, dict):
        held = output
    elif hasattr(output, "__dict__"):
        held = vars(output)
    else:
        return {}
    found: dict[str, float] = {}
    _gather(json.loads(json.dumps(held, default=str)), "", found)
    return found


def _gather(held: object, path: str, found: dict[str, float]) -> None:
    if len(found) > 4 * _MOST_COLUMNS:
        return
    if isinstance(held, dict):
        for name, part in held.items():
            _gather(part, f"{path}.{name}" if path else str(name), found)
    elif isinstance(held, list):
        for place, part in enumerate(held):
            _gather(part, f"{path}[{place}]", found)
    else:
        number = _number(held)
        if number is not None:
            found[path] = number


def _number(text: object) -> float | None:
    if isinstance(text, (bool, int, float)):
        return float(text)
    if not isinstance(text, str) or len(text) > 40:
        return None
    try:
        return float.fromhex(text) if "0x" in text else float(text)
    except ValueError:
        return None
