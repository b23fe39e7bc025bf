"""How every mechanism is driven: a tiny case and a realistic one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tacit.checks.audit.branching import FAINT
from tacit.checks.audit.enumeration import plain
from tacit.classes import Points
from tacit.core import (
    Mechanism,
    Relation,
    Sample,
)
from tacit.domains import Integers
from tacit.mechanisms import (
    Exponential,
    GapTest,
    Geometric,
    InteriorPoint,
    PermuteAndFlip,
    RobustMinimum,
    StabilityHistogram,
    StableMostFrequent,
    StablePrefix,
    StableRobustMinimum,
)
from tacit.mechanisms.score import Mistakes
from tacit.mechanisms.stable_mode import StableMode
from tacit.problems.points.frequent_item import Counts, MostFrequent
from tacit.problems.points.sparse_histogram import SparseHistogram

Make = Callable[[Fraction], Mechanism[Any, Any]]
DELTA = Fraction(1, 20)
RARE = Fraction(1, 100)
COARSE = Fraction(1, 1 << 24)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One line of the audit.

    ``tiny``      makes the mechanism for epsilon, on a domain whose records are listed.
    ``sampled``   makes it for a realistic domain, where ``pairs`` are neighbours.
    ``tight``     where the claim is met nearly exactly somewhere, so that 1.25 times the
                  epsilon must be caught: how many runs show it; else 0.
    ``delta``     where epsilon is read off an event that states neither (zCDP).
    ``only``      the neighbours that are compared exactly, if not all of them.
    ``remark``    what a reader of the line should know.
    """

    name: str
    tiny: Make
    records: Sequence[Any]
    n: int
    sampled: Make
    pairs: Sequence[tuple[Any, Any]]
    form: Callable[[tuple[Any, ...]], Any] = plain
    order: str = "ignored"
    faint: Fraction = FAINT
    tight: int = 0
    delta: Fraction | None = None
    only: Sequence[tuple[tuple[Any, ...], tuple[Any, ...]]] | None = None
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Ones:
    """How many records are 1, by their public domain's rule."""

    unit: Fraction = Fraction(1)

    def __call__(self, data: Any) -> tuple[Fraction, ...]:
        return (Fraction(int(np.count_nonzero(np.asarray(data) == 1))),)

    def sensitivity(self, relation: Relation) -> Fraction:  # noqa: ARG002 - the same for all
        return Fraction(1)


def _values(*values: int) -> np.ndarray[Any, Any]:
    return np.array(values, dtype=np.int64)


def labelled_pair(n: int, *, odd: tuple[Any, Any], usual: tuple[Any, Any]) -> tuple[Sample, Sample]:
    def of(records: list[tuple[Any, Any]]) -> Sample:
        return Sample(np.array([x for x, _ in records]), np.array([y for _, y in records]))

    return of([usual] * n), of([*[usual] * (n - 1), odd])


