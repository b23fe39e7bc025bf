"""Boosting, driven on two selections of a point function."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from tacit.core import MECHANISMS, Tiny
from tacit.core.tiny import divided
from tacit.mechanisms.boosting import BoostConfidence, Stage
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.finite.listed_rules import ListedRules
from tacit.problems.points.points import Points
from tacit.problems.points.tiny_points import POINTS, TWO

TINY_NEIGHBOURS = [
    *divided((0, 1), (1, 1), n=6, at=(6,)),
    *divided((0, 1), (0, 0), n=6, at=(6,)),
]


def _rules(found: tuple[Any, ...]) -> ListedRules:
    return ListedRules(TWO, found)


def _boosted(epsilon: Fraction) -> BoostConfidence:
    learner = FiniteClassLearner(concept_class=Points(size=2), epsilon=epsilon)
    stage = Stage(mechanism=learner, records=1)
    return BoostConfidence(stages=(stage, stage), gather=_rules, epsilon=epsilon)


MECHANISMS.add(
    Tiny(
        name="BoostConfidence",
        make=_boosted,
        records=POINTS,
        n=4,
        pairs=TINY_NEIGHBOURS,
        order="matters",
    )
)
