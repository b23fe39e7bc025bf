"""Every algorithm, from a Postgres server: the release that is recorded for arrays."""

from functools import lru_cache

import numpy as np
import pyarrow as pa
import pytest
from tests.golden.golden import DELTAS, recorded, release_of
from tests.golden.tasks import TABLE, cases
from tests.sources.postgres_cases import REASON
from tests.sources.postgres_server import load, server

from tacit.core import ALGORITHMS
from tacit.sources.files import FileSample, TableSample

pytestmark = pytest.mark.skipif(REASON is not None, reason=REASON or "")

MOST_CELLS = 20_000


@pytest.fixture(scope="module")
def address():
    with server() as where:
        yield where


def _columns(data):
    """Columns of features and of labels; ``None`` where these records are not shown here."""
    x, y = data if isinstance(data, tuple) else (data, None)
    x = np.asarray(x)
    if y is not None and np.max(y, initial=0) > 1:
        return None
    if x.dtype == object and y is not None and x.ndim == 2 and x.shape[1] == 2:
        features = {name: x[:, j].tolist() for j, name in enumerate(TABLE.names)}
        return features, {"y": np.asarray(y).astype(np.int64)}
    if x.dtype == object or x.ndim > 2 or x.size > MOST_CELLS:
        return None
    features = {f"x{j}": column for j, column in enumerate(x.reshape(len(x), -1).T)}
    if y is None:
        return features, {}
    whole = np.asarray(y).astype(np.int64)
    return features, {f"y{j}": column for j, column in enumerate(whole.reshape(len(x), -1).T)}


class _NotHere(Exception):
    """These records are not of a kind that is shown here."""


def _shown(address, tables, data):
    from tacit.sources.postgres import PostgresTable

    columns = _columns(data)
    if columns is None:
        raise _NotHere
    features, labels = columns
    held = pa.table({**features, **labels})
    found = [name for name, one in tables.items() if one.equals(held)]
    name = found[0] if found else f"t{len(tables)}"
    if not found:
        load(address, name, held)
        tables[name] = held
    source = PostgresTable(address, table=name)
    if "y" in labels:
        return TableSample(source, schema=TABLE, label="y", positive=1)
    return FileSample(source, columns=tuple(features), labels=tuple(labels), exact=False)


@lru_cache
def _known():
    return recorded("algorithms"), {}


ELSEWHERE = {
    "adaptive-pairs": "its table has no label column",
    "all-combinations": "its table has no label column",
    "independent-columns": "its table has no label column",
    "tree-of-pairs": "its table has no label column",
    "several label values": "its labels have more than two values",
    "near-concept": "it takes too long",
    "wrong-persons": "takes persons only: tests/sources/test_persons.py",
    "wrong-persons-flip": "takes persons only: tests/sources/test_persons.py",
}
"""Algorithms that are not run here, and why."""


@pytest.mark.parametrize("name", sorted({entry.name for entry in ALGORITHMS} - set(ELSEWHERE)))
def test_the_same_release_from_postgres(address, name):
    known, tables = _known()
    for case in cases():
        for delta in DELTAS:
            wanted = known.get(f"{name} | {case.name} | {delta}")
            if wanted is None or case.rows:
                continue
            try:
                found = release_of(
                    case, delta, ALGORITHMS[name], source=lambda data: _shown(address, tables, data)
                )
            except _NotHere:
                continue
            assert found == wanted
            return
    pytest.fail("no recorded release of it was shown")