def mechanisms() -> Iterator[Target]:
    """The mechanisms of ``tacit.mechanisms`` that are run by themselves."""
    two, many = Integers(size=2), Integers(bits=16)
    zeros = _values(*[0] * 7), _values(*[0] * 6, 1)
    spread = _values(*range(100, 108)), _values(*range(100, 107), 60000)

    def both(
        name: str,
        tiny: Make,
        *,
        records: Sequence[Any] = (0, 1),
        n: int = 7,
        sampled: Make | None = None,
        pairs: Sequence[tuple[Any, Any]] = (zeros,),
        faint: Fraction = FAINT,
        tight: int = 0,
    ) -> Target:
        return Target(
            name=name,
            tiny=tiny,
            records=records,
            n=n,
            sampled=sampled or tiny,
            pairs=pairs,
            faint=faint,
            tight=tight,
        )

    yield both("Geometric", lambda e: Geometric(query=Ones(), epsilon=e), n=3, tight=13_000)
    labelled = [(x, y) for x in range(2) for y in (0, 1)]
    one_label = labelled_pair(5, usual=(0, 1), odd=(1, 1))
    for kind in (Exponential, PermuteAndFlip):
        yield both(
            kind.__name__,
            lambda e, kind=kind: kind(score=Mistakes(Points(size=2)), epsilon=e),  # type: ignore[misc]
            records=labelled,
            n=3,
            sampled=lambda e, kind=kind: kind(score=Mistakes(Points(bits=2)), epsilon=e),  # type: ignore[misc]
            pairs=(one_label,),
            tight=52_000 if kind is PermuteAndFlip else 0,
        )
    # Where the loss is largest and the event still frequent enough to be seen.
    frequent = {
        "exponential": (zeros, 195_000),
        "permute-and-flip": ((_values(0, 0), _values(0, 1)), 19_500),
    }
    for selector, (seen, runs) in frequent.items():
        yield both(
            f"MostFrequent, {selector}",
            lambda e, selector=selector: MostFrequent(domain=two, epsilon=e, selector=selector),  # type: ignore[misc]
            pairs=(seen,),
            tight=runs,
        )
    yield both(
        "InteriorPoint",
        lambda e: InteriorPoint(domain=Integers(size=4), epsilon=e),
        records=range(4),
        n=4,
        sampled=lambda e: InteriorPoint(domain=many, epsilon=e),
        pairs=(spread,),
    )
    yield both(
        "RobustMinimum",
        lambda e: RobustMinimum(domain=Integers(size=4), low=1, high=3, epsilon=e),
        records=range(4),
        n=4,
        sampled=lambda e: RobustMinimum(domain=many, low=2, high=6, epsilon=e),
        pairs=(spread,),
    )
    votes = _values(*[0] * 12), _values(*[0] * 11, 1)
    yield both(
        "GapTest",
        lambda e: GapTest(score=Counts(two), epsilon=e, delta=DELTA),
        n=9,
        pairs=(votes,),
        tight=52_000,
    )

    def stability(e: Fraction) -> StabilityHistogram:
        return StabilityHistogram(domain=two, epsilon=e, delta=RARE)

    # As many records as it takes for either value to be released, or not, next door.
    yield both("StabilityHistogram", stability, n=30, pairs=(votes,))
    yield both(
        "StableMostFrequent",
        lambda e: StableMostFrequent(histogram=stability(e)),
        n=40,
        pairs=(votes,),
    )
    yield both(
        "SparseHistogram",
        lambda e: SparseHistogram(domain=two, epsilon=e, threshold=2),
        n=3,
        faint=COARSE,
        sampled=lambda e: SparseHistogram(domain=many, epsilon=e, threshold=12),
        pairs=((_values(*[0] * 12), _values(*[0] * 11, 1)),),
    )

    def prefix(domain: Integers, *, low: int, high: int) -> Callable[[Fraction], StablePrefix]:
        return lambda e: StablePrefix(
            domain=domain,
            epsilon_length=e / 4,
            epsilon_prefix=e / 2,
            epsilon_side=e / 4,
            delta=RARE,
            low=low,
            high=high,
        )

    yield both(
        "StablePrefix",
        prefix(Integers(size=4), low=4, high=36),
        records=(1, 2),
        n=40,
        sampled=prefix(many, low=1, high=4),
        pairs=(spread,),
    )

    def minimum(inner: Callable[[Fraction], StablePrefix], *, high: int) -> Make:
        return lambda e: StableRobustMinimum(inner=inner(e), low=1, high=high)

    yield both(
        "StableRobustMinimum",
        minimum(prefix(Integers(size=4), low=4, high=36), high=40),
        records=(1, 2),
        n=40,
        sampled=minimum(prefix(many, low=1, high=4), high=3),
        pairs=(spread,),
    )
    blocks = [(0, 0), (1, 0)]
    yield both(
        "StableMode",
        lambda e: StableMode(
            vote=_first_value, blocks=9, block_size=1, otherwise=(-1,), epsilon=e, delta=DELTA
        ),
        records=blocks,
        n=9,
        pairs=(labelled_pair(9, usual=blocks[0], odd=blocks[1]),),
        tight=39_000,
    )


def _first_value(block: Sample) -> tuple[int, ...]:
    return tuple(int(value) for value in np.asarray(block.x)[:1])
