"""Learners that look at records again hold their cells, never the columns as they came."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tacit.domains.schema import Schema
from tacit.sources.files import StreamedRecords, TableSample
from tacit.sources.opening import read
from tacit.tallies.placed import placed


def _file(tmp_path, rows):
    generator = np.random.default_rng(2)
    columns = {
        "age": generator.normal(50, 20, rows),
        "ward": [f"ward {k}" for k in generator.integers(0, 4, rows)],
        "sick": generator.integers(0, 2, rows),
    }
    path = tmp_path / "people.parquet"
    pq.write_table(pa.table(columns), path, row_group_size=100)
    return read(path)


SCHEMA = {"age": (0.0, 100.0), "ward": ["ward 0", "ward 1", "ward 2"]}


@pytest.mark.parametrize("rows", [0, 1, 1234])
def test_the_cells_of_a_file_without_its_columns(tmp_path, rows, monkeypatch):
    source, schema = _file(tmp_path, rows), Schema.of(SCHEMA)
    whole = TableSample(source, schema=schema, label="sick", positive=1)
    cells, labels = schema.coerce(whole.x), whole.y
    if rows:
        monkeypatch.setattr(StreamedRecords, "x", property(lambda _: 1 / 0))
    found = placed(TableSample(source, schema=schema, label="sick", positive=1), schema)
    assert (found[0] == cells).all()
    assert (found[1] == labels).all()
    assert found[0].shape == (rows, 2)


@pytest.mark.parametrize("model", ["RuleListClassifier", "BestRuleClassifier", "DeepTree"])
def test_no_table_classifier_loads_a_file_whole(tmp_path, model, monkeypatch):
    import tacit.estimators as estimators
    from tacit import Ledger

    source = _file(tmp_path, 1500)
    monkeypatch.setattr(StreamedRecords, "_table", property(lambda _: 1 / 0))
    options = {"domain": SCHEMA, "epsilon": 2, "ledger": Ledger.memory()}
    if model == "DeepTree":
        made = estimators.TreeClassifier(depth=3, **options)
    else:
        made = getattr(estimators, model)(**options)
    made.fit_file(source, label="sick")
    assert made.release_ is not None
