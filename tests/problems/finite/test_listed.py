"""Tests of ``tacit.problems.finite.listed``."""

import pytest
from tests.learn_api_cases import task

from tacit import (
    Accuracy,
    BadInput,
    Privacy,
)
from tacit.classes import Table, Thresholds


@pytest.mark.parametrize(
    "make",
    [
        lambda: Privacy(-1),
        lambda: Privacy(0),
        lambda: Privacy(float("nan")),
        lambda: Privacy(float("inf")),
        lambda: Privacy(1, 1),
        lambda: Privacy(1, -0.1),
        lambda: Privacy(True),
        lambda: Privacy("much"),
        lambda: Privacy(1, relation="cousins"),
        lambda: Accuracy(0, 0.1),
        lambda: Accuracy(0.1, 1),
        lambda: Thresholds(bits=0),
        lambda: Thresholds(bits=8, size=9),
        lambda: Thresholds(bits=5000),
        lambda: Thresholds(size=2.5),
        lambda: Table([[0, 2]]),
        lambda: Table([[]]),
        lambda: task(Thresholds),
        lambda: task(setting="sometimes"),
        lambda: task(output="pretty"),
        lambda: task(k=0),
    ],
)
def test_bad_public_parameters_are_clear_errors(make):
    with pytest.raises(BadInput):
        make()
