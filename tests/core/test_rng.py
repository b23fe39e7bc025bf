"""Tests of ``tacit.core.rng``."""

from __future__ import annotations

from fractions import Fraction

from tests.domains.each_record_by_itself_cases import LONG

from tacit.checks.testing import seeded
from tacit.classes import Points
from tacit.core import Mechanism, Rng, Sample
from tacit.mechanisms.amplification import Resampled
from tacit.problems.finite.finite_class import FiniteClassLearner


class _SeesValues(Mechanism[Sample, tuple[object, ...]]):
    """Hands back what it was given: not private, for the next test only."""

    def event(self):
        return FiniteClassLearner(concept_class=Points(size=4), epsilon=Fraction(1)).event()

    def _release(self, data: Sample, *, rng: Rng) -> tuple[object, ...]:
        del rng
        return tuple(data.x.tolist())


def test_drawing_with_replacement_does_not_retype_the_records():
    mechanism = Resampled(inner=_SeesValues(), draws=40, records=2)
    drawn = mechanism._release(Sample([LONG, 0.5], [1, 0]), rng=seeded(1))
    assert set(drawn) == {LONG, 0.5}
