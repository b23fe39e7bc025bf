"""Boxes over rows of whole numbers: dimensions, mistakes, rules, plans."""

import numpy as np
import pytest

import tacit
from tacit import Accuracy, Privacy, Task, plan
from tacit.classes import GridBoxes, Table
from tacit.core import BadInput, hypothesis_from_dict
from tacit.domains.rows import Rows
from tacit.problems.boxes.grid_boxes import GridBoxRule


@pytest.mark.parametrize(("bits", "columns"), [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)])
def test_dimensions_mistakes_and_rules_are_those_of_the_list(bits, columns):
    family = GridBoxes(bits=bits, columns=columns)
    x = np.array(list(np.ndindex(*(1 << bits,) * columns)), dtype=np.uint64)
    rules = [family.hypothesis(number) for number in range(family.size)]
    table = np.array([rule.predict(x) for rule in rules])
    assert len(np.unique(table, axis=0)) == family.size
    listed = Table(table)
    assert tacit.dimensions.vc(listed).value == family.vc
    assert tacit.dimensions.littlestone(listed).value >= family.littlestone
    rng = np.random.default_rng(1)
    rows = x[rng.integers(0, len(x), 50)]
    y = rng.random(50) < 0.4
    wrong = [int((rule.predict(rows) != y).sum()) for rule in rules]
    assert family.landscape(rows, y).errors.tolist() == wrong
    for rule in rules:
        assert hypothesis_from_dict(rule.to_dict()) == rule


def test_rules_that_are_no_boxes_are_refused():
    domain = Rows(bits=3, width=2)
    for sides in (((0, 1),), ((0, 0), (0, 1)), ((0, 9), (0, 1)), ((2, 1), (0, 1))):
        with pytest.raises(BadInput):
            GridBoxRule(domain=domain, sides=sides)


@pytest.mark.parametrize(("columns", "n"), [(2, 18_336), (3, 26_082)])
def test_records_that_are_enough_without_a_list(columns, n):
    """35,686 and 53,231 by a union bound; 18,842 and 27,304 by an interval in each column."""
    task = Task(
        GridBoxes(bits=64, columns=columns),
        privacy=Privacy(1),
        accuracy=Accuracy("0.1", "0.05"),
        setting="agnostic",
    )
    found = plan(task)
    assert (found.best.name, found.best.n, found.best.runs) == ("growing-class", n, False)
    assert found.runnable is None
    assert "more than 8388608 boxes" in found.best.algorithm.too_large(task)


def test_few_bits_run():
    for bits, columns in ((5, 2), (3, 3)):
        assert GridBoxes(bits=bits, columns=columns).too_many is None
    assert GridBoxes(bits=8).too_many is not None
