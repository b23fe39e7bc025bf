"""The certified error of a synthetic table holds as often as it says, at the stated numbers."""

from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

import tacit
from tacit.core import Accuracy, Privacy, Sample, Task
from tacit.domains import Schema
from tacit.problems.marginals.algorithms import METHODS, sanitizer
from tacit.problems.marginals.marginals_upper import bound_of
from tacit.queries import Marginals
from tacit.tallies.parts import counts_of_cells
from tacit.testing import seeded

SCHEMA = Schema.of({"a": range(3), "b": range(4), "c": bool}).declared_complete()
RUNS = 400
BETA = Fraction(1, 5)


def made_up(n, seed=0):
    rng = np.random.default_rng(seed)
    a = rng.integers(0, 3, n)
    b = (a + (rng.random(n) < 0.2)) % 4
    return np.stack([a, b, rng.random(n) < 0.3], axis=1).astype(np.int32)


def true_error(cells, table, ways):
    queries = Marginals(SCHEMA, ways=ways)
    here, there = (counts_of_cells(one, SCHEMA, queries.parts) for one in (cells, table))
    return max(
        0.5 * np.abs(here[part] / len(cells) - there[part] / len(table)).sum()
        for part in queries.parts
    )


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


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 1000)])
def test_one_way_marginals_reach_alpha_at_the_stated_number(delta, relation):
    queries = Marginals(SCHEMA, ways=1)
    task = Task(
        queries,
        privacy=Privacy(1, delta, relation),
        accuracy=Accuracy("0.1", "0.1"),
        goal="sanitize",
    )
    n = bound_of(task).n
    cells = made_up(n)
    public = n if relation == "replace-one" else None
    mechanism = sanitizer(METHODS["independent-columns"], task, n=public)
    rng, wrong = seeded(f"one way/{delta}/{relation}"), 0
    for _ in range(100):
        table = mechanism._release(Sample(cells, None), rng=rng).table
        wrong += true_error(cells, table.cells, 1) > 0.1
    assert wrong <= 10
    # A tenth of the records is too few: the bound is not idle.
    few = made_up(max(10, n // 10))
    small = sanitizer(METHODS["independent-columns"], task, n=len(few) if public else None)
    errors = [
        true_error(few, small._release(Sample(few, None), rng=rng).table.cells, 1)
        for _ in range(30)
    ]
    assert max(errors) > 0.05


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
