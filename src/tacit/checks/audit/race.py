"""Which neighbours, and which event: candidates race, and the better half goes on.

Nothing here is certified. Whoever wins, the bound comes from fresh runs.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field

from tacit.checks.audit.events import LearnedEvent, Pool, Readings, learn
from tacit.checks.audit.features import probes
from tacit.checks.audit.neighbours import Walk, data_key

Place = tuple[int, int]
_FIRST_RUNS = 60  # runs on either side that a pair needs in the first lap
_FIRST_LAP = 0.4  # the share of the runs that all pairs have at first
_AT_THE_END = 3  # pairs that stay to the end
_HOPEFUL, _CAREFUL = 0.5, 1.0
_EXAMPLES = 8  # outputs of each pool that features are guessed from


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The winner: its events on ``here`` against ``there``, and what the race took."""

    walk: int
    step: int
    direction: str
    here: object
    there: object
    events: Sequence[LearnedEvent]
    pools: Sequence[Pool]
    runs: int
    pace: float


Verdict = tuple[float, str, list[LearnedEvent]]


@dataclass(slots=True)
class _Track:
    """Data sets that were run, under the names that candidates share."""

    walks: Sequence[Walk]
    draw: Callable[[object], object]
    delta: float
    fresh: int
    pools: dict[Hashable, Pool] = field(default_factory=dict)
    names: dict[Place, Hashable] = field(default_factory=dict)
    spent: int = 0
    took: float = 0.0

    def name(self, walk: int, j: int) -> Hashable:
        if (walk, j) not in self.names:
            self.names[walk, j] = data_key(self.walks[walk].data(j))
        return self.names[walk, j]

    def pool(self, walk: int, j: int) -> Pool:
        return self.pools[self.name(walk, j)]

    def run(self, places: Sequence[Place], number: int) -> None:
        """Run the mechanism about ``number`` times, shared among the data sets of ``places``."""
        wanted = {self.name(w, j + side): (w, j + side) for w, j in places for side in (0, 1)}
        begun = time.monotonic()
        for label, (w, j) in wanted.items():
            pool, data = self.pools.setdefault(label, Pool()), self.walks[w].data(j)
            for _ in range(max(1, number // len(wanted))):
                pool.add(self.draw(data))
                self.spent += 1
        self.took += time.monotonic() - begun

    def readings(self) -> Readings:
        kept = [list(pool.kept.values())[:_EXAMPLES] for pool in self.pools.values()]
        examples = [output for some in kept for output in some]
        return Readings(examples, probes(*(walk.data(0) for walk in self.walks)))

    def judge(self, readings: Readings, place: Place, doubt: float) -> Verdict:
        """The better direction of a candidate, and the events that promise most there."""
        w, j = place
        forward, backward = learn(
            readings,
            self.pool(w, j),
            self.pool(w, j + 1),
            delta=self.delta,
            fresh=self.fresh,
            doubt=doubt,
        )
        return max(
            (events[0].promise if events else -math.inf, direction, events)
            for direction, events in (("forward", forward), ("backward", backward))
        )

    def found(self, place: Place, verdict: Verdict) -> Found:
        _, direction, events = verdict
        w, j = place
        sides = [self.walks[w].data(j), self.walks[w].data(j + 1)]
        if direction == "backward":
            sides.reverse()
        return Found(
            walk=w,
            step=j,
            direction=direction,
            here=sides[0],
            there=sides[1],
            events=events,
            pools=[self.pool(w, j), self.pool(w, j + 1)],
            runs=self.spent,
            pace=self.took / max(1, self.spent),
        )


def race(
    walks: Sequence[Walk],
    draw: Callable[[object], object],
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
    track = _Track(walks, draw, delta, fresh)
    alive = _entrants(walks, runs, track.name)
    tried = set(alive)
    rounds = 1 + max(0, math.ceil(math.log2(len(alive) / _AT_THE_END)))
    readings = Readings([], [])
    for lap in range(rounds):
        told(f"round {lap + 1} of {rounds}: {len(alive)} pairs of neighbours")
        left = runs - track.spent
        first = lap == 0 and rounds > 1
        track.run(alive, int(_FIRST_LAP * left) if first else left // (rounds - lap))
        if lap == 0:
            readings = track.readings()
        last = lap == rounds - 1 or time.monotonic() > end
        # Few runs must not end a good pair's race; later only what is rather sure counts.
        doubt = _HOPEFUL if first else _CAREFUL
        verdicts = {place: track.judge(readings, place, doubt) for place in alive}
        ranked = sorted(alive, key=lambda place: -verdicts[place][0])
        if last:
            break
        alive = ranked[: max(_AT_THE_END, len(ranked) // 2)]
        for place in alive[:2]:
            joining = _between(place, tried, walks[place[0]].steps)
            tried.update(joining)
            alive += joining
    return track.found(ranked[0], verdicts[ranked[0]])


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
