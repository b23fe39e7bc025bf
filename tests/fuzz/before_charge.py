"""Nothing is imported or compiled after the charge: ``python -m tests.fuzz.before_charge [WORD ...]``.

Each release is made in a process of its own that has loaded nothing but the package, by every
algorithm for every task that it takes, from arrays, frames and files. What appears between the
charge and the end of the release could have failed there, for reasons of the machine. Words
choose the releases whose names contain one of them.
"""

import gc
import json
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from tests.golden import golden
from tests.golden.tasks import cases

import tacit
from tacit.checks.testing import seeded
from tacit.classes import Boxes, Points, Scores, Thresholds, Trees
from tacit.core import ALGORITHMS
from tacit.domains import Schema
from tacit.planner.persons import for_task
from tacit.queries import Marginals

ROWS = 1_100_000
"""More than any count needs to be made by a compiled loop."""


def kernels():
    """How many versions of each compiled loop there are."""
    if "numba" not in sys.modules:
        return {}
    from numba.core.dispatcher import Dispatcher

    return {
        f"{one.py_func.__module__}.{one.__name__}": len(one.signatures)
        for one in gc.get_objects()
        if isinstance(one, Dispatcher) and one.signatures
    }


class Watching:
    """A ledger that notes what is loaded when it is charged."""

    def charge(self, event, *, note=""):
        del event, note
        self.modules, self.kernels = set(sys.modules), kernels()

    def later(self):
        """What was loaded since."""
        modules = {name for name in sys.modules if name not in self.modules}
        compiled = {name for name, many in kernels().items() if many != self.kernels.get(name, 0)}
        return sorted(modules | compiled)


def alone(attempt):
    """What ``attempt`` returns, called in a copy of this process."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            found = attempt()
        except Exception as failure:
            found = [f"failed: {failure!r}"]
        os.write(writing, json.dumps(found).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        found = pipe.read()
    os.waitpid(child, 0)
    return json.loads(found or b'["died"]')


def by_algorithms() -> Iterator:
    """Every algorithm for every task that it takes."""
    for entry in ALGORITHMS:
        for case in cases():
            for delta in golden.DELTAS:
                if for_task(entry, case.task(delta)).why_not(case.task(delta)) is None:
                    yield f"{entry.name} | {case.name} | {delta}", _golden(entry, case, delta)


def _golden(entry, case, delta):
    def attempt():
        book = Watching()
        tacit.Ledger.memory = staticmethod(lambda *_: book)
        return [] if golden.release_of(case, delta, entry) is None else book.later()

    return attempt


def write_files(folder):
    """One made-up table in several formats."""
    import gzip

    import pyarrow as pa
    import pyarrow.csv
    import pyarrow.feather
    import pyarrow.parquet

    place = np.arange(ROWS, dtype=np.int64)
    age = place * 7919 % 1000
    table = pa.table(
        {
            "age": age,
            "income": (place * 104729 % 1_000_003) / 1_000_003,
            "sex": pa.array(np.array(["f", "m"])[place % 2]),
            "sick": (age >= 500).astype(np.int64),
            "person": place // 3,
        }
    )
    pa.parquet.write_table(table, folder / "t.parquet")
    pa.feather.write_feather(table, folder / "t.feather")
    few = table.slice(0, 70_000)
    pa.csv.write_csv(few, folder / "t.csv")
    (folder / "t.csv.gz").write_bytes(gzip.compress((folder / "t.csv").read_bytes(), 1))
    pa.parquet.write_table(few, folder / "few.parquet")
    return []


def _pandas(folder):
    import pandas as pd

    return pd.read_parquet(folder / "t.parquet")


def _polars(folder):
    import polars as pl

    return pl.read_parquet(folder / "t.parquet")


def _floats(folder):
    frame = _pandas(folder)
    return frame[["age", "income"]].to_numpy(dtype=float), frame["sick"].to_numpy()


def _column(folder):
    frame = _pandas(folder)
    return frame["age"].to_numpy(), frame["sick"].to_numpy()


KINDS = {
    "t.csv": lambda folder: folder / "t.csv",
    "t.csv.gz": lambda folder: folder / "t.csv.gz",
    "t.parquet": lambda folder: folder / "t.parquet",
    "t.feather": lambda folder: folder / "t.feather",
    "pandas": _pandas,
    "polars": _polars,
}


def by_sources(folder) -> Iterator:
    """Releases from many records, in memory and in files."""
    schema = Schema.of({"age": (0, 1000), "income": (0, 1), "sex": ["f", "m"]}, bins=8)
    numbers = Schema.of([(0, 1000), (0, 1)], bins=8)
    person = {"unit": "person", "rows_per_unit": 3}
    for kind, data in KINDS.items():
        for wide in (Trees(schema, 2), Boxes(schema, 1), Scores(schema, 1)):
            yield f"{wide.name} | {kind}", _learned(wide, data, folder, label="sick")
        for narrow in (Thresholds(size=1000), Points(size=1000), Thresholds(bits=40)):
            named = {"label": "sick", "column": "age"}
            yield f"{narrow.describe()} | {kind}", _learned(narrow, data, folder, **named)
            yield f"table of {narrow.describe()} | {kind}", _sanitized(narrow, data, folder, "age")
        few = (lambda folder: folder / "few.parquet") if kind == "t.parquet" else data
        yield f"persons | {kind}", _learned(Trees(schema, 1), few, folder, person, label="sick")
        yield f"marginals | {kind}", _sanitized(Marginals(schema, ways=2), few, folder, None)
    yield "trees | arrays", _learned(Trees(numbers, 2), _floats, folder)
    for narrow in (Thresholds(size=1000), Thresholds(bits=40), Thresholds(bits=64)):
        for relation in ("replace-one", "add-remove", "label"):
            more = {"relation": relation}
            name = f"{narrow.describe()} | arrays | {relation}"
            yield name, _learned(narrow, _column, folder, more)


def _learned(concepts, data, folder, privacy=None, **names):
    def attempt():
        book = Watching()
        task = tacit.Task(
            concepts,
            privacy=tacit.Privacy(1, "1/1000000", **(privacy or {})),
            accuracy=tacit.Accuracy("0.1", "0.1"),
            setting="agnostic",
        )
        tacit.learn(task, data(folder), ledger=book, rng=seeded(1), **names)
        return book.later()

    return attempt


def _sanitized(queries, data, folder, column):
    def attempt():
        book = Watching()
        asked = {"privacy": tacit.Privacy(1, "1/1000000"), "ledger": book, "rng": seeded(1)}
        tacit.sanitize(data(folder), queries, column=column, **asked)
        return book.later()

    return attempt


def main(*words):
    """Print what is loaded too late; the number of releases that were looked at, and of faults."""
    looked, faults = 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        assert alone(lambda: write_files(folder)) == []
        for name, attempt in (*by_sources(folder), *by_algorithms()):
            if words and not any(word in name for word in words):
                continue
            late = alone(attempt)
            looked += 1
            if late:
                faults += 1
                print(name, late[:8], flush=True)
    print(f"{looked} releases, {faults} of them load something after the charge")
    return looked, faults


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:])[1] > 0)
