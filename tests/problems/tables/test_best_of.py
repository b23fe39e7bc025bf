"""Tests of ``tacit.problems.tables.best_of``."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tacit.core import Approximate, BadInput, Mechanism, Relation, Rng, Sample
from tacit.problems.tables.best_of import BestOf
from tacit.problems.tables.checked import CheckedLearner


class _Leaky(Mechanism[Sample, object]):
    """Claims approximate privacy, for the next test only."""

    def event(self):
        return Approximate(
            epsilon=Fraction(1, 10), delta=Fraction(1, 2), relation=Relation.REPLACE_ONE
        )

    def _release(self, data: Sample, *, rng: Rng) -> object:
        raise NotImplementedError


def test_the_best_of_several_draws_has_no_room_for_a_delta():
    leaky = CheckedLearner(learner=_Leaky(), epsilon=Fraction(1, 10))
    with pytest.raises(BadInput, match="pure"):
        BestOf(candidates=(leaky,), epsilon=Fraction(1))
