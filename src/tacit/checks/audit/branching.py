"""The exact law of a mechanism: every draw becomes a branch with the weight its sampler states.

What is enumerated is the mechanism around the samplers: all of its code runs, once for every
way its draws can fall. A mechanism inside another is one branch: its own law is worked out
once for the records it sees, and outputs that are equal are followed together.
"""

from __future__ import annotations

import dataclasses
import hashlib
import math
import time
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from fractions import Fraction
from functools import singledispatch
from typing import Any, TypeVar

import numpy as np

from tacit.checks.audit.lazy_noise import Noise, rewinding
from tacit.checks.audit.outputs import key
from tacit.checks.audit.sampler_laws import LawSampler, NoLaw
from tacit.core import Mechanism, Sampler
from tacit.core.mechanism import SomeMechanism
from tacit.core.tiny import FAINT
from tacit.exact.balls import Ball, at, ball
from tacit.exact.entropy import CounterRng
from tacit.mechanisms.noise import Geometric
from tacit.mechanisms.stability import StabilityHistogram
from tacit.problems.points.hashed import HashedPointLearner
from tacit.problems.points.hashes import HashedPointRule
from tacit.problems.points.proposition_30 import PrintedHistogram
from tacit.problems.points.random_sets import RandomSetLearner
from tacit.problems.points.sparse_histogram import SparseHistogram
from tacit.problems.protocols.protocol import ProtocolLearner
from tacit.problems.tables.checked import CheckedLearner

D = TypeVar("D")
V = TypeVar("V")

BITS = 160
MOST = 100_000

_PUBLIC_COINS = (HashedPointLearner, ProtocolLearner, RandomSetLearner)
"""Learners that publish their hash functions, and are private whatever these are."""
_HISTOGRAMS = (PrintedHistogram, SparseHistogram, StabilityHistogram)
"""They compare an array of noisy counts with a threshold before they look at any number."""
_OPEN = (CheckedLearner, Geometric, *_HISTOGRAMS)
"""They release noisy numbers; inside another mechanism their noise is followed only as far as
that one looks at it."""

