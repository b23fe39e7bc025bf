"""A value and its labels are one number, and are read off it again."""

import numpy as np
import pytest

from tacit.core import Sample
from tacit.domains.bits import Bits
from tacit.domains.integers import Integers
from tacit.tallies.distinct import Repeated
from tacit.tallies.labelled import LabelledValues


@pytest.mark.parametrize(
    "domain", [Integers(size=5), Integers(bits=61), Integers(bits=90), Bits(columns=3)]
)
@pytest.mark.parametrize("k", [1, 2, 9])
def test_batches_give_each_kind_of_record_once(domain, k):
    generator = np.random.default_rng(4)
    rows = [int(v) for v in generator.integers(0, 5, 60)]
    x = domain.coerce(np.array([[v >> 2 & 1, v >> 1 & 1, v & 1] for v in rows])
                      if isinstance(domain, Bits) else np.array(rows, dtype=object))  # fmt: skip
    y = generator.integers(0, 2, (60, k)).astype(bool)
    whole, batches = Sample(x, y, positive=True), Repeated(x, y, np.ones(60, dtype=np.int64))
    labelled = LabelledValues(domain, k)
    each, table = labelled.table(whole), labelled.table(batches)
    assert each.counts.tolist() == [1] * 60
    seen = {}
    for value, labels in zip(x.tolist(), y.tolist(), strict=True):
        seen[value, tuple(labels)] = seen.get((value, tuple(labels)), 0) + 1
    keys = [
        (v, tuple(t)) for v, t in zip(table.values.tolist(), table.labels.tolist(), strict=True)
    ]
    assert dict(zip(keys, table.counts.tolist(), strict=True)) == seen
    assert len(table) == 60
    for pair, value, labels in zip(labelled.coerce(whole).tolist(), x.tolist(), y, strict=True):
        spelled = sum(1 << place for place in np.flatnonzero(labels))
        assert labelled.open(int(pair)) == (value, spelled)


def test_no_records_make_an_empty_table():
    none = Repeated(np.empty(0, dtype=np.uint64), np.empty((0, 2), dtype=bool), np.empty(0, int))
    table = LabelledValues(Integers(size=4), 2).table(none)
    assert len(table) == 0
    assert table.labels.shape == (0, 2)
