"""Tiny instances of algorithms whose planned parameters leave too many draws to follow.

The code is that of the algorithm; only public numbers (blocks, rounds, tries, bits of a
hash) are smaller, and the number of records is such that the claim is nearly used up.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tacit.checks.audit.enumeration import plain
from tacit.classes import OneWaySequences, Points, Table, Thresholds
from tacit.core import ALGORITHMS, Accuracy, Mechanism, Privacy, Sample, Task
from tacit.domains import Integers
from tacit.domains.bits import Bits
from tacit.domains.plane import Plane
from tacit.mechanisms import StabilityHistogram, StablePrefix
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.finite.fitted_histogram import FittedHistogram
from tacit.problems.finite.littlestone_one import LittlestoneOneLearner
from tacit.problems.finite.multiplicative_weights import WeightedTable
from tacit.problems.formulas.clause_learner import ClauseLearner
from tacit.problems.formulas.k_term_dnf import KTermDnf
from tacit.problems.lines.line_learner import LineLearner
from tacit.problems.one_way.sequence_learner import OneWayLearner
from tacit.problems.parities.parities_gap import ParitiesGap
from tacit.problems.parities.parity_learner import ParityVotes
from tacit.problems.parities.several_parities import ParitiesVote
from tacit.problems.points.constant_sample import ConstantPointLearner
from tacit.problems.points.hashed import HashedPointLearner
from tacit.problems.points.heavy_to_proper import LightToProperLearner
from tacit.problems.points.point_learner import PointLearner
from tacit.problems.points.point_sanitizers import PointTable
from tacit.problems.points.proper_histogram import ProperHistogram, ProperPointsHistogram
from tacit.problems.points.proposition_30 import PrintedHistogram
from tacit.problems.points.random_sets import RandomSetLearner
from tacit.problems.points.representing_sets import PlaneLines
from tacit.problems.points.several_points import PointsHistogram
from tacit.problems.points.sparse_histogram import SparseHistogram
from tacit.problems.protocols.one_way_protocols import Equality
from tacit.problems.protocols.protocol import ProtocolLearner
from tacit.problems.several.direct_sum import DirectSum
from tacit.problems.thresholds.independent_noise import IndependentNoiseLearner
from tacit.problems.thresholds.interval_switch import SwitchLearner
from tacit.problems.thresholds.noisy_tree import NoisyTree
from tacit.problems.thresholds.quantile_grid import grid
from tacit.problems.thresholds.quantile_table import QuantileTable
from tacit.problems.thresholds.stable_cut import StableCut
from tacit.problems.thresholds.stable_cut_upper import Shape
from tacit.problems.thresholds.stable_quantiles import StableQuantiles

Make = Callable[[Fraction], Mechanism[Any, Any]]
Pairs = Sequence[tuple[tuple[Any, ...], tuple[Any, ...]]]
TWO = Integers(size=2)
COARSE = Fraction(1, 1 << 26)
RARE = Fraction(1, 100)
SELDOM = Fraction(1, 20)


def unlabelled(records: tuple[Any, ...]) -> Sample:
    """Records of a table that has no labels."""
    return Sample(np.array(records), np.zeros(len(records), dtype=int))


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiny:
    """One instance: ``make(epsilon)``, its records, and ``only`` some neighbours if not all."""

    make: Make
    records: Sequence[Any]
    n: int
    form: Callable[[tuple[Any, ...]], Any] = plain
    order: str = "ignored"
    only: Pairs | None = None
    delta: Fraction | None = None
    faint: Fraction = COARSE


def divided(first: Any, second: Any, *, n: int, at: Sequence[int], rest: Any = ()) -> Pairs:
    """``a`` records of one kind and ``n - a`` of another, against one more and one fewer."""
    return [
        (
            (*[first] * a, *[second] * (n - a), *rest),
            (*[first] * (a - 1), *[second] * (n - a + 1), *rest),
        )
        for a in at
    ]


def _asked(name: str, concepts: Any, n: int, delta: Fraction, **more: Any) -> Make:
    entry = ALGORITHMS[name]
    return lambda epsilon: entry.built(
        Task(
            concepts,
            privacy=Privacy(epsilon, delta),
            accuracy=Accuracy("0.49", "0.49"),
            **more,
        ),
        n,
    )


_POINTS = [(x, y) for x in range(2) for y in (0, 1)]
_POINTS_TWICE = [(x, y) for x in range(2) for y in ((0, 0), (0, 1), (1, 0), (1, 1))]
_ONES = [(0, 1), (1, 1)]


def _hashed(epsilon: Fraction) -> HashedPointLearner:
    return HashedPointLearner(domain=TWO, bits=1, hashes=1, epsilon=epsilon)


def learners() -> dict[str, Tiny]:
    """Learners of one rule."""
    base = Thresholds(size=2)
    blocks = 9
    votes = [((1,), 0), ((1,), 1)]
    here, there, no = ((0, 0), 1), ((1, 1), 1), ((0, 1), 0)
    later = [no] * (62 * blocks) + [here] * 12
    return {
        "constant-points": Tiny(
            make=lambda e: ConstantPointLearner(
                domain=TWO, bits=1, tries=1, records=2, epsilon=e, selection_epsilon=e
            ),
            records=_POINTS,
            n=3,
            order="matters",
        ),
        "hashed-points": Tiny(make=_hashed, records=_POINTS, n=4),
        "heavy-to-proper": Tiny(
            make=lambda e: LightToProperLearner(
                domain=TWO, improper=_hashed(e), tries=2, records=1, weight=1, spare=1, epsilon=e
            ),
            records=[*_ONES, (0, 0)],
            n=4,
            order="matters",
        ),
        "interval-switch": Tiny(
            make=lambda e: SwitchLearner(
                concept_class=base,
                improper=IndependentNoiseLearner(
                    concept_class=base, epsilon=e, noise=Fraction(1, 8)
                ),
                tries=2,
                records=1,
                switches=4,
                epsilon=e,
            ),
            records=_POINTS,
            n=4,
            order="matters",
        ),
        "k-cnf": Tiny(
            make=lambda e: ClauseLearner(
                formulas=KTermDnf(variables=1, terms=1), threshold=1, epsilon=e
            ),
            records=[((0,), 0), ((0,), 1), ((1,), 1)],
            n=4,
        ),
        "lines": Tiny(
            make=lambda e: LineLearner(
                domain=Plane(2),
                blocks=blocks,
                block_size=1,
                epsilon=e,
                delta=SELDOM,
                selection_epsilon=e,
            ),
            records=[here, there, no],
            n=63 * blocks + 12,
            order="matters",
            only=divided(here, there, n=blocks, at=range(5, blocks + 1), rest=later),
        ),
        "littlestone-one": Tiny(
            make=lambda e: LittlestoneOneLearner(
                concept_class=Points(size=2), epsilon=e, delta=RARE
            ),
            records=_ONES,
            n=24,
        ),
        "one-way-sequences": Tiny(
            make=lambda e: OneWayLearner(
                tree=OneWaySequences(index_bits=1, seed_bits=1).tree,
                epsilon_count=e / 3,
                epsilon_index=e / 3,
                epsilon_string=e / 3,
                enough=1,
                low=1,
                high=2,
            ),
            records=[(x, 1) for x in range(4)] + [(0, 0)],
            n=3,
        ),
        "one-way-sequences-stable": Tiny(
            make=lambda e: OneWayLearner(
                tree=OneWaySequences(index_bits=1, seed_bits=1).tree,
                epsilon_count=e / 8,
                epsilon_index=e / 8,
                epsilon_string=3 * e / 4,
                enough=5,
                low=5,
                high=10,
                delta=RARE,
            ),
            records=[(0, 1), (3, 1)],
            n=48,
        ),
        "parity-votes": Tiny(
            make=lambda e: ParityVotes(domain=Bits(1), rows=1, blocks=9, epsilon=e, delta=SELDOM),
            records=votes,
            n=9,
        ),
        "plane-lines": Tiny(
            make=lambda e: FiniteClassLearner(
                concept_class=PlaneLines(domain=Integers(size=4), slopes=2), epsilon=e
            ),
            records=[(x, y) for x in range(4) for y in (0, 1)],
            n=3,
        ),
        "protocol-equality": Tiny(
            make=lambda e: ProtocolLearner(protocol=Equality(TWO, 1), copies=1, epsilon=e),
            records=_POINTS,
            n=4,
        ),
        "random-sets": Tiny(
            make=lambda e: RandomSetLearner(domain=TWO, sets=2, bits=1, epsilon=e),
            records=_POINTS,
            n=6,
        ),
    }


def multitask() -> dict[str, Tiny]:
    """Learners of several rules at once."""
    pair = [(0, (1, 0)), (1, (0, 1))]
    told = [(0, (1, 0)), (1, (1, 1))]
    return {
        "direct-sum-hashed-points": Tiny(
            make=lambda e: DirectSum(learner=_hashed(e / 2), domain=TWO, k=2),
            records=_POINTS_TWICE,
            n=2,
        ),
        "parities-vote": Tiny(
            make=lambda e: ParitiesVote(
                domain=Bits(1), k=2, rows=1, blocks=9, epsilon=e, delta=SELDOM
            ),
            records=[((1,), (0, 1)), ((1,), (1, 0))],
            n=9,
        ),
        "point-learner": Tiny(
            make=lambda e: PointLearner(domain=TWO, k=2, level=20, epsilon=e, delta=RARE),
            records=pair,
            n=60,
            only=[
                *divided((0, (1, 0)), (0, (0, 1)), n=60, at=(60, 45, 41, 38)),
                *divided((0, (1, 0)), (1, (0, 1)), n=60, at=(60, 45)),
            ],
            faint=Fraction(1, 1 << 22),
        ),
        "points-histogram": Tiny(
            make=lambda e: PointsHistogram(domain=TWO, k=2, epsilon=e, delta=RARE),
            records=pair,
            n=24,
            only=divided(*pair, n=24, at=(24, 16, 13)),
        ),
        "several-points-proper-histogram": Tiny(
            make=lambda e: ProperPointsHistogram(domain=TWO, k=2, epsilon=e, delta=RARE),
            records=pair,
            n=24,
            only=divided(*pair, n=24, at=(24, 16, 13)),
        ),
        "threshold-grid": Tiny(
            make=lambda e: FiniteClassLearner(concept_class=grid(Thresholds(size=4), 2), epsilon=e),
            records=[(x, y) for x in (0, 3) for y in (0, 1)],
            n=2,
            only=[(((0, 1), (3, 0)), ((0, 0), (3, 0))), (((0, 1), (3, 0)), ((3, 1), (3, 0)))],
        ),
        "stable-cut": Tiny(
            make=lambda e: StableCut(
                base=Thresholds(size=2),
                shape=Shape(scale=e / 3, block=e / 3, cut=e / 3, high=20, low=15, most=99),
                delta=RARE,
            ),
            records=[(0, 0), (0, 1)],
            n=40,
            only=divided((0, 1), (0, 0), n=40, at=(40, 25, 21)),
        ),
        "parities-gap": Tiny(
            make=lambda e: ParitiesGap(domain=Bits(1), k=2, epsilon=e, delta=RARE),
            records=[((1,), (1, 1)), ((1,), (0, 0))],
            n=24,
            only=divided(((1,), (1, 1)), ((1,), (0, 0)), n=24, at=(24, 19, 17)),
        ),
        "points-proper-histogram": Tiny(
            make=lambda e: ProperHistogram(domain=TWO, epsilon=e, delta=RARE),
            records=_ONES,
            n=24,
            only=divided(*_ONES, n=24, at=(24, 16, 13)),
        ),
        "sanitize-then-points": Tiny(
            make=_asked("sanitize-then-points", Points(size=2), 40, 2 * RARE, k=2),
            records=told,
            n=40,
            only=[
                *divided((0, (1, 1)), (0, (0, 0)), n=40, at=(40, 30, 21)),
                *divided((0, (1, 1)), (1, (0, 0)), n=40, at=(40, 21)),
            ],
            faint=Fraction(1, 1 << 22),
        ),
        "sanitize-then-table": Tiny(
            make=_asked("sanitize-then-table", Table(np.eye(2, dtype=int)), 3, Fraction(0), k=2),
            records=_POINTS_TWICE,
            n=2,
        ),
        "sanitize-then-thresholds": Tiny(
            make=_asked("sanitize-then-thresholds", Thresholds(size=2), 3, Fraction(0), k=2),
            records=_POINTS_TWICE,
            n=2,
        ),
    }


def tables() -> dict[str, Tiny]:
    """Sanitizers."""
    points = Points(size=2)
    words = Integers(size=2 << 64)
    found = {
        "fitted-histogram": Tiny(
            make=lambda e: FittedHistogram(
                concepts=points, n=4, noise=1, rounds=2, rows=64, epsilon=e
            ),
            records=(0, 1),
            n=4,
        ),
        "multiplicative-weights": Tiny(
            make=lambda e: WeightedTable(concepts=points, rounds=3, rows=64, epsilon=e),
            records=(0, 1),
            n=4,
        ),
        "gaussian-multiplicative-weights": Tiny(
            make=lambda e: WeightedTable(concepts=points, rounds=2, rows=64, rho=e**2 / 8),
            records=(0, 1),
            n=6,
            delta=RARE,
        ),
        "gaussian-tree-thresholds": Tiny(
            make=_asked("gaussian-tree-thresholds", Thresholds(size=2), 2, SELDOM, goal="sanitize"),
            records=(0, 1),
            n=2,
            delta=RARE,
            faint=Fraction(1, 1 << 22),
        ),
        "tree-thresholds": Tiny(
            make=lambda e: NoisyTree(domain=TWO, branching=2, levels=1, epsilon=e),
            records=(0, 1),
            n=4,
        ),
        "quantile-thresholds": Tiny(
            make=lambda e: QuantileTable(domain=Integers(size=3), depth=1, call=e / 2),
            records=(0, 1, 2),
            n=4,
            order="matters",
        ),
        "zcdp-quantile-thresholds": Tiny(
            make=_asked("zcdp-quantile-thresholds", Thresholds(size=2), 5, SELDOM, goal="sanitize"),
            records=(0, 1),
            n=5,
            order="matters",
            delta=Fraction(1, 1000),
        ),
        "proposition-30": Tiny(
            make=lambda e: PointTable(
                histogram=PrintedHistogram(
                    domain=TWO, n=58, alpha=Fraction(49, 100), epsilon=e, delta=SELDOM
                ),
                domain=TWO,
                n=58,
                alpha=Fraction(49, 100),
            ),
            records=(0, 1),
            n=58,
            only=divided(0, 1, n=58, at=(52, 50, 36, 29)),
        ),
        "stable-point-table": Tiny(
            make=lambda e: PointTable(
                histogram=StabilityHistogram(domain=TWO, epsilon=e, delta=RARE),
                domain=TWO,
                n=24,
                alpha=Fraction(1, 24),
            ),
            records=(0, 1),
            n=24,
            only=divided(0, 1, n=24, at=(24, 16, 13)),
        ),
        "pure-point-table": Tiny(
            make=lambda e: PointTable(
                histogram=SparseHistogram(domain=TWO, epsilon=e, threshold=2),
                domain=TWO,
                n=6,
                alpha=Fraction(1, 6),
            ),
            records=(0, 1),
            n=6,
            only=divided(0, 1, n=6, at=(6, 5, 4)),
        ),
        "stable-quantile-thresholds": Tiny(
            make=lambda e: StableQuantiles(
                domain=TWO,
                depth=1,
                window=24,
                inner=StablePrefix(
                    domain=words,
                    epsilon_length=e / 2,
                    epsilon_prefix=e,
                    epsilon_side=e / 2,
                    delta=RARE,
                    low=4,
                    high=24,
                ),
            ),
            records=(0, 1),
            n=24,
            order="matters",
            only=divided(0, 1, n=24, at=(24, 18, 13, 12)),
        ),
    }
    return {
        name: Tiny(
            make=one.make,
            records=one.records,
            n=one.n,
            form=unlabelled,
            order=one.order,
            only=one.only,
            delta=one.delta,
            faint=one.faint,
        )
        for name, one in found.items()
    }


def tiny() -> dict[str, Tiny]:
    """All of them, by the name of the algorithm."""
    return {**learners(), **multitask(), **tables()}
