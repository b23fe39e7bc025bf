"""Search an order for the values that matter, counting records and never sorting them all.

One pass counts the records by the leading bits of their value. From the counts at its two
ends each block of values has a least and a greatest possible error. Blocks that may matter
are looked into, by a further pass that counts or takes only their records; all others stay
as they are. The stages that come out bound what they leave out, so whoever draws from them
(``tacit.exact.stages``) has the law of all values: ``ordered.proof.md``.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

import numpy as np
import numpy.typing as npt

from tacit.core import Sample
from tacit.core.tally import Streamed
from tacit.exact.arrays import Sizes
from tacit.exact.landscape import Grouped, Scattered, tally
from tacit.exact.levels import Levels
from tacit.exact.stages import Stage, Staged
from tacit.tallies.blocks import Blocks, Counts, Keyed, Occurring, Walked
from tacit.tallies.first import Held

Errors = npt.NDArray[np.int64]
_FIRST_BITS = 40
_LN2 = math.log(2)
_MANY = 1 << 16
_SLACK = 24


class Counted(ABC):
    """A class of concepts whose mistakes can be counted batch by batch."""

    __slots__ = ()

    @abstractmethod
    def counted(self, data: Sample | Streamed) -> Staged | None:
        """The mistakes of all concepts, to be counted; ``None`` where listing them is quicker."""

    @abstractmethod
    def streams(self, n: int | None) -> bool:
        """Whether so many streamed records are counted and not held; ``None``: any number."""


Likely = Callable[[Blocks, float], npt.NDArray[np.bool_]]
"""Which of the blocks of some records are likely to matter, each of which stands for so many."""


class Counter(Protocol):
    """Counts the records of an order; each call is one pass over them, and is repeatable."""

    def first(self, likely: Likely) -> tuple[Blocks, Held | None]:
        """All values of the order in ascending blocks, counted; and perhaps what is held.

        ``likely`` guesses, from blocks of some records, which ones will be refined.
        """
        ...

    def shares(self, blocks: Blocks) -> Iterator[Blocks]:
        """The blocks in runs, one after another, each to be refined by itself."""
        ...

    def refine(self, blocks: Blocks, held: Held | None) -> Blocks | Occurring | Keyed:
        """The values of ``blocks`` (ascending, not plain) in smaller blocks, counted.

        The same whether ``held`` is what ``first`` gave or ``None``.
        """
        ...


class OrderedScore(Protocol):
    """An error for each value of an order that follows from how many records lie below.

    ``total`` is how many records of each label there are. Errors fit int64 and lie less
    than ``2**63`` apart.
    """

    @property
    def after(self) -> bool:
        """Whether the values up to the next that occurs have the error of the one before."""
        ...

    @property
    def steps(self) -> tuple[int, int] | None:
        """What each record of label 0 and 1 that is passed adds to the error, with ``after`` and
        where nothing else does; else ``None``.
        """
        ...

    def errors(self, before: Counts, inside: Counts, total: Counts) -> Errors:
        """The error of values that have ``before`` below them and ``inside`` on them.

        The values of a gap have nothing on them.
        """
        ...

    def least(self, before: Counts, inside: Counts, total: Counts) -> Errors:
        """Not above the error of any value of a block, wherever in it its records lie."""
        ...

    def most(self, before: Counts, inside: Counts, total: Counts) -> Errors:
        """Not below the error of any value of a block, wherever in it its records lie."""
        ...


class _Search:
    """One search: what is listed since the last stage, and the blocks that are left."""

    def __init__(self, blocks: Blocks, score: OrderedScore, rate: float) -> None:
        self._score, self._rate = score, rate
        self._total = blocks.inside.sum(axis=1)
        self._sure = -math.inf
        self._best = math.inf
        self.listed: list[Walked] = []
        self.left = blocks[np.zeros(len(blocks), dtype=bool)]
        self.add(blocks)

    def none_before(self) -> Errors:
        """The error of a value that has no record below or on it."""
        none = np.zeros((2, 1), dtype=np.int64)
        return self._score.errors(none, none, self._total)

    def add(self, found: Blocks | Occurring | Keyed) -> None:
        """List what is plain and keep the rest."""
        if isinstance(found, Keyed):
            if self._score.steps is not None:
                self._list_walk(found, self._score.steps)
                return
            found = found.occurring()
        if isinstance(found, Occurring):
            for part in found.split(after=self._score.after):
                self._list(part)
            return
        plain = found.plain
        self._list(found[plain])
        rest = found[~plain]
        if len(rest):
            most = self._score.most(rest.before, rest.inside, self._total)
            self._note(rest.sizes, most)
        self.left = self.left.joined(rest) if len(self.left) else rest

    def _list(self, blocks: Blocks) -> None:
        if len(blocks):
            errors = self._score.errors(blocks.before, blocks.inside, self._total)
            self._list_runs(Walked(blocks.starts, blocks.sizes, errors))

    def _list_walk(self, found: Keyed, steps: tuple[int, int]) -> None:
        before = found.blocks.before
        self._list_runs(
            found.walk(self._score.errors(before, np.zeros_like(before), self._total), steps)
        )

    def _list_runs(self, runs: Walked) -> None:
        self.listed.append(runs)
        self._note(runs.sizes, runs.errors)

    def _note(self, sizes: Sizes, most: Errors) -> None:
        best = int(most.min())
        self._best = min(self._best, best)
        if sizes.dtype != object and len(sizes) > _MANY:
            # No word weighs more than 2^64 of one value: those further off are no maximum.
            reach = math.ceil(64 * _LN2 / self._rate)
            sizes, most = _largest(sizes, most, best, reach)
        self._sure = max(self._sure, float((_logs(sizes) - self._rate * most).max()))

    def least(self) -> Errors:
        """A bound from below for the errors of each block that is left."""
        return self._score.least(self.left.before, self.left.inside, self._total)

    def heavy(self, bits: float) -> Blocks:
        """Take out the blocks to look into: all that may come near the best error, and so
        many that the others together weigh ``2**-bits`` at most.

        Floats: they decide what is looked at next, and nothing else.
        """
        if not len(self.left):
            return self.left
        least = self.least()
        weights = _logs(self.left.sizes) - self._rate * least
        chosen = weights > self._sure - bits * _LN2 - math.log(len(self.left))
        chosen |= least <= self._best + 1 / self._rate
        taken, self.left = self.left[chosen], self.left[~chosen]
        return taken[np.argsort(taken.starts, kind="stable")]


@dataclass(frozen=True, slots=True, eq=False)
class Ordered(Staged):
    """The errors of all values of an order, counted where they can matter.

    Value ``v`` stands for candidate ``v + shift``. ``edge`` adds one candidate, 0, with the
    error of a value that has no record below or on it.
    """

    counter: Counter
    score: OrderedScore
    shift: int = 0
    edge: bool = False
    bits: float = _FIRST_BITS

    def __repr__(self) -> str:
        return "Ordered(private)"

    def stages(self, rate: Fraction) -> Iterator[Stage]:
        """Each stage leaves out less: at first ``2**-40`` of the weight, then its square."""
        blocks, held = self.counter.first(self._likely(float(rate)))
        search = _Search(blocks, self.score, float(rate))
        bits, edge = self.bits, self.edge
        while True:
            while len(heavy := search.heavy(bits)):
                for share in self.counter.shares(heavy):
                    search.add(self.counter.refine(share, held))
            if search.listed:
                yield Stage(self._groups(search, edge=edge), self._rest(search))
                edge, search.listed = False, []
            if not len(search.left):
                return
            bits *= 2

    def _likely(self, rate: float) -> Likely:
        """Guess from some records which blocks will be looked into, empty ones too.

        All records together tell errors apart as many times more sharply as they are more, and
        chance moves the errors of some by a few.
        """

        def likely(blocks: Blocks, many: float) -> npt.NDArray[np.bool_]:
            sharp = many * rate
            total, sizes = blocks.inside.sum(axis=1), _logs(blocks.sizes)
            least = self.score.least(blocks.before, blocks.inside, total)
            most = self.score.most(blocks.before, blocks.inside, total)
            sure = float((sizes - sharp * most).max())
            reach = self.bits * _LN2 + math.log(len(blocks)) + sharp * _SLACK
            return np.asarray(sizes - sharp * least > sure - reach)

        return likely

    def _groups(self, search: _Search, *, edge: bool) -> Scattered:
        parts = [(Grouped(one.errors, one.sizes, one.starts), self.shift) for one in search.listed]
        if edge:
            none, one = np.zeros(1, dtype=np.uint64), np.ones(1, dtype=np.uint64)
            parts.append((Grouped(search.none_before(), one, none), 0))
        return Scattered(tuple(parts))

    def _rest(self, search: _Search) -> Levels | None:
        return tally(search.least(), search.left.sizes) if len(search.left) else None


def _largest(sizes: Sizes, errors: Errors, best: int, reach: int) -> tuple[Sizes, Errors]:
    """The greatest size of each error from ``best`` to ``best + reach``; errors beside them."""
    if reach >= len(sizes):
        near = errors <= best + reach
        return sizes[near], errors[near]
    from tacit.exact.compiled import steady
    from tacit.tallies.kernels import largest_by_error

    greatest = np.zeros(reach + 1, dtype=np.uint64)
    largest_by_error(steady(sizes), steady(errors), best, greatest)
    found = np.flatnonzero(greatest)
    return greatest[found], found + best


def _logs(sizes: Sizes) -> npt.NDArray[np.float64]:
    """Logarithms of positive integers of any size."""
    if sizes.dtype == object:
        return np.array([math.log(size) for size in sizes.tolist()])
    return np.log(sizes.astype(np.float64))
