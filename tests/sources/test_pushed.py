"""Counts that a database makes: the counters that our own loops make of the same records."""

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from tacit.core.tally import fold
from tacit.domains.integers import Integers
from tacit.sources.batch_reading import NumberReading
from tacit.sources.pushed import counted, first, placing
from tacit.sources.query import quoted
from tacit.tallies.digits import LeadingCounts
from tacit.tallies.first import FEW, FirstPass
from tacit.tallies.reading import Column, Label

BITS, SHIFT, CELLS = 20, 6, 1 << 14
READ = NumberReading(columns=("x",), labels=("y",), positive=1, exact=False)
PLACES = Column(0, Integers(bits=BITS)), Label(1, positive=True)


class Server:
    """DuckDB as the server; what it was asked for is noted."""

    def __init__(self, records):
        self._records, self.asked = records, []

    def shifted(self, number, bits):
        return f"({number} >> {bits})"

    def groups(self, key, *, most):
        records = self._records
        assert records.num_rows
        query = f"SELECT {key} AS key, count(*) AS n FROM records GROUP BY 1"
        found = duckdb.sql(query).to_arrow_table()
        self.asked.append(query)
        return found if most is None or found.num_rows <= most else None


def _records(values):
    generator = np.random.default_rng(2)
    x = generator.choice(values, 4000)
    return pa.table({"x": x, "y": generator.integers(-1, 3, 4000)})


def _wide():
    values = np.random.default_rng(5).integers(0, 1 << BITS, 3000)
    return _records(np.concatenate([values, [-7, 1 << 40, (1 << BITS) - 1, 0]]))


def _both(records, tally, push):
    server = Server(records)
    placed = placing(
        dict(zip(records.column_names, records.schema.types, strict=True)), READ, tally, quoted
    )
    here = fold(map(READ, records.to_batches(max_chunksize=700)), tally)
    return push(server, placed, tally), here, server


def test_leading_bits_are_counted_as_here():
    pushed, here, _ = _both(_wide(), LeadingCounts(*PLACES, SHIFT, CELLS), counted)
    assert (pushed.counts() == here.counts()).all()
    assert pushed.counts().sum() == 4000


def _kept(*cells):
    kept = np.zeros(CELLS, dtype=np.uint8)
    kept[list(cells)] = 1
    return kept


@pytest.mark.parametrize(
    ("records", "told", "holds", "passes"),
    [
        (_wide(), {"kept": _kept(0, 1, 2, 90, CELLS - 1)}, True, 1),
        (_wide(), {"kept": _kept(*range(0, 400, 4))}, False, 1),  # too many ranges for a query
        (_wide(), {"kept": np.ones(CELLS, dtype=np.uint8), "most": 3999}, False, 1),
        (_wide(), {"kept": np.ones(CELLS, dtype=np.uint8), "most": 4000}, True, 1),
        (_records(np.arange(0, 1 << BITS, 9001)), {"few": True}, True, 1),
        (_wide(), {"few": True}, False, 2),
    ],
)
def test_one_query_counts_and_holds_what_a_first_pass_does(records, told, holds, passes):
    tally = FirstPass(*PLACES, SHIFT, CELLS, **told)
    pushed, here, server = _both(records, tally, first)
    assert len(server.asked) == passes
    (counts, held), (wanted, kept) = tally.found(pushed), tally.found(here)
    assert (counts == wanted).all()
    assert (held is not None) is holds
    if held is None:
        return
    assert (held.values == kept.values).all()
    assert (held.inside == kept.inside).all()
    assert len(held.values) <= FEW or held.kept is not None


@pytest.mark.parametrize(("cells", "short"), [((9000, 9001), True), ((0, CELLS - 1), False)])
def test_keys_are_short_only_where_all_fit(cells, short):
    """The values of neighbouring cells of a wide domain are numbered from the first of them."""
    shift = 26
    places = Column(0, Integers(bits=40)), Label(1, positive=True)
    ends = [(cell << shift) + more for cell in cells for more in (0, 5, (1 << shift) - 1)]
    records = _records(np.array([*ends, -3, 1 << 50, 77 << shift]))
    tally = FirstPass(*places, shift, CELLS, kept=_kept(*cells))
    pushed, here, server = _both(records, tally, first)
    assert ("AS int)" in server.asked[0]) is short
    (counts, held), (wanted, kept) = tally.found(pushed), tally.found(here)
    assert (counts == wanted).all()
    assert (held.values == kept.values).all()
    assert (held.inside == kept.inside).all()
    assert set(ends) <= set(held.values.tolist())


def test_more_groups_than_can_be_held_are_counted_again():
    tally = FirstPass(*PLACES, SHIFT, CELLS, kept=_kept(*range(500)), most=1)
    server = Server(_records(np.arange(500 << SHIFT)))
    server.groups = lambda key, *, most: (
        None if most is not None else Server.groups(server, key, most=most)
    )
    placed = placing({"x": pa.int64(), "y": pa.int64()}, READ, tally, quoted)
    counts, held = tally.found(first(server, placed, tally))
    assert held is None
    assert counts.sum() == 4000
