"""Every algorithm, from files and servers: the release that is recorded for arrays."""

import os
import shutil
from dataclasses import replace
from importlib.util import find_spec

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.golden.golden import DELTAS, recorded, release_of
from tests.golden.tasks import LETTERS, TABLE, cases
from tests.sources.postgres_cases import REASON
from tests.sources.postgres_server import load, server
from tests.tools.spark import local

from tacit import Ledger
from tacit.checks.testing import seeded
from tacit.core import ALGORITHMS
from tacit.core.label_values import LabelValues
from tacit.estimators import TreeClassifier
from tacit.estimators.several_labels import learn_labels
from tacit.sources.files import FileSample, StreamedRecords, table_reading
from tacit.sources.frames import FrameTable
from tacit.sources.opening import read

pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet")

MOST_CELLS = 20_000
NO_SPARK = "Spark needs Java 17" if shutil.which("java") is None else None
if find_spec("pyspark") is None:
    NO_SPARK = "Spark is not installed (pip install 'tacit[spark]')"


@pytest.fixture(scope="module")
def postgres():
    from tacit.sources.postgres import PostgresTable

    with server() as address:
        known = []

        def table(held):
            place = next((i for i, one in enumerate(known) if one.equals(held)), len(known))
            if place == len(known):
                load(address, f"t{place}", held)
                known.append(held)
            return PostgresTable(address, table=f"t{place}")

        yield table


@pytest.fixture(scope="module")
def parquet(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parquet")

    def table(held):
        path = folder / f"{len(os.listdir(folder))}.parquet"
        pq.write_table(held, path, row_group_size=500)
        return read(path)

    return table


@pytest.fixture(scope="module")
def spark():
    from tacit.sources.spark import SparkTable

    mine = pytest.MonkeyPatch()
    # Which version the workers have is asked in tests/sources/test_spark.py, not for each table.
    mine.setattr(SparkTable, "check", lambda self, columns: None)
    with local("local[2]", **{"spark.sql.shuffle.partitions": "2"}) as session:
        yield lambda held: SparkTable(session.createDataFrame(held))
    mine.undo()


class _NotHere(Exception):
    """These records are not of a kind that is shown here."""


def _features(x):
    """The columns of features."""
    if x.dtype == object and x.ndim == 2 and x.shape[1] == TABLE.width:
        return {name: x[:, j].tolist() for j, name in enumerate(TABLE.names)}
    if x.dtype == object or x.ndim > 2 or x.size > MOST_CELLS:
        raise _NotHere
    return {f"x{j}": column for j, column in enumerate(x.reshape(len(x), -1).T)}


def _shown(engine, data):
    x, y = data if isinstance(data, tuple) else (data, None)
    x = np.asarray(x)
    features, labels = _features(x), {}
    if y is not None:
        whole = np.asarray(y).astype(np.int64)
        labels = {f"y{j}": column for j, column in enumerate(whole.reshape(len(x), -1).T)}
    source = engine(pa.table({**features, **labels}))
    if x.dtype != object:
        return FileSample(source, columns=tuple(features), labels=tuple(labels), exact=False)
    values = LabelValues((0, 1, 2)) if y is not None and np.max(y, initial=0) > 1 else None
    label = "y0" if labels else None
    schema = LETTERS if isinstance(x[0, 0], str) else TABLE
    reading = table_reading(source, schema=schema, label=label, positive=1, values=values)
    return StreamedRecords(source, replace(reading, labels=tuple(labels)))


ELSEWHERE = {
    "labels side by side": "several label columns of a table: SEVERAL below",
    "shared questions": "several label columns of a table: SEVERAL below",
    "shared questions, drawn apart": "several label columns of a table: SEVERAL below",
    "near-concept": "it takes too long",
    "wrong-persons": "takes persons only: tests/sources/test_persons.py",
    "wrong-persons-flip": "takes persons only: tests/sources/test_persons.py",
}
"""Algorithms that are not run here, and why."""

KNOWN = recorded("algorithms")


def _same(engine, name):
    """Whether the first recorded release of an algorithm is that from records in an engine."""
    for case in cases():
        for delta in DELTAS:
            wanted = KNOWN.get(f"{name} | {case.name} | {delta}")
            if wanted is None or case.rows:
                continue
            algorithm = ALGORITHMS[name]
            try:
                found = release_of(case, delta, algorithm, source=lambda data: _shown(engine, data))
            except _NotHere:
                continue
            return found == wanted
    return pytest.fail(f"no recorded release of {name} was shown")


SEVERAL = {
    "labels side by side": (2, False),
    "shared questions": (30, True),
    "shared questions, drawn apart": (4, True),
}
"""Algorithms of several label columns: how many, and whether they are to share their questions."""


def _rules(source, *, labels, shared):
    """The algorithm that drew rules of so many label columns, and the rules."""
    asked = {"bins": 16, "epsilon": 2, "delta": "1e-6", "depth": 1, "ledger": Ledger.memory()}
    domain = {"age": (0, 100), "dose": (0, 1), "rate": (0, 1), "size": (0, 1)}
    model = TreeClassifier(domain=domain, **asked, rng=seeded("several labels"))
    release = learn_labels(model, source, [f"y{j}" for j in range(labels)], shared=shared)
    return release.certified.algorithm, release.value.to_dict()


def _labelled(labels):
    """A table with so many label columns that one question tells, each less often right."""
    rng = np.random.default_rng(2)
    table = {"age": rng.integers(0, 101, 6000)}
    table |= {name: rng.random(6000) for name in ("dose", "rate", "size")}
    for j in range(labels):
        table[f"y{j}"] = ((table["age"] > 60) ^ (rng.random(6000) < 0.05 + j / 100)).astype(int)
    return pa.table(table)


def _several_same(engine, name):
    """Whether several labels have the rules from an engine that they have from a frame."""
    labels, shared = SEVERAL[name]
    table = _labelled(labels)
    wanted = _rules(FrameTable(table.to_pandas()), labels=labels, shared=shared)
    assert wanted[0] == name
    return _rules(engine(table), labels=labels, shared=shared) == wanted


NAMES = sorted({entry.name for entry in ALGORITHMS} - set(ELSEWHERE))


@pytest.mark.parametrize("name", NAMES)
def test_the_same_release_from_parquet(parquet, name):
    assert _same(parquet, name)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.skipif(REASON is not None, reason=REASON or "")
def test_the_same_release_from_postgres(postgres, name):
    assert _same(postgres, name)


@pytest.mark.parametrize("name", SEVERAL)
def test_the_same_rules_of_several_labels_from_parquet(parquet, name):
    assert _several_same(parquet, name)


@pytest.mark.parametrize("name", SEVERAL)
@pytest.mark.skipif(REASON is not None, reason=REASON or "")
def test_the_same_rules_of_several_labels_from_postgres(postgres, name):
    assert _several_same(postgres, name)


@pytest.mark.skipif(NO_SPARK is not None, reason=NO_SPARK or "")
def test_the_same_release_from_spark(spark):
    """One test, because tests that are shared out among processes would begin Spark in each."""
    assert [name for name in NAMES if not _same(spark, name)] == []
    assert [name for name in SEVERAL if not _several_same(spark, name)] == []
