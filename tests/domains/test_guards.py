"""Compiled code never gets records and labels that do not belong together."""

from fractions import Fraction

import numpy as np
import pytest

from tacit.domains.guards import check_cells
from tacit.domains.schema import Schema
from tacit.problems.tables.scores import Scores
from tacit.problems.tables.tree_weights import Weigher
from tacit.problems.tables.trees import Trees
from tacit.problems.thresholds.threshold_kernels import count_labels

SCHEMA = Schema.of({"a": range(4), "b": range(4)})

CELLS = np.ones((200, 2), dtype=np.int32)

LABELS = np.ones(200, dtype=bool)

WRONG = {
    "fewer labels": (CELLS, LABELS[:3]),
    "one label": (CELLS, LABELS[:1]),
    "fewer records": (CELLS[:3], LABELS),
    "one record": (CELLS[:1], LABELS),
    "fewer columns": (CELLS[:, :1], LABELS),
    "cell too high": (CELLS + 4, LABELS),
    "cell below": (CELLS - 2, LABELS),
    "two labels": (CELLS, np.ones((200, 2), dtype=bool)),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_does_not_fit_is_refused_before_compiled_code(case):
    cells, labels = WRONG[case]
    with pytest.raises(IndexError):
        check_cells(cells, labels, SCHEMA.cells)
    for depth in (1, 2, 3):
        with pytest.raises(IndexError):
            Weigher(Trees(SCHEMA, depth=depth), Fraction(1)).root(cells, labels)
    with pytest.raises(IndexError):
        Scores(SCHEMA).landscape(cells, labels)


def test_what_fits_is_not():
    check_cells(CELLS, LABELS, SCHEMA.cells)
    check_cells(CELLS[:0], LABELS[:0], SCHEMA.cells)
    assert Weigher(Trees(SCHEMA, depth=1), Fraction(1)).root(CELLS, LABELS).ones == 200


def test_counts_by_value_stay_in_their_table():
    x, y = np.arange(8, dtype=np.uint64), np.ones(8, dtype=bool)
    assert count_labels(x, y, 8)[:, 1].tolist() == [1] * 8
    for values, labels, size in ((x, y[:3], 8), (x, y[:1], 8), (x, y, 7)):
        with pytest.raises(IndexError):
            count_labels(values, labels, size)
