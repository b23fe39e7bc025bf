"""Tests of ``tacit.problems.marginals.together``."""

from fractions import Fraction

import numpy as np
import pytest
from tests.problems.marginals.marginals_coverage_cases import SCHEMA, made_up, true_error

import tacit
from tacit import Ledger
from tacit.core import Accuracy, BadInput, Privacy, Sample, Task
from tacit.domains import Schema
from tacit.problems.marginals.algorithms import METHODS, sanitizer
from tacit.problems.marginals.marginals_upper import together_bound
from tacit.problems.marginals.together import MOST_COMBINATIONS, FittedCells
from tacit.queries import Conditions, Marginals
from tacit.testing import seeded

NAME = "all-combinations"


def task_of(queries, *, delta=Fraction(0), relation="replace-one", alpha="0.1"):
    return Task(
        queries,
        privacy=Privacy(1, delta, relation),
        accuracy=Accuracy(alpha, "0.1"),
        goal="sanitize",
    )


@pytest.mark.statistical
@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 1000)])
@pytest.mark.parametrize("law", ["spread", "one cell"])
def test_all_ways_reach_alpha_at_the_stated_number(law, delta, relation):
    ways = SCHEMA.width
    task = task_of(Marginals(SCHEMA, ways=ways), delta=delta, relation=relation)
    n = together_bound(task).n
    public = relation == "replace-one"

    def errors(records, runs):
        cells = made_up(records) if law == "spread" else np.zeros((records, ways), dtype=np.int32)
        mechanism = sanitizer(METHODS[NAME], task, n=records if public else None)
        for _ in range(runs):
            table = mechanism._release(Sample(cells, None), rng=rng).table
            yield true_error(cells, table.cells, ways)

    rng = seeded(f"together/{law}/{delta}/{relation}")
    assert sum(error > 0.1 for error in errors(n, 100)) <= 10
    if (
        law == "spread"
    ):  # a tenth of the records is too few, a twentieth where the number is private
        assert max(errors(n // (10 if public else 20), 30)) > 0.1


def test_a_plan_knows_two_columns_together_beforehand():
    schema = Schema.of({"age": (0, 120), "smoker": bool, "ward": ["a", "b"]})
    task = task_of(Marginals(schema, ways=2))
    best = tacit.plan(task).best
    assert best is not None
    assert best.name == NAME
    cells = np.prod(schema.cells)
    assert cells / 0.1 < best.n < 40 * cells / 0.1
    fewer = tacit.plan(task_of(Conditions(schema, ways=2), alpha="0.2")).best
    assert fewer is not None
    assert fewer.n < best.n


def test_too_many_combinations_are_planned_and_refused_before_the_charge():
    schema = Schema.of({name: [f"{i}" for i in range(32)] for name in "abcde"}).declared_complete()
    assert np.prod(schema.cells) > MOST_COMBINATIONS
    task = task_of(Marginals(schema, ways=2))
    ledger = Ledger.memory(5)
    rows = [("0",) * 5] * 40
    with pytest.raises(BadInput, match="33,554,432 combinations"):
        tacit.sanitize(rows, task.concept_class, privacy=Privacy(1), ledger=ledger, algorithm=NAME)
    assert not ledger.history


def test_impossible_combinations_are_left_out_and_nothing_is_promised():
    schema = Schema.of({"sex": ["f", "m"], "pregnant": bool}).declared_complete()
    queries = Marginals(schema, ways=2, impossible=({"sex": "m", "pregnant": True},))
    with pytest.raises(BadInput, match="impossible"):
        together_bound(task_of(queries))
    rows = [("f", True), ("f", False), ("m", False)] * 20
    made = tacit.sanitize(
        rows, queries, privacy=Privacy("0.2"), ledger=Ledger.memory(), algorithm=NAME
    ).value
    assert len(made) == 60
    assert not (made.cells == [1, 1]).all(axis=1).any()


def test_rows_follow_the_shares():
    shares = np.array([[5.0, 0.0, 1.0], [2.0, 2.0, 0.0]])
    cells = FittedCells(10.0, shares).dealt(20)
    counts = np.zeros((2, 3), dtype=int)
    np.add.at(counts, tuple(cells.T), 1)
    assert counts.tolist() == [[10, 0, 2], [4, 4, 0]]
    assert cells.dtype == np.int32


@pytest.mark.parametrize("ways", [1, 2])
def test_the_release_is_verified_from_its_file(tmp_path, ways):
    rng = np.random.default_rng(3)
    rows = np.stack([rng.integers(0, 2, 500), rng.integers(0, 3, 500)], axis=1)
    schema = Schema.of([bool, range(3)]).declared_complete()
    release = tacit.sanitize(
        rows,
        Marginals(schema, ways=ways),
        privacy=Privacy(1),
        ledger=Ledger.memory(),
        algorithm=NAME,
    )
    assert release.certificate.planned is not None
    assert release.certificate.answered.error < 1
    path = tmp_path / "release.json"
    tacit.save(release, path)
    assert tacit.load(path).verify()
