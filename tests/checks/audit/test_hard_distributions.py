"""audit.accuracy: every class has hard distributions; planned records suffice, few do not."""

import numpy as np
import pytest
from tests.checks.audit.audit_accuracy_cases import SCHEMA, task

from tacit.checks.audit.hard_distributions import adversarial
from tacit.checks.testing import seeded
from tacit.classes import (
    Boxes,
    Halfspaces,
    Lines,
    OneWaySequences,
    Parities,
    Points,
    RealBoxes,
    RealIntervals,
    RealThresholds,
    Scores,
    Thresholds,
)
from tacit.core import BadInput
from tacit.domains import uniform_cube
from tacit.problems.several.rules import Rules


def test_hard_distributions_are_what_they_say():
    for job in (task(Thresholds(size=16)), task(Boxes(SCHEMA), setting="agnostic")):
        for one in adversarial(job):
            assert np.sum(one.chances) == pytest.approx(1)
            # The concept behind the labels errs as often as stated: turned labels only.
            shown = np.asarray(one.labels)[: len(one.x) // (2 if one.least_error else 1)]
            rule = _Fixed(np.concatenate([shown, shown]) if one.least_error else shown)
            assert one.error(rule) == pytest.approx(one.least_error)


class _Fixed:
    def __init__(self, labels):
        self.labels = labels

    def predict(self, x):
        assert len(x) == len(self.labels)
        return self.labels


@pytest.mark.parametrize("concepts", [RealIntervals(), RealBoxes(columns=2), Scores(SCHEMA)])
def test_other_classes_have_hard_distributions_too(concepts):
    found = adversarial(task(concepts, "label"))
    assert len(found) > 3
    assert all(0 < np.mean(one.labels[np.asarray(one.chances) > 0]) < 1 for one in found[-1:])


def test_what_cannot_be_checked_is_said():
    with pytest.raises(BadInput, match="not listed"):
        adversarial(task(Halfspaces(columns=2), "label"))
    with pytest.raises(BadInput, match="synthetic table"):
        adversarial(task(Points(size=16), goal="sanitize"))
    with pytest.raises(BadInput, match="public reference"):
        adversarial(task(RealThresholds(), marginal=uniform_cube(kappa=2)))


def test_uniform_strings_that_are_too_many_to_list_are_drawn_afresh():
    laws = adversarial(task(Parities(bits=64), marginal="uniform", k=3))
    for law in laws:
        assert np.asarray(law.x).shape == (1 << 12, 64)
        assert law.error(Rules(rules=(law.rule,) * 3)) == 0
        drawn = law.draw(500, rng=seeded(0))
        assert len(np.unique(drawn.x, axis=0)) == 500
        assert drawn.y.shape == (500, 3)
        # Every parity says 1 to about half; of unit vectors it says 1 to one or two.
        for mask in (1, 6, (1 << 64) - 1):
            assert 0.4 < np.mean(Parities(bits=64).hypothesis(mask).predict(drawn.x)) < 0.6


def test_wide_values_and_planes_are_listed():
    for family in (Lines(size=2**61 - 1), OneWaySequences(bits=100)):
        assert all(len(law.x) > 8 for law in adversarial(task(family)))
