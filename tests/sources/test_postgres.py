"""Postgres: the same releases as from files, one snapshot, and no word of the server's."""

import numpy as np
import pyarrow as pa
import pytest
from tests.sources.postgres_server import load, server, why_not

from tacit import Accuracy, Ledger, Privacy, Task, learn
from tacit.classes import Thresholds
from tacit.core import BadInput
from tacit.estimators import TreeClassifier
from tacit.testing import seeded

REASON = why_not()
pytestmark = pytest.mark.skipif(REASON is not None, reason=REASON or "")
ROWS = 5000


def _table():
    generator = np.random.default_rng(1)
    x = generator.integers(0, 1 << 20, ROWS)
    y = np.where(generator.random(ROWS) < 0.2, x < 600_000, x >= 600_000).astype(np.int64)
    sick = np.where(y == 1, "yes", "no")
    age = generator.normal(50, 20, ROWS)
    return pa.table({"x": x, "label": y, "Age": age, "sick": sick.tolist()})


@pytest.fixture(scope="module")
def address():
    with server() as where:
        load(where, "people", _table())
        yield where


def _learn(data, **names):
    task = Task(
        Thresholds(bits=20), privacy=Privacy("0.5"), accuracy=Accuracy("0.2", "0.1"),
        setting="agnostic",
    )  # fmt: skip
    return learn(task, data, ledger=Ledger.memory(), rng=seeded(4), **names).value


@pytest.mark.parametrize("many", [True, False])
def test_the_same_threshold_as_from_arrays(address, many, monkeypatch):
    import tacit.problems.thresholds.thresholds as module
    from tacit.sources.postgres import PostgresTable

    if many:
        monkeypatch.setattr(module, "_MANY_ROWS", 0)
    table = _table()
    arrays = tuple(table.column(name).to_numpy() for name in ("x", "label"))
    source = PostgresTable(address, table="people")
    assert source.count() == ROWS
    assert _learn(source, label="label", column="x") == _learn(arrays)
    source.close()


@pytest.mark.parametrize("depth", [1, 2])
def test_the_same_tree_as_from_a_frame(address, depth):
    from tacit.sources.postgres import PostgresTable

    def model():
        return TreeClassifier(
            domain={"x": (0, 1 << 20), "Age": (0.0, 100.0)}, classes=("no", "yes"), epsilon=1,
            depth=depth, ledger=Ledger.memory(), rng=seeded(2),
        )  # fmt: skip

    frame = _table().to_pandas()
    plain = model().fit(frame[["x", "Age"]], frame.sick)
    source = PostgresTable(address, table="public.people")
    assert model().fit_file(source, label="sick").rule_.to_dict() == plain.rule_.to_dict()
    source.close()


def test_all_passes_see_one_snapshot_and_nothing_can_be_written(address):
    from adbc_driver_postgresql import dbapi

    from tacit.sources.postgres import PostgresTable

    load(address, "few", pa.table({"x": [1, 2, 3], "label": [0, 1, 1]}))
    source = PostgresTable(address, table="few")
    before = [batch.column(0).to_pylist() for batch in source.batches(["x"])]
    with dbapi.connect(address) as other, other.cursor() as cursor:
        cursor.execute("DELETE FROM few WHERE x = 2")
        other.commit()
    assert [batch.column(0).to_pylist() for batch in source.batches(["x"])] == before
    assert source.count() == 3
    with pytest.raises(Exception, match="run it again"), source._asked("1", "; DELETE FROM few"):
        pass
    source.close()
    again = PostgresTable(address, table="few")
    assert again.count() == 2
    again.close()


def test_errors_repeat_neither_the_address_nor_the_server(address):
    from tacit.sources.postgres import PostgresTable

    with pytest.raises(BadInput, match="no such table") as refused:
        PostgresTable(address, table='none"; DROP TABLE people; --')
    assert "DROP" not in str(refused.value).replace("DROP TABLE people; --'", "")
    with pytest.raises(BadInput, match="cannot be reached") as refused:
        PostgresTable(
            address.replace("tacit@", "tacit:secret@").replace("127.0.0.1:", "127.0.0.1:1"),
            table="people",
        )
    assert "secret" not in str(refused.value)
    with pytest.raises(BadInput, match="form postgresql"):
        PostgresTable("mysql://host/db", table="people")
    with pytest.raises(BadInput, match="no column 'y'"):
        _learn(PostgresTable(address, table="people"), label="y", column="x")


def test_a_lost_connection_is_one_clear_error_and_the_charge_is_kept(address):
    from adbc_driver_postgresql import dbapi

    from tacit.sources.postgres import PostgresTable

    source = PostgresTable(address, table="people")
    with dbapi.connect(address, autocommit=True) as other, other.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        cursor.fetchall()
    ledger = Ledger.memory()
    task = Task(Thresholds(bits=20), privacy=Privacy("0.5"), accuracy=Accuracy("0.2", "0.1"))
    with pytest.raises(Exception, match=r"lost|failed") as lost:
        learn(task, source, ledger=ledger, label="label", column="x")
    assert "terminat" not in str(lost.value)


def test_the_command_line_learns_from_a_server(address, tmp_path, capsys):
    from tacit.cli import main

    out = tmp_path / "rule.json"
    arguments = [
        "learn", address, "--table", "people", "--label", "label", "--class", "thresholds",
        "--bits", "20", "--column", "x", "--epsilon", "1", "--no-ledger", "-o", str(out),
    ]  # fmt: skip
    assert main(arguments) == 0
    said = capsys.readouterr()
    assert address not in said.out + said.err + out.read_text()
    assert main([*arguments[:2], *arguments[4:-1], str(tmp_path / "b.json")]) == 2
    assert "--table" in capsys.readouterr().err


def test_columns_that_are_not_null_are_known(address):
    from adbc_driver_postgresql import dbapi

    from tacit.sources.postgres import PostgresTable

    with dbapi.connect(address) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE TABLE strict (a int NOT NULL, b int, c text NOT NULL)")
        connection.commit()
    source = PostgresTable(address, table="strict")
    assert source.required == {"a", "c"}
    assert list(source.types) == ["a", "b", "c"]
    source.close()
