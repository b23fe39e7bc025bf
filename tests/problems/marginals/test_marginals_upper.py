"""Tests of ``tacit.problems.marginals.marginals_upper``."""

from fractions import Fraction

import pytest
from tests.problems.marginals.marginals_coverage_cases import SCHEMA, made_up, true_error

from tacit.core import Accuracy, Privacy, Sample, Task
from tacit.problems.marginals.algorithms import METHODS, sanitizer
from tacit.problems.marginals.marginals_upper import bound_of
from tacit.queries import Marginals
from tacit.testing import seeded

pytestmark = pytest.mark.statistical


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
