"""Tests of ``tacit.problems.tables.label_sizes``."""

import numpy as np
import pytest

from tacit.core import Sample
from tacit.core.label_values import LabelValues
from tacit.problems.tables.label_sizes import LabelSizes
from tacit.tallies.arrays import ArrayRecords

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("values", [2, 3, 5])
def test_every_record_is_counted_once_in_memory_and_in_batches(values):
    labels = np.random.default_rng(values).integers(0, values, 50)
    wanted = tuple((labels == value).sum() for value in range(values))
    x, sizes = np.zeros((50, 1)), LabelSizes(values)
    assert sizes.of(Sample(x, labels)) == wanted
    assert ArrayRecords((x, labels), rows=7).fold(sizes) == wanted
    assert sizes.zero() == (0,) * values


def test_other_labels_go_where_the_task_says():
    words = np.array(["a", "b", "c", "x", None, "c"], dtype=object)
    for otherwise, wanted in ((0, (3, 1, 2)), (2, (1, 1, 4))):
        values = LabelValues(("a", "b", "c"), otherwise)
        sample = Sample(np.zeros((6, 1)), words, None, None, values)
        assert LabelSizes(3).of(sample) == wanted
