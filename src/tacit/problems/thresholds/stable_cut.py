"""Thresholds with delta: find the scale of the gap, then its block, then a cut in it."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np

from tacit.core import (
    ALGORITHMS,
    Algorithm,
    Applies,
    Approximate,
    Claim,
    Event,
    Mechanism,
    Relation,
    Sample,
    SampleBound,
    Sampler,
    Size,
    Task,
    Tiny,
)
from tacit.core.numbers import positive, probability
from tacit.core.tiny import DELTA, RARE, divided
from tacit.exact.geometric_tails import reach
from tacit.exact.landscape import Flat
from tacit.mechanisms.calibration import spread
from tacit.problems.thresholds import stable_cut_upper as bounds
from tacit.problems.thresholds.stable_cut_upper import Shape
from tacit.problems.thresholds.thresholds import ThresholdRule, Thresholds
from tacit.problems.thresholds.tiny_thresholds import on_thresholds
from tacit.tallies.distinct import distinct_labelled, fits_a_table

_PROOF = "problems/thresholds/stable_cut.proof.md"
_FAR = 1 << 60


@dataclass(frozen=True, slots=True)
class Run:
    """Cuts ``first, ..., last`` (counted from 0) that make the same ``mistakes``."""

    first: int
    last: int
    mistakes: int

    def level(self, depth: int) -> int:
        """The coarsest grid that meets it: multiples of ``2**(depth - level)``."""
        if self.first == 0:
            return 0
        return depth - ((self.first - 1) ^ self.last).bit_length() + 1


@dataclass(frozen=True, slots=True, eq=False)
class Cuts:
    """The mistakes of all cuts on one data set, in runs; private."""

    runs: tuple[Run, ...]
    depth: int

    def __repr__(self) -> str:
        return "Cuts(private)"

    @classmethod
    def of(cls, base: Thresholds, data: Sample) -> Cuts:
        """Count the mistakes of every cut of ``base``."""
        found = base.by_value(*distinct_labelled(data, base.domain))
        runs = [
            Run(int(start) - base.first, int(start) - base.first + int(size) - 1, int(errors))
            for start, size, errors in zip(found.starts, found.sizes, found.errors, strict=True)
            if int(size) > 0
        ]
        return cls(tuple(runs), (base.size - 1).bit_length())

    def grids(self) -> list[int]:
        """``e(z)``: the fewest mistakes on the grid of each level ``0, ..., depth``."""
        found = [_FAR] * (self.depth + 1)
        for run in self.runs:
            level = run.level(self.depth)
            found[level] = min(found[level], run.mistakes)
        return list(np.minimum.accumulate(found))

    def block(self, width_bits: int) -> tuple[int, int]:
        """The best block of ``2**width_bits`` cuts, and by how many mistakes it leads."""
        best = min(self.runs, key=lambda run: (run.mistakes, run.first))
        block = best.first >> width_bits
        low, high = block << width_bits, (block + 1) << width_bits
        others = [run.mistakes for run in self.runs if run.first < low or run.last >= high]
        return block, min(others) - best.mistakes

    def at(self, cut: int) -> int:
        """The mistakes of one cut."""
        return next(run.mistakes for run in self.runs if run.first <= cut <= run.last)


def _draw(errors: list[int], rate: Fraction, rng: Sampler) -> int:
    """One of the listed candidates, with weight ``exp(-rate * error)``."""
    flat = Flat(errors=np.array(errors, dtype=np.int64))
    levels = flat.levels()
    index = rng.level(levels, rate=rate)
    return flat.member(int(levels.errors[index]), rng.below(int(levels.counts[index])))


@dataclass(frozen=True, slots=True, kw_only=True)
class StableCut(Mechanism[Sample, ThresholdRule]):
    """A threshold with few mistakes, found through a scale and a block of cuts.

    Privacy
    -------
    Requires  nothing: every score is a number of mistakes, which a record moves by one.
    Ensures   ``(epsilon, delta)``-DP under every relation, whatever the number of records.
    Proof     Theorem 1 of ``stable_cut.proof.md``.
    Numerics  exact; the threshold is rounded up.

    Utility
    -------
    ``tacit.problems.thresholds.stable_cut_upper``: a logarithm of the number of bits.

    Edge cases
    ----------
    No records, contradicting or constant labels: some threshold; never a failure.
    """

    CLAIM: ClassVar[Claim] = Claim(
        paper="own",
        locator="Theorem 1 of problems/thresholds/stable_cut.proof.md",
        statement="choosing a scale, a block by a gap test and one of three cuts, all by mistakes, "
        "is (epsilon, delta)-private",
        proof=_PROOF,
    )

    base: Thresholds
    shape: bounds.Shape
    delta: Fraction
    relation: Relation = Relation.REPLACE_ONE

    def __post_init__(self) -> None:
        for name, part in (("scale", self.shape.scale), ("block", self.shape.block)):
            positive(part, name=name)
        positive(self.shape.cut, name="cut")
        object.__setattr__(self, "delta", probability(self.delta, name="delta"))
        object.__setattr__(self, "relation", Relation.read(self.relation))

    @property
    def limit(self) -> int:
        """The least noisy lead of a block that is believed."""
        moved = spread(self.relation)
        return moved + reach(moved / self.shape.block, self.delta)

    def event(self) -> Event:
        spent = self.shape.scale + self.shape.block + self.shape.cut
        return Approximate(epsilon=spent, delta=self.delta, relation=self.relation)

    def streams(self, n: int | None) -> bool:
        return fits_a_table(n, self.base.domain.size)

    def _release(self, data: Sample, *, rng: Sampler) -> ThresholdRule:
        cut = self._cut(Cuts.of(self.base, data), rng=rng)
        return self.base.hypothesis(cut + self.base.first)

    def _cut(self, cuts: Cuts, *, rng: Sampler) -> int:
        moved, last = spread(self.relation), self.base.size - 1
        level = self._level(cuts, rng=rng)  # [P1]
        if level == 0:
            return 0
        bits = cuts.depth - level + 1
        block = 0
        if last >= 1 << bits:
            block, ahead = cuts.block(bits)
            noisy = ahead + rng.geometric(moved / self.shape.block)  # [P2]
            if noisy < self.limit:
                return 0
        some = [(2 * block << bits - 1) + (half << bits - 1) for half in range(3)]
        some = [cut for cut in some if cut <= last]
        return some[_draw([cuts.at(cut) for cut in some], self.shape.cut / moved, rng)]  # [P3]

    def _level(self, cuts: Cuts, *, rng: Sampler) -> int:
        least = cuts.grids()
        before = [_FAR, *least[:-1]]
        # The score min(A - e(z), e(z-1) - B), to be large; as an error, to be small.
        errors = [
            -min(self.shape.high - here, coarser - self.shape.low)
            for here, coarser in zip(least, before, strict=True)
        ]
        return _draw(errors, self.shape.scale / 2, rng)


def _samples(task: Task) -> SampleBound:
    return bounds.stable_cut(
        size=task.concept_class.size or 0,
        **task.asked("alpha", "beta", "epsilon", "delta", "relation"),
    )


def _mechanism(task: Task, bound: SampleBound, _size: Size) -> StableCut:
    base = task.of(Thresholds)
    return StableCut(
        base=base,
        shape=bound.choices["shape"],
        delta=task.privacy.delta,
        relation=task.privacy.relation,
    )


def _tiny(entry: Algorithm) -> Tiny:
    return on_thresholds(entry, delta=DELTA).exactly(
        lambda e: StableCut(
            base=Thresholds(size=2),
            shape=Shape(scale=e / 3, block=e / 3, cut=e / 3, high=20, low=15, most=99),
            delta=RARE,
        ),
        records=[(0, 0), (0, 1)],
        n=40,
        only=divided((0, 1), (0, 0), n=40, at=(40, 25, 21)),
    )


STABLE_CUT = ALGORITHMS.add(
    Algorithm(
        name="stable-cut",
        summary="choose a scale, a block of cuts that leads, and a cut in it, all by mistakes; "
        "records grow with the logarithm of the number of bits",
        applies=Applies(proper=True, classes=(Thresholds,), settings=("realizable",), delta=True),
        claim=StableCut.CLAIM,
        bound=_samples,
        build=_mechanism,
        tiny=_tiny,
    )
)
