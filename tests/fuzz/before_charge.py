"""Nothing is imported or compiled after the charge: ``python -m tests.fuzz.before_charge [WORD ...]``.

Each release is made in a process of its own that has loaded nothing but the package, by every
algorithm for every task that it takes, from arrays, frames and files, by every classifier and by
every paid command. What appears between the charge and the end could have failed there, for
reasons of the machine. Words choose the releases whose names contain one of them.
"""

import gc
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from itertools import chain
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

    def __deepcopy__(self, memo):
        return self

    def would_allow(self, event):
        del event
        return True

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
        for wide in (Trees(schema, depth=2), Boxes(schema, columns=1), Scores(schema, columns=1)):
            yield f"{wide.name} | {kind}", _learned(wide, data, folder, label="sick")
        for narrow in (Thresholds(size=1000), Points(size=1000), Thresholds(bits=40)):
            named = {"label": "sick", "column": "age"}
            yield f"{narrow.describe()} | {kind}", _learned(narrow, data, folder, **named)
            yield f"table of {narrow.describe()} | {kind}", _sanitized(narrow, data, folder, "age")
        few = (lambda folder: folder / "few.parquet") if kind == "t.parquet" else data
        yield (
            f"persons | {kind}",
            _learned(Trees(schema, depth=1), few, folder, person, label="sick"),
        )
        yield f"marginals | {kind}", _sanitized(Marginals(schema, ways=2), few, folder, None)
    yield "trees | arrays", _learned(Trees(numbers, depth=2), _floats, folder)
    for narrow in (Thresholds(size=1000), Thresholds(bits=40), Thresholds(bits=64)):
        for relation in ("replace-one", "add-remove", "label"):
            more = {"relation": relation}
            name = f"{narrow.describe()} | arrays | {relation}"
            yield name, _learned(narrow, _column, folder, more)


def by_classifiers() -> Iterator:
    """Every classifier and its variants; several labels and costs among them.

    Classifiers are loaded in the copies only: they load much that algorithms must do without.
    """
    for place, name in enumerate(alone(lambda: [one[0] for one in _classifiers()])):
        yield f"classifier | {name}", _fitted(place)


def _classifiers() -> list:
    from tests.golden import classifiers as golden_ones

    from tacit import estimators as known

    narrow = {"domain": golden_ones.NARROW, "bins": 4, "classes": golden_ones.LABELS}
    x, y = golden_ones._narrow()
    made = list(golden_ones._made())
    for kind in (known.StumpClassifier, known.TreeClassifier, known.RuleListClassifier):
        several = known.MultiTaskClassifier(kind(delta="1/1000", **narrow))
        both = (x, np.stack([y, y[::-1]], axis=1))
        made.append((f"{kind.__name__}, side by side", several, both))
    for kind in (known.StumpClassifier, known.TreeClassifier, known.RuleListClassifier):
        made += [
            (f"{kind.__name__}, costs {costs}", kind(costs=costs, **narrow), (x, y))
            for costs in ("balanced", {"yes": 20})
        ]
    return made


def _fitted(place):
    def attempt():
        book, (_, made, (x, y)) = Watching(), _classifiers()[place]
        inner = made.estimator if hasattr(made, "estimator") else made
        inner.set_params(ledger=book, rng=seeded(1))
        made.fit(x, y)
        return book.later()

    return attempt


def by_commands(folder) -> Iterator:
    """Every paid command to its end: what it prints and writes is loaded before the charge, too."""
    from tests.fuzz import faults

    alone(lambda: faults.template(folder / "commands") or [])
    both = faults.SCHEMA + '[columns.sick]\nkind = "boolean"\n'
    (folder / "commands" / "both.toml").write_text(both)
    table = ("sanitize", "in.csv", "--schema", "both.toml", "--epsilon", "1", "--ledger", "b.db")
    more = {
        "learn, JSON": (*faults.STUMP, "--ledger", "b.db", "--json"),
        "plot": (*faults.COMMANDS["sanitize"], "--plot", "out.svg"),
        "table": (*table, "-o", "out.csv", "--release", "out.json", "--plot", "out.svg"),
        "table, Parquet": (*table, "-o", "out.parquet", "--croissant", "about.json"),
        "table, Feather": (*table, "-o", "out.feather"),
    }
    for name, words in (faults.COMMANDS | more).items():
        if name != "create":
            yield f"command | {name}", _commanded(folder / "commands", words)


def _commanded(template, words):
    def attempt():
        from tacit.cli import main

        place, book, charge = template.with_name(f"c{os.getpid()}"), Watching(), tacit.Ledger.charge
        shutil.copytree(template, place)
        os.chdir(place)
        out = os.open(os.devnull, os.O_WRONLY)
        os.dup2(out, 1)

        def noted(self, event, *, note=""):
            entry = charge(self, event, note=note)
            book.charge(event)
            return entry

        tacit.Ledger.charge = noted
        code = main(list(words))
        return [f"exit code {code}"] if code else book.later()

    return attempt


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
        releases = (by_commands(folder), by_classifiers(), by_sources(folder), by_algorithms())
        for name, attempt in chain(*releases):
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
