"""The certified error of a synthetic table holds as often as it says, at the stated numbers."""

from fractions import Fraction
from math import sqrt

import pytest
from tests.problems.marginals.marginals_coverage_cases import SCHEMA, made_up, true_error

import tacit
from tacit.core import Accuracy, Privacy, Sample, Task
from tacit.problems.marginals.algorithms import METHODS, sanitizer
from tacit.queries import Marginals
from tacit.testing import seeded

pytestmark = pytest.mark.statistical

RUNS = 400

BETA = Fraction(1, 5)


def failures(*, delta, relation, drop=0):
    """How often the true worst error passes the certified one; ``drop`` weakens the margin."""
    cells = made_up(600)
    task = Task(
        Marginals(SCHEMA, ways=2),
        privacy=Privacy(2, delta, relation),
        accuracy=Accuracy("0.1", BETA),
        goal="sanitize",
    )
    mechanism = sanitizer(
        METHODS["independent-columns"], task, n=len(cells) if relation == "replace-one" else None
    )
    margin = mechanism.check.margin(BETA) - drop
    rng, wrong = seeded(f"coverage/{delta}/{relation}"), 0
    for _ in range(RUNS):
        found = mechanism._release(Sample(cells, None), rng=rng)
        certified = (found.noisy_worst + margin) / found.records
        wrong += true_error(cells, found.table.cells, 2) > certified
    return wrong


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 1000)])
def test_the_certificate_fails_no_more_often_than_beta(delta, relation):
    allowed = BETA * RUNS + 5 * sqrt(RUNS * BETA * (1 - BETA))
    assert failures(delta=delta, relation=relation) <= allowed


def test_a_smaller_margin_is_caught():
    allowed = BETA * RUNS + 5 * sqrt(RUNS * BETA * (1 - BETA))
    assert failures(delta=Fraction(0), relation="replace-one", drop=15) > allowed


def test_learned_dependence_survives():
    cells = made_up(4000)
    release = tacit.sanitize(
        cells,
        Marginals(SCHEMA, ways=2),
        privacy=Privacy(4, "1e-6"),
        ledger=tacit.Ledger.memory(),
        rng=seeded("dependence"),
    )
    error = true_error(cells, release.value.cells, 2)
    assert error < 0.06
    assert error <= release.certificate.error
