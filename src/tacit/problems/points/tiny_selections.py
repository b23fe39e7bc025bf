"""Selections, driven on point functions: they need a class to select from."""

from __future__ import annotations

from fractions import Fraction

from tacit.core import MECHANISMS, Sample, Tiny
from tacit.core.tiny import DELTA, Make, Pairs, divided
from tacit.domains.integers import Integers
from tacit.mechanisms.gap_test import GapTest
from tacit.mechanisms.noise import ALL_ZEROS
from tacit.mechanisms.score import Mistakes
from tacit.mechanisms.selection import Exponential, PermuteAndFlip
from tacit.mechanisms.stability import TWELVE
from tacit.problems.points.frequent_item import Counts, MostFrequent
from tacit.problems.points.points import Points
from tacit.problems.points.sparse_histogram import SparseHistogram
from tacit.problems.points.tiny_points import POINTS, TWO


def _select(kind: type[Exponential[Sample]] | type[PermuteAndFlip[Sample]], tight: int) -> Tiny:
    return Tiny(
        name=kind.__name__,
        make=lambda e: kind(score=Mistakes(Points(size=2)), epsilon=e),
        records=POINTS,
        n=3,
        sampled=lambda e: kind(score=Mistakes(Points(bits=2)), epsilon=e),
        pairs=divided((0, 1), (1, 1), n=5, at=(5,)),
        tight=tight,
    )


def _most_frequent(selector: str) -> Make:
    return lambda epsilon: MostFrequent(domain=TWO, epsilon=epsilon, selector=selector)


def _frequent(selector: str, pairs: Pairs, tight: int) -> Tiny:
    # Where the loss is largest and the event still frequent enough to be seen.
    return Tiny(
        name=f"MostFrequent, {selector}",
        make=_most_frequent(selector),
        records=(0, 1),
        n=7,
        pairs=pairs,
        tight=tight,
    )


MECHANISMS.add(_select(Exponential, 0))
MECHANISMS.add(_select(PermuteAndFlip, 52_000))
MECHANISMS.add(_frequent("exponential", (ALL_ZEROS,), 195_000))
MECHANISMS.add(_frequent("permute-and-flip", (((0, 0), (0, 1)),), 19_500))
MECHANISMS.add(
    Tiny(
        name="GapTest",
        make=lambda e: GapTest(score=Counts(TWO), epsilon=e, delta=DELTA),
        records=(0, 1),
        n=9,
        pairs=(TWELVE,),
        tight=52_000,
    )
)
MECHANISMS.add(
    Tiny(
        name="SparseHistogram",
        make=lambda e: SparseHistogram(domain=TWO, epsilon=e, threshold=2),
        records=(0, 1),
        n=3,
        sampled=lambda e: SparseHistogram(domain=Integers(bits=16), epsilon=e, threshold=12),
        pairs=(TWELVE,),
        faint=Fraction(1, 1 << 24),
    )
)
