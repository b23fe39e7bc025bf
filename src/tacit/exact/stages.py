"""Draw from candidates that are known stage by stage, by the law of all of them.

A *stage* lists some candidates exactly and bounds the errors of all that are not listed
yet from below. The answer is a function of one or two real uniforms and of all errors, with
the candidates laid out in the order of the stages. Whenever the bounds leave no doubt about
that function the draw ends; otherwise the next stage is asked for, and the bits already
drawn are kept. So bounds decide how much is looked at, and never the law: ``stages.proof.md``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from tacit.core import CountedStage, ErrorCounts, Rng
from tacit.exact.balls import Ball, at, ball
from tacit.exact.flips import settle_flip
from tacit.exact.landscape import Flat, Landscape
from tacit.exact.lazy import Lazy
from tacit.exact.levels import Levels, _float_choice, cell_of, upper_weight

_WORD = 64
_LONG = 1 << 16  # shorter lists are drawn from at once
_FIRST_BITS = 40  # the first stage leaves about 2^-40 of the weight to the others


@dataclass(frozen=True, slots=True, eq=False)
class Stage:
    """Candidates that are new in this stage, and bounds for those of no stage so far.

    ``listed``  the new candidates with their errors.
    ``rest``    for every other candidate a number that is not above its error, counted;
                ``None`` if all candidates are listed.
    """

    listed: Landscape
    rest: Levels | None

    def __repr__(self) -> str:
        return "Stage(private)"


class Staged(ABC):
    """A landscape whose candidates are counted exactly only where they can matter."""

    __slots__ = ()

    @abstractmethod
    def stages(self, rate: Fraction) -> Iterator[Stage]:
        """One stage or more; the last has no rest. The candidates of all stages are all."""


@dataclass(frozen=True, slots=True, eq=False)
class _FlatStages(Staged):
    """Listed errors: first the candidates near the best one, then all others."""

    flat: Flat

    def stages(self, rate: Fraction) -> Iterator[Stage]:
        errors = self.flat.errors
        least, most = int(errors.min()), int(errors.max())
        nats = Fraction(7, 10) * (_FIRST_BITS + len(errors).bit_length())
        reach = least + int(nats / rate)
        if reach >= most:
            yield Stage(self.flat, None)
            return
        near = errors <= reach
        many = np.count_nonzero(near)
        far = Levels(np.array([reach + 1]), np.array([len(errors) - many]))
        if 2 * many > len(errors):
            yield Stage(_Lower(self.flat, reach), far)
        else:
            places = np.flatnonzero(near)
            yield Stage(_Part(errors[places], places), far)
        places = np.flatnonzero(~near)
        yield Stage(_Part(errors[places], places), None)


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Some of the listed candidates, at these places."""

    errors: npt.NDArray[np.int64]
    places: npt.NDArray[np.int64]

    def levels(self) -> Levels:
        return Flat(self.errors).levels()

    def member(self, error: int, rank: int) -> int:
        return int(self.places[Flat(self.errors).member(error, rank)])


@dataclass(frozen=True, slots=True, eq=False)
class _Lower:
    """The listed candidates with errors up to ``reach``, without a copy of them."""

    flat: Flat
    reach: int

    def levels(self) -> Levels:
        found = self.flat.levels()
        many = int(np.searchsorted(found.errors, self.reach, side="right"))
        return Levels(found.errors[:many], found.counts[:many])

    def member(self, error: int, rank: int) -> int:
        return self.flat.member(error, rank)


def in_stages(landscape: Landscape) -> Staged | None:
    """A long list of errors by stages; ``None`` where that would save nothing."""
    if isinstance(landscape, Flat) and len(landscape.errors) >= _LONG:
        return _FlatStages(landscape)
    return None


def draw_exponential(rng: Rng, stages: Iterable[CountedStage], *, rate: Fraction) -> int:
    """A candidate with probability proportional to ``exp(-rate * error)``, exactly."""
    source = iter(stages)
    stage = next(source)
    known = [(stage, stage.listed.levels())]
    word = rng.bytes(8)
    index = _by_float(known[0][1], stage.rest, rate, word)
    if index is not None:
        return _member(rng, known, index)
    lazy, bits = Lazy(rng, prefix=int(np.frombuffer(word, dtype=np.uint64)[0]), length=_WORD), 128
    while True:
        index = _by_balls([levels for _, levels in known], stage.rest, rate, lazy, bits)
        if index is not None:
            return _member(rng, known, index)
        if stage.rest is None:
            bits *= 2
        else:
            stage = next(source)
            known.append((stage, stage.listed.levels()))


def draw_flip(rng: Rng, stages: Iterable[CountedStage], *, rate: Fraction) -> int:
    """A candidate by the law of permute-and-flip, exactly."""
    source = iter(stages)
    stage = next(source)
    known = [(stage, stage.listed.levels())]
    first, second = Lazy(rng), Lazy(rng)
    bits = 96
    while True:
        listed = [levels for _, levels in known]
        index = settle_flip(listed, stage.rest, rate=rate, first=first, second=second, bits=bits)
        if index is not None:
            return _member(rng, known, index)
        if stage.rest is None:
            bits *= 2
        else:
            stage = next(source)
            known.append((stage, stage.listed.levels()))


def _member(rng: Rng, known: list[tuple[CountedStage, ErrorCounts]], index: int) -> int:
    """A uniform candidate of the cell with this number."""
    for stage, levels in known:
        if index < len(levels.errors):
            rank = rng.below(int(levels.counts[index]))
            return stage.listed.member(int(levels.errors[index]), rank)
        index -= len(levels.errors)
    raise AssertionError("a cell beyond the last")


def _by_float(
    levels: ErrorCounts, rest: ErrorCounts | None, rate: Fraction, word: bytes
) -> int | None:
    """The cell of a uniform that begins with ``word``, if floats leave no doubt."""
    beyond = 0.0
    if rest is not None:
        if rest.errors[0] < levels.errors[0]:
            return None
        beyond = upper_weight(rest, rate, least=int(levels.errors[0]))
    index = int(_float_choice(levels, rate, np.frombuffer(word, dtype=np.uint64), rest=beyond)[0])
    return None if index < 0 else index


def _by_balls(
    known: list[ErrorCounts], rest: ErrorCounts | None, rate: Fraction, lazy: Lazy, bits: int
) -> int | None:
    """The cell that certainly contains ``U * total``, or ``None`` in doubt."""
    least = min(int(levels.errors[0]) for levels in known)

    def weights(parts: Iterable[ErrorCounts]) -> Iterator[Ball]:
        step = ball(rate)
        for levels in parts:
            for error, count in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True):
                yield ball(int(count)) * (-step * (error - least)).exp()

    lazy.extend(bits)
    with at(bits + 64):
        total = sum(weights(known), ball(0))
        if rest is not None:
            total = total + ball(0).union(sum(weights([rest]), ball(0)))
        return cell_of(lazy.ball() * total, weights(known))
