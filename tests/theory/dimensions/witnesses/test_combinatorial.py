"""Tests of ``tacit.theory.dimensions.witnesses.combinatorial``."""

from dataclasses import replace

import pytest
from tests.theory.dimensions.checks.combinatorial_cases import EMBEDDED, STEPS

from tacit.theory.dimensions.checks.combinatorial import CHECKS
from tacit.theory.dimensions.witnesses import (
    EmbeddedThresholds,
)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"points": (0, 1)}, "as many concepts"),
        ({"concepts": (1, 0, 2)}, "not that of a threshold"),
        ({"points": (0, 1, 3)}, "does not exist"),
    ],
)
def test_a_wrong_embedding_is_refused(change, reason):
    wrong = replace(EMBEDDED, **change)
    assert reason in CHECKS[EmbeddedThresholds](wrong, STEPS)
