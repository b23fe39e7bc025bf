"""Learners that draw one rule by its mistakes: what they pay, and what a draw may lose."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import exp

import pytest

from tacit.core import BadInput, Hypothesis, Relation, Sample, Sampler, Selection
from tacit.domains.schema import Schema
from tacit.problems.tables.banded_learner import BandedScoreLearner
from tacit.problems.tables.one_draw_learner import OneDrawLearner
from tacit.problems.tables.set_tree_learner import SetTreeLearner
from tacit.problems.tables.tree_learner import TreeLearner
from tacit.problems.tables.valued_learner import ValueTreeLearner

pytestmark = pytest.mark.unit


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfTwo(OneDrawLearner):
    """Two rules of prior 1/2 each."""

    @property
    def least_prior(self) -> Fraction:
        return Fraction(1, 2)

    @property
    def drawn_from(self) -> str:
        return "two rules"

    def prior(self, rule: Hypothesis) -> Fraction:
        return Fraction(1, 2)

    def comparators(self) -> tuple[tuple[str, Fraction], ...]:
        return (("two rules", Fraction(1, 2)),)

    @property
    def placed_by(self) -> Schema:
        return Schema.of([bool])

    def _release(self, data: Sample, *, rng: Sampler) -> Hypothesis:
        raise AssertionError("no record is needed here")


@pytest.mark.parametrize(
    ("relation", "spread"), [("replace-one", 2), ("add-remove", 1), ("label", 2)]
)
def test_a_mistake_weighs_what_one_record_can_move(relation, spread):
    learner = _OfTwo(epsilon=Fraction(1, 3), relation=relation)
    assert learner.rate * spread == Fraction(1, 3)
    assert learner.event() == Selection(epsilon=Fraction(1, 3), relation=Relation.read(relation))


def test_a_draw_loses_no_more_than_it_says():
    learner, beta = _OfTwo(epsilon=Fraction(1)), Fraction(1, 20)
    lost = learner.lost(beta)
    worse = exp(-float(learner.rate) * float(lost))
    assert worse / (1 + worse) <= float(beta)
    less = exp(-float(learner.rate) * (float(lost) - 2))
    assert less / (1 + less) > float(beta)
    assert learner.compared_with == learner.drawn_from == "two rules"


def test_epsilon_is_positive_and_exact():
    with pytest.raises(BadInput):
        _OfTwo(epsilon=Fraction(0))
    assert _OfTwo(epsilon="0.1").epsilon == Fraction(1, 10)


def test_the_learners_of_tables_are_such():
    for kind in (BandedScoreLearner, SetTreeLearner, TreeLearner, ValueTreeLearner):
        assert issubclass(kind, OneDrawLearner)
