"""audit.accuracy: every class has hard distributions; planned records suffice, few do not."""

import numpy as np
import pytest
from tests.checks.audit.audit_accuracy_cases import SCHEMA, task

from tacit.checks.audit.hard_distributions import adversarial
from tacit.classes import (
    Boxes,
    Halfspaces,
    Points,
    RealBoxes,
    RealIntervals,
    RealThresholds,
    Scores,
    Thresholds,
)
from tacit.core import BadInput
from tacit.domains import uniform_cube


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


@pytest.mark.parametrize("concepts", [RealIntervals(), RealBoxes(2), Scores(SCHEMA)])
def test_other_classes_have_hard_distributions_too(concepts):
    found = adversarial(task(concepts, "label"))
    assert len(found) > 3
    assert all(0 < np.mean(one.labels[np.asarray(one.chances) > 0]) < 1 for one in found[-1:])


def test_what_cannot_be_checked_is_said():
    with pytest.raises(BadInput, match="not listed"):
        adversarial(task(Halfspaces(2), "label"))
    with pytest.raises(BadInput, match="synthetic table"):
        adversarial(task(Points(size=16), goal="sanitize"))
    with pytest.raises(BadInput, match="public reference"):
        adversarial(task(RealThresholds(), marginal=uniform_cube(1, kappa=2)))