_END: ContextVar[float] = ContextVar("end of the time for laws", default=math.inf)
_KNOWN: ContextVar[dict[Any, Law] | None] = ContextVar("laws of parts", default=None)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Inside, laws that are not finished after so many seconds in all are given up."""
    token = _END.set(time.monotonic() + seconds)
    try:
        yield
    finally:
        _END.reset(token)


@contextmanager
def following() -> Iterator[None]:
    """Inside, in this thread, laws are kept: of parts, and of whole mechanisms in ``exact``."""
    if _KNOWN.get() is not None:
        yield
        return
    token = _KNOWN.set({})
    try:
        yield
    finally:
        _KNOWN.reset(token)


@dataclass(frozen=True, slots=True)
class Law:
    """How likely each output is, as balls; ``rest`` bounds what was not followed up.

    ``coins`` is ``"fixed"`` if the law is conditional on one drawing of public coins.
    ``values`` holds an output for each key, where it is not the key itself.
    """

    masses: dict[Any, Ball]
    rest: Ball
    coins: str = "none"
    values: dict[Any, Any] = field(default_factory=dict)


class _Faint(Exception):
    """What is left of a path weighs too little to be followed."""


class Tree(LawSampler):
    """One way through a mechanism: answers from a script, then branches."""

    def __init__(self, walk: _Walk, script: tuple[int, ...], weight: Ball) -> None:
        self._walk, self._open, self._script, self._place = walk, walk.open, list(script), 0
        self.lazily = False
        self.weight = weight
        self.faint = walk.faint

    def choose(self, weights: Callable[[], Sequence[Ball]]) -> int:
        if self._place < len(self._script):
            self._place += 1
            return self._script[self._place - 1]
        heavy = [(place, self.weight * share) for place, share in enumerate(weights())]
        faint = ball(self.faint)
        heavy = [(place, weight) for place, weight in heavy if not weight < faint]
        if not heavy:
            raise _Faint
        here = tuple(self._script)
        self._open += [((*here, place), weight) for place, weight in heavy[1:]]
        answer, self.weight = heavy[0]
        self._script.append(answer)
        self._place += 1
        return answer

    def output(self, mechanism: Mechanism[D, V], data: D) -> V:
        """What a mechanism puts out on this way."""
        before, self.lazily = self.lazily, isinstance(mechanism, _HISTOGRAMS)
        try:
            return mechanism._release(data, rng=self)
        finally:
            self.lazily = before

    def ways(self, output: object, draw: Callable[[Noise], int]) -> Iterator[Any]:
        """The output with the noise in it drawn, in every way; ``weight`` is that of the way.

        Nothing but the noise is drawn any more, so the mechanism need not run again for each.
        """
        rewind = rewinding(_noise_in(output))
        self._open = [((), self.weight)]
        while self._open:
            script, self.weight = self._open.pop()
            self._script, self._place = list(script), 0
            if script:
                self._walk.begin()
            rewind()
            try:
                settled = _settled(output, draw)
            except _Faint:
                continue
            yield settled

    def part(self, mechanism: Mechanism[D, V], data: D) -> V:
        """What a mechanism inside the one that is followed puts out, as one branch."""
        opened = isinstance(mechanism, _OPEN)
        if opened:
            return self.output(mechanism, data)
        found = self._walk.law_of_part(mechanism, data, tuple(self._script[: self._place]))
        outputs = list(found.masses)
        if not outputs:
            raise _Faint
        seen = outputs[self.choose(lambda: list(found.masses.values()))]
        output: V = found.values.get(seen, seen)
        return output

    def public_coins(self) -> Sampler:
        if not self._walk.coins_are_public:
            raise NoLaw("its privacy rests on the coins of a hash, which are too many to follow")
        self._walk.coins = "fixed"
        return CounterRng(hashlib.sha256(f"tacit.audit:{self._walk.public}".encode()).digest())


@dataclass(slots=True)
class _Walk:
    """All ways through one mechanism on one data set."""

    faint: Fraction
    most: int
    public: int
    coins_are_public: bool
    coins: str = "none"
    open: list[tuple[tuple[int, ...], Ball]] = field(default_factory=lambda: [((), ball(1))])
    here: dict[tuple[int, ...], Law] = field(default_factory=dict)
    ways: int = 0

    def begin(self) -> None:
        """Count one more way; ``NoLaw`` if they are too many, or too slow."""
        self.ways += 1
        if self.ways > self.most:
            raise NoLaw(f"more than {self.most} branches")
        if self.ways % 16 == 1 and time.monotonic() > _END.get():
            raise NoLaw("not finished in the time it was given")

    def law_of_part(self, mechanism: object, data: object, script: tuple[int, ...]) -> Law:
        if script not in self.here:
            self.here[script] = kept_law(mechanism, data, faint=self.faint, most=self.most)
        found = self.here[script]
        if found.coins == "fixed":
            self.coins = "fixed"
        return found


def data_key(data: object) -> Hashable:
    """Something hashable that tells different records apart; ``TypeError`` if there is none."""
    if isinstance(data, np.ndarray):
        inner = tuple(data.ravel().tolist()) if data.dtype == object else data.tobytes()
        return (str(data.dtype), data.shape, inner)
    if isinstance(data, (list, tuple)):
        return tuple(data_key(part) for part in data)
    if dataclasses.is_dataclass(data):
        return tuple(data_key(getattr(data, one.name)) for one in dataclasses.fields(data))
    hash(data)
    plain: Hashable = data
    return plain


def _settled(output: object, draw: Callable[[Noise], int]) -> Any:
    """The output with all noise in it drawn."""
    if isinstance(output, Noise):
        return draw(output)
    if isinstance(output, tuple):
        return tuple(_settled(part, draw) for part in output)
    if dataclasses.is_dataclass(output) and not isinstance(output, type):
        noisy = {
            one.name: _settled(value, draw)
            for one in dataclasses.fields(output)
            if _holds_noise(value := getattr(output, one.name))
        }
        return dataclasses.replace(output, **noisy) if noisy else output
    return output


def _holds_noise(value: object) -> bool:
    return isinstance(value, Noise) or (isinstance(value, tuple) and any(map(_holds_noise, value)))


def _noise_in(output: object) -> Iterator[Noise]:
    """All that ``_settled`` draws."""
    if isinstance(output, Noise):
        yield output
    elif isinstance(output, tuple):
        for part in output:
            yield from _noise_in(part)
    elif dataclasses.is_dataclass(output) and not isinstance(output, type):
        for one in dataclasses.fields(output):
            if _holds_noise(value := getattr(output, one.name)):
                yield from _noise_in(value)


def _seen(output: object) -> Hashable:
    if isinstance(output, HashedPointRule) and output.domain.size == 2:
        # Hashes that agree on both values are one: see ``sampler_laws``.
        buckets = output.hash(np.arange(2, dtype=np.uint64)).tolist()
        return ("hashed-point", *buckets, output.hash.bits, output.bucket)
    return key(output)


def branched(
    mechanism: SomeMechanism,
    data: Any,
    *,
    faint: Fraction = FAINT,
    most: int = MOST,
    public: int = 0,
    far: str = "together",
) -> Law:
    """The law of ``mechanism`` on ``data``, by following every draw.

    Paths fainter than ``faint`` are left, as are more than ``most``: what they weigh is
    ``rest``. ``public`` numbers the drawing of public coins. Noisy numbers that are far from
    all counts come ``"together"``, which an observer loses nothing by, or ``"apart"``.
    """
    draw = Noise.shown if far == "together" else Noise.settled
    masses: dict[Any, Ball] = {}
    values: dict[Any, Any] = {}
    with at(BITS), following():
        walk = _Walk(faint, most, public, isinstance(mechanism, _PUBLIC_COINS))
        followed = ball(0)
        while walk.open:
            script, weight = walk.open.pop()
            tree = Tree(walk, script, weight)
            walk.begin()
            try:
                output = tree.output(mechanism, data)
            except _Faint:
                continue
            for settled in tree.ways(output, draw):
                seen = _seen(settled)
                values.setdefault(seen, settled)
                masses[seen] = masses.get(seen, ball(0)) + tree.weight
                followed += tree.weight
        rest = (1 - followed).max(ball(0)).upper()
        # Rounding alone, if nothing was left: the ball then holds zero.
        nothing = rest < ball(Fraction(1, 1 << 120))
        return Law(masses, ball(0) if nothing else rest, walk.coins, values)


@singledispatch
def law(mechanism: object, data: object, *, faint: Fraction = FAINT, most: int = MOST) -> Law:
    """The exact law of ``mechanism`` on ``data``; ``NoLaw`` says why there is none.

    Ways to an output that are less likely than ``faint`` may be left out, into ``rest``; at
    most ``most`` are followed.
    """
    if isinstance(mechanism, Mechanism):
        return branched(mechanism, data, faint=faint, most=most)
    raise NoLaw("no exact law is registered for this; audit.estimate samples it instead")


def kept_law(mechanism: object, data: object, *, faint: Fraction, most: int) -> Law:
    """The law, from memory where it was worked out before (``following``)."""
    known = _KNOWN.get()
    named: Hashable
    try:
        named = (mechanism, data_key(data), faint)
        hash(named)
    except TypeError:
        known = None
    if known is None:
        return law(mechanism, data, faint=faint, most=most)
    if named not in known:
        known[named] = law(mechanism, data, faint=faint, most=most)
    return known[named]
