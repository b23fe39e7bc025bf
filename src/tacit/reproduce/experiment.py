"""What a reproduction is: a statement of a paper, and the table of numbers that shows it."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from tacit.core import BadInput

Value = str | int | float | None
Row = Mapping[str, Value]


@dataclass(frozen=True, slots=True, kw_only=True)
class Effort:
    """How much is simulated. Planned numbers are the same whatever the effort.

    ``runs``   releases at one number of records before a test is left undecided.
    ``wrong``  the probability that one decided test is wrong.
    ``ratio``  how near the two ends of a bracket shall come.
    """

    name: str
    runs: int
    wrong: Fraction
    ratio: float


PLANNED = Effort(name="planned", runs=0, wrong=Fraction(1), ratio=1)
"""Nothing is simulated: only what the registry says. Takes seconds."""
QUICK = Effort(name="quick", runs=600, wrong=Fraction(1, 20), ratio=1.5)
FULL = Effort(name="full", runs=10_000, wrong=Fraction(1, 100), ratio=1.1)
EFFORTS = {effort.name: effort for effort in (PLANNED, QUICK, FULL)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A piece of work that is kept once it is done: its rows, under a name of its own."""

    key: str
    rows: Callable[[], Sequence[Row]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """Which columns are drawn: ``y`` columns as lines over ``x``, a panel each ``panel``."""

    x: str
    y: tuple[str, ...]
    panel: str | None = None
    logarithmic: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Experiment:
    """A statement of one of the papers, with everything that is needed to see it again.

    ``says``     what the paper states, and where.
    ``changed``  where our constants or corrections change it.
    ``parts``    the work for an effort; each part is kept by itself, so a run can go on.
    ``measured`` the columns that come from simulation; all others are the registry's.
    """

    name: str
    title: str
    says: str
    changed: str
    columns: tuple[str, ...]
    parts: Callable[[Effort], Sequence[Part]]
    measured: tuple[str, ...] = ()
    chart: Chart | None = None

    def part(self, key: str, effort: Effort) -> Part:
        """The part of that name."""
        return next(part for part in self.parts(effort) if part.key == key)


_REGISTERED: dict[str, Experiment] = {}


def reproduction(entry: Experiment) -> Experiment:
    """Add an experiment to the list; a file of this package is all that one needs."""
    _REGISTERED[entry.name] = entry
    return entry


def experiments() -> list[Experiment]:
    """Every reproduction, in the order of the names of their files."""
    import tacit.reproduce.papers as room

    for module in sorted(found.name for found in pkgutil.iter_modules(room.__path__)):
        importlib.import_module(f"{room.__name__}.{module}")
    return list(_REGISTERED.values())


def named(names: Sequence[str]) -> list[Experiment]:
    """The experiments of those names; ``all`` is every one."""
    every = experiments()
    if list(names) == ["all"]:
        return every
    known = {entry.name: entry for entry in every}
    for name in names:
        if name not in known:
            import difflib

            near = difflib.get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise BadInput(f"there is no reproduction {name!r}{hint}; `--list` shows them all")
    return [known[name] for name in names]


def rows_of(entry: Experiment, effort: Effort) -> Iterator[Row]:
    """All rows, made here and now (for tests and for planned tables that take no time)."""
    for part in entry.parts(effort):
        yield from part.rows()
