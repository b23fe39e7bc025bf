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
