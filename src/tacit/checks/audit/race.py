"""Which neighbours, and which event: candidates race, and the better half goes on.

Nothing here is certified. Whoever wins, the bound comes from fresh runs.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from tacit.checks.audit.events import LearnedEvent, Pool, Readings, learn
from tacit.checks.audit.features import probes
from tacit.checks.audit.neighbours import Walk, data_key

Place = tuple[int, int]
_FIRST_RUNS = 60
_FIRST_LAP = 0.4
_AT_THE_END = 3
_HOPEFUL, _CAREFUL = 0.5, 1.0
_EXAMPLES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The winner: its events on ``here`` against ``there``, and what the race took."""

    walk: int
    step: int
    direction: str
    here: Any
    there: Any
    events: Sequence[LearnedEvent]
    pools: Sequence[Pool]
    runs: int
    pace: float


def race(
    walks: Sequence[Walk],
    draw: Callable[[Any], Any],
    *,
    runs: int,
    fresh: int,
    delta: float,
    end: float,
    told: Callable[[str], None],
) -> Found:
    """Find a pair of neighbours and an event with about ``runs`` runs, not after ``end``.

    Data sets that candidates share are run once for all. After each round the steps next
    to the best ones, halfway to those that were tried, join.
    """
    pools: dict[Hashable, Pool] = {}
    names: dict[Place, Hashable] = {}
    spent, took = [0], [0.0]

    def name(walk: int, j: int) -> Hashable:
        if (walk, j) not in names:
            names[walk, j] = data_key(walks[walk].data(j))
        return names[walk, j]

    def run(places: Sequence[Place], number: int) -> None:
        wanted = {name(w, j + side): (w, j + side) for w, j in places for side in (0, 1)}
        begun = time.monotonic()
        for label, (w, j) in wanted.items():
            pool, data = pools.setdefault(label, Pool()), walks[w].data(j)
            for _ in range(max(1, number // len(wanted))):
                pool.add(draw(data))
                spent[0] += 1
        took[0] += time.monotonic() - begun

    def judge(place: Place, doubt: float) -> tuple[float, str, list[LearnedEvent]]:
        w, j = place
        forward, backward = learn(
            readings,
            pools[name(w, j)],
            pools[name(w, j + 1)],
            delta=delta,
            fresh=fresh,
            doubt=doubt,
        )
        return max(
            (events[0].promise if events else -math.inf, direction, events)
            for direction, events in (("forward", forward), ("backward", backward))
        )

    alive = _entrants(walks, runs, name)
    tried = set(alive)
    rounds = 1 + max(0, math.ceil(math.log2(len(alive) / _AT_THE_END)))
    best, readings = alive[0], Readings([], [])
    verdicts: dict[Place, tuple[float, str, list[LearnedEvent]]] = {}
    for lap in range(rounds):
        told(f"round {lap + 1} of {rounds}: {len(alive)} pairs of neighbours")
        left = runs - spent[0]
        first = lap == 0 and rounds > 1
        run(alive, int(_FIRST_LAP * left) if first else left // (rounds - lap))
        if lap == 0:
            examples = [o for pool in pools.values() for o in list(pool.kept.values())[:_EXAMPLES]]
            readings = Readings(examples, probes(*(walk.data(0) for walk in walks)))
        last = lap == rounds - 1 or time.monotonic() > end
        # Few runs must not end a good pair's race; later only what is rather sure counts.
        verdicts = {place: judge(place, _HOPEFUL if first else _CAREFUL) for place in alive}
        ranked = sorted(alive, key=lambda place: -verdicts[place][0])
        best = ranked[0]
        if last:
            break
        alive = ranked[: max(_AT_THE_END, len(ranked) // 2)]
        for place in alive[:2]:
            joining = _between(place, tried, walks[place[0]].steps)
            tried.update(joining)
            alive += joining
    _, direction, events = verdicts[best]
    w, j = best
    sides = [walks[w].data(j), walks[w].data(j + 1)]
    both = [pools[name(w, j)], pools[name(w, j + 1)]]
    if direction == "backward":
        sides.reverse()
    return Found(
        walk=w,
        step=j,
        direction=direction,
        here=sides[0],
        there=sides[1],
        events=events,
        pools=both,
        runs=spent[0],
        pace=took[0] / max(1, spent[0]),
    )


def _entrants(
    walks: Sequence[Walk], runs: int, name: Callable[[int, int], Hashable]
) -> list[Place]:
    """Steps to start with, as many as can be run often enough: the given pairs, then the
    middle of every walk, then the ends, then others; each pair of data sets once.
    """
    given = [(w, 0) for w, walk in enumerate(walks) if walk.pair is not None]
    others = sorted(
        (turn, w, j)
        for w, walk in enumerate(walks)
        if walk.pair is None
        for turn, j in enumerate(walk.positions())
    )
    different: dict[Hashable, Place] = {}
    for w, j in (*given, *((w, j) for _, w, j in others)):
        different.setdefault(frozenset((name(w, j), name(w, j + 1))), (w, j))
    room = max(len(given), int(_FIRST_LAP * runs) // (2 * _FIRST_RUNS))
    return list(different.values())[:room]


def _between(place: Place, tried: set[Place], steps: int) -> list[Place]:
    """Halfway from a step to the next ones of its walk that were tried."""
    walk, step = place
    others = sorted(j for w, j in tried if w == walk)
    below = max((j for j in others if j < step), default=-1)
    above = min((j for j in others if j > step), default=steps)
    return [
        (walk, j)
        for j in {(below + step) // 2, (above + step + 1) // 2}
        if below < j < above and j != step and 0 <= j < steps
    ]
