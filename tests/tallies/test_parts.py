"""Tests of ``tacit.tallies.parts``."""

import numpy as np
import pytest
from tests.problems.marginals.marginals_privacy_cases import FIRST, SCHEMA

from tacit.core import Sample
from tacit.domains.schema import Schema
from tacit.tallies.parts import counts_of, counts_of_cells

pytestmark = pytest.mark.exact


def test_counts_hold_every_record_once():
    data = Sample(FIRST.astype(bool), None)
    counts = counts_of(data, SCHEMA, ((0,), (0, 1), (0, 1, 2)))
    assert [int(one.sum()) for one in counts.values()] == [4, 4, 4]
    assert counts[0, 1].tolist() == [[3, 0], [0, 1]]


def test_parts_inside_others_have_the_counts_that_they_would_have_alone():
    schema = Schema.of([bool, (0, 3), bool, (0, 9)], bins=4)
    cells = np.random.default_rng(2).integers(0, schema.cells, (500, 4)).astype(np.int32)
    parts = ((0,), (3,), (1, 0), (0, 1), (2, 3), (3, 1), (0, 1, 2), (1, 2, 3), (0, 3))
    found = counts_of_cells(cells, schema, parts)
    assert tuple(found) == parts
    for part in parts:
        assert np.array_equal(found[part], counts_of_cells(cells, schema, (part,))[part])
        wanted = np.zeros([schema.cells[c] for c in part], dtype=np.int64)
        np.add.at(wanted, tuple(cells[:, c] for c in part), 1)
        assert np.array_equal(found[part], wanted)
