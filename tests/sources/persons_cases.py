"""Cases that several tests share: Persons from every source: the same release, in every order; nothing said about rows."""

import numpy as np
import pyarrow as pa

from tacit.classes import Thresholds
from tacit.core import Accuracy, Privacy, Task
from tacit.sources.frames import FrameTable

PERSONS = 300


def _table():
    """Persons with one to eight rows, in no order; a few rows without an id."""
    made = np.random.default_rng(5)
    ids = np.repeat(np.arange(PERSONS), made.integers(1, 9, PERSONS))
    made.shuffle(ids)
    x = made.integers(0, 1000, len(ids))
    names = [None if made.random() < 0.02 else f"p{one}" for one in ids]
    missing = {f"p{one}" for one in range(PERSONS)} - set(names)
    names += sorted(missing)
    x = np.concatenate([x, np.zeros(len(missing), dtype=x.dtype)])
    return pa.table({"id": names, "x": x, "sick": np.where(x >= 400, "yes", "no").tolist()})


TABLE = _table()


def _task(rows=3, relation="replace-one", **more):
    return Task(
        Thresholds(size=1000),
        privacy=Privacy(1, relation=relation, unit="id", rows_per_unit=rows),
        accuracy=Accuracy("0.2", "0.1"),
        **more,
    )


class FilteredFrame(FrameTable):
    """A source that says, as a query with WHERE does, that conditions choose its rows."""

    @property
    def filtered(self):
        return True


def odd_table():
    """Persons who are easily taken for each other, rows that tie, cells that are missing."""
    made = np.random.default_rng(8)
    ids = [
        "7",
        "007",
        " 7",
        "7 ",
        "a",
        "A",
        "\u00e4",
        "a\u0308",
        "",
        "\N{REPLACEMENT CHARACTER}",
        None,
    ]
    ids += [f"p{one}" for one in range(20)]
    rows = 800
    x = [None if made.random() < 0.1 else int(one) for one in made.integers(-5, 12, rows)]
    label = [("yes", "no", "maybe", None)[one] for one in made.integers(0, 4, rows)]
    owner = [ids[one] for one in made.integers(0, len(ids), rows)]
    table = pa.table({"id": owner, "x": pa.array(x, pa.int64()), "sick": label})
    many = pa.table({"id": ["a"] * 500, "x": made.integers(0, 12, 500), "sick": ["yes"] * 500})
    return pa.concat_tables([table, many])


def same_rows(engine, here):
    """Refuse an engine that keeps other rows than are kept in memory."""
    from tacit.domains import Integers
    from tacit.sources.files import number_reading
    from tacit.sources.persons import DeclaredPersons, SourcePersons

    told = {"columns": ("x",), "labels": ("sick",), "positive": "yes", "negative": "no"}
    for rows in (1, 3, 1000):
        kept = []
        for source in (engine, here):
            reading = number_reading(source, exact=False, **told)
            every = SourcePersons(source, reading, unit="id", domain=Integers(size=10))
            kept.append([one.at_most(rows) for one in (every, DeclaredPersons(every))])
            assert every.number == 28  # neither the empty id, nor the unreadable, nor the missing
        for one, other in zip(*kept, strict=True):
            np.testing.assert_array_equal(
                Integers(size=10).coerce(one.sample.x), Integers(size=10).coerce(other.sample.x)
            )
            assert one.sample.y.tolist() == other.sample.y.tolist()
            assert (np.diff(one.owner) > 0).tolist() == (np.diff(other.owner) > 0).tolist()
        if rows == 1000:  # some labels were not declared
            assert len(kept[0][0].owner) > len(kept[0][1].owner)
