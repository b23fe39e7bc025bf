"""Tests of ``tacit.problems.marginals.sanitizer``."""

import pytest
from tests.problems.marginals.marginals_privacy_cases import log_chance, pairs

from tacit.core import REPLACE_ONE
from tacit.problems.marginals import budget as budget_module
from tacit.problems.marginals.independent import Independent

pytestmark = pytest.mark.exact


def test_a_wrong_noise_scale_is_caught(monkeypatch):
    right = budget_module.noise_scale
    monkeypatch.setattr(budget_module, "noise_scale", lambda **given: right(**given) / 4)
    losses = [
        sum(map(log_chance, here)) - sum(map(log_chance, there))
        for here, there in pairs(Independent(), REPLACE_ONE, concentrated=False, runs=4)
    ]
    assert max(losses) > 2
