"""How mechanisms that are made of others are driven by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np

from tacit.checks.audit.targets import Target, labelled_pair
from tacit.classes import Points, Trees
from tacit.core import Sample
from tacit.domains import Integers, Schema
from tacit.mechanisms.boosting import BoostConfidence, Stage
from tacit.mechanisms.private_grid import PrivateGrid
from tacit.mechanisms.star_sampling import Starred, StarSampling
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.finite.listed_rules import ListedRules
from tacit.problems.points.constant_sample import Flips, PointTry, paper_try
from tacit.problems.points.proposition_30 import PrintedHistogram
from tacit.problems.tables.best_of import BestOf
from tacit.problems.tables.checked import CheckedLearner
from tacit.problems.tables.deep_tree_learner import DeepTreeLearner
from tacit.problems.tables.gridded_trees import GriddedTreeLearner
from tacit.problems.tables.grown_formulas import GrownFormulaLearner
from tacit.problems.tables.grown_trees import GrownTreeLearner
from tacit.problems.tables.scores import Scores
from tacit.problems.tables.tree_or_score import TreeOrScoreLearner

_TWO = Integers(size=2)
_SELDOM = Fraction(1, 20)
_FAINT_NOISE = Fraction(1, 1 << 20)
_POINTS = [(x, y) for x in range(2) for y in (0, 1)]
_ROWS = [((x,), y) for x in (0, 1) for y in (0, 1)]
_PAIRS = (labelled_pair(6, usual=(0, 1), odd=(1, 1)), labelled_pair(6, usual=(0, 1), odd=(0, 0)))
_ROW_PAIRS = (labelled_pair(6, usual=((0,), 1), odd=((1,), 1)),)


def starred(records: tuple[Any, ...]) -> Starred:
    """Records of which none is hidden; a star is written as ``None``."""
    present = np.array([record is not None for record in records], dtype=bool)
    shown = [(0, 0) if record is None else record for record in records]
    return Starred(
        Sample(np.array([x for x, _ in shown]), np.array([y for _, y in shown])), present
    )


def _checked(epsilon: Fraction) -> CheckedLearner:
    learner = FiniteClassLearner(concept_class=Points(size=2), epsilon=epsilon / 2)
    return CheckedLearner(learner=learner, epsilon=epsilon / 2)


def _rules(found: tuple[Any, ...]) -> ListedRules:
    return ListedRules(_TWO, found)


def _boosted(epsilon: Fraction) -> BoostConfidence:
    stage = Stage(
        mechanism=FiniteClassLearner(concept_class=Points(size=2), epsilon=epsilon), records=1
    )
    return BoostConfidence(stages=(stage, stage), gather=_rules, epsilon=epsilon)


def _try(epsilon: Fraction) -> PointTry:
    # e^epsilon = 1 + pick / (1 - pick) * 8 at these rates.
    del epsilon
    return PointTry(
        domain=_TWO, blur=Flips(Fraction(1, 9)), pick=Fraction(1, 6), silence=Fraction(1, 8)
    )


def _grid(epsilon: Fraction) -> PrivateGrid:
    return PrivateGrid(
        schema=Schema.of([(0, 1)], bins=2).declared_complete(),
        columns=(0,),
        epsilon=epsilon,
        fine=3,
        cells=2,
    )


def composites() -> Iterator[Target]:
    """Mechanisms that no algorithm runs by themselves."""
    grid, yes_or_no = (Schema.of([one]).declared_complete() for one in (range(2), bool))
    tables = tuple(
        (np.array([0] * a + [1] * (58 - a)), np.array([0] * (a - 1) + [1] * (59 - a)))
        for a in (29, 48)
    )
    stars = tuple((Starred.of(left), Starred.of(right)) for left, right in _PAIRS)

    def target(name: str, make: Any, records: Any, n: int, pairs: Any, **more: Any) -> Target:
        return Target(name=name, tiny=make, records=records, n=n, sampled=make, pairs=pairs, **more)

    yield target("CheckedLearner", _checked, _POINTS, 3, _PAIRS)
    yield target(
        "BestOf", lambda e: BestOf(candidates=(_checked(e / 3),), epsilon=e), _POINTS, 3, _PAIRS
    )
    yield target("PointTry", _try, [*_POINTS, None], 3, stars, form=starred)
    yield target(
        "StarSampling",
        lambda e: StarSampling(inner=paper_try(domain=_TWO, alpha=Fraction(1)), epsilon=e / 2),
        _POINTS,
        3,
        _PAIRS,
    )
    yield target("BoostConfidence", _boosted, _POINTS, 4, _PAIRS, order="matters")
    # Over two cells there are more trees than can be followed.
    cell = Schema.of([range(1)]).declared_complete()
    for name, make in {
        "DeepTreeLearner": lambda e: DeepTreeLearner(schema=cell, epsilon=e),
        # With less there is no second draw.
        "GrownTreeLearner": lambda e: GrownTreeLearner(schema=cell, depth=5, epsilon=4 * e),
    }.items():
        yield target(
            name,
            make,
            [((0,), 0), ((0,), 1)],
            8,
            (labelled_pair(6, usual=((0,), 1), odd=((0,), 0)),),
            remark="exact over one cell: splits are followed in trees alone",
        )
    numbers = [((value,), label) for value, label in ((0.1, 0), (0.4, 1), (0.9, 1))]
    between = (labelled_pair(6, usual=((0.1,), 1), odd=((0.9,), 1)),)
    yield target("PrivateGrid", _grid, numbers, 2, between, faint=_FAINT_NOISE)
    yield target(
        "GriddedTreeLearner",
        lambda e: GriddedTreeLearner(grid=_grid(e / 2), epsilon=e / 2, depth=1),
        numbers,
        2,
        between,
        faint=_FAINT_NOISE,
    )
    yield target(
        "GrownFormulaLearner",
        lambda e: GrownFormulaLearner(
            schema=yes_or_no, form="dnf", clauses=4, columns=1, epsilon=e
        ),
        [((x,), y) for x in (False, True) for y in (0, 1)],
        3,
        (labelled_pair(6, usual=((False,), 1), odd=((True,), 1)),),
    )
    yield target(
        "TreeOrScoreLearner",
        lambda e: TreeOrScoreLearner(
            trees=Trees(grid, 1), scores=Scores(grid, columns=1, most=1), epsilon=e
        ),
        _ROWS,
        3,
        _ROW_PAIRS,
    )
    yield target(
        "PrintedHistogram",
        lambda e: PrintedHistogram(
            domain=_TWO, n=58, alpha=Fraction(49, 100), epsilon=e, delta=_SELDOM
        ),
        (0, 1),
        58,
        tables,
        only=[(tuple(left.tolist()), tuple(right.tolist())) for left, right in tables],
        faint=Fraction(1, 1 << 26),
    )
