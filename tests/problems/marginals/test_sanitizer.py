"""Tests of ``tacit.problems.marginals.sanitizer``."""

import numpy as np
import pytest
from tests.problems.marginals.marginals_privacy_cases import log_chance, pairs

import tacit
from tacit.checks.testing import seeded
from tacit.core import REPLACE_ONE, BadInput
from tacit.domains import Schema
from tacit.problems.marginals import budget as budget_module
from tacit.problems.marginals.algorithms import METHODS
from tacit.problems.marginals.independent import Independent
from tacit.queries import Marginals

pytestmark = pytest.mark.exact


def test_a_wrong_noise_scale_is_caught(monkeypatch):
    right = budget_module.noise_scale
    monkeypatch.setattr(budget_module, "noise_scale", lambda **given: right(**given) / 4)
    losses = [
        sum(map(log_chance, here)) - sum(map(log_chance, there))
        for here, there in pairs(Independent(), REPLACE_ONE, concentrated=False, runs=4)
    ]
    assert max(losses) > 2


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize(
    ("epsilon", "delta", "rows", "runs"),
    [
        ("1e-9", 0, 1, True),
        ("1e-9", 0, 30, True),
        ("1e-9", 0, 10**6, False),
        ("1e-6", "1e-6", 10**6, True),
        ("1", "1e-6", 10**17, False),  # a total was lost beside such noise, or the noise no number
        ("1e-3", "1e-6", 10**15, False),
        ("1e-9", "1e-12", 1, False),  # a rho that is rounded to 0
    ],
)
def test_a_budget_whose_noise_cannot_be_held_is_refused_before_the_charge(
    name, epsilon, delta, rows, runs
):
    schema = Schema.of({"a": ("u", "v", "w"), "b": bool, "c": [*range(9)]})
    data = np.array([["u", True, 3]] * 20, dtype=object)
    ledger = tacit.Ledger.memory(10, "0.1")
    asked = {
        "privacy": tacit.Privacy(epsilon, delta, "add-remove", unit="who", rows_per_unit=rows),
        "groups": np.arange(20) // 2,
        "ledger": ledger,
        "algorithm": name,
    }
    for seed in range(5):
        if runs:
            tacit.sanitize(data, Marginals(schema, ways=2), rng=seeded(seed), **asked)
        else:
            with pytest.raises(BadInput, match="nothing but noise"):
                tacit.sanitize(data, Marginals(schema, ways=2), rng=seeded(seed), **asked)
            assert "spent: nothing" in str(ledger)
