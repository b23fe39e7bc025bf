"""Postgres: the same releases as from files, one snapshot, and no word of the server's."""

import numpy as np
import pyarrow as pa
import pytest
from tests.sources.postgres_cases import REASON
from tests.sources.postgres_server import load, server

from tacit import Accuracy, Ledger, Privacy, Task, learn
from tacit.classes import Thresholds
from tacit.core import BadInput, NamedRule
from tacit.estimators import TreeClassifier
from tacit.sources.same import share_records
from tacit.testing import seeded

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


def _plain(rule):
    """The rule without the names that its table has."""
    return rule.rule if isinstance(rule, NamedRule) else rule


def _learn(data, **names):
    task = Task(
        Thresholds(bits=20), privacy=Privacy("0.5"), accuracy=Accuracy("0.2", "0.1"),
        setting="agnostic",
    )  # fmt: skip
    return _plain(learn(task, data, ledger=Ledger.memory(), rng=seeded(4), **names).value)


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


def test_a_query_of_one_table_gives_its_columns_and_rows(address):
    from tacit.sources.postgres import PostgresTable

    table = _table()
    asked = "SELECT x, label FROM people WHERE \"Age\" >= 40 AND sick IN ('yes', 'no')"
    source = PostgresTable(address, query=asked)
    chosen = table.column("Age").to_numpy() >= 40
    assert list(source.types) == ["x", "label"]
    assert source.count() == chosen.sum() < ROWS
    with pytest.raises(BadInput, match="add-remove"):
        _learn(source, label="label", column="x")
    task = Task(
        Thresholds(bits=20), privacy=Privacy("0.5", relation="add-remove"),
        accuracy=Accuracy("0.2", "0.1"), setting="agnostic",
    )  # fmt: skip

    def rule(data, **names):
        return _plain(learn(task, data, ledger=Ledger.memory(), rng=seeded(4), **names).value)

    arrays = tuple(table.column(name).to_numpy()[chosen] for name in ("x", "label"))
    assert rule(source, label="label", column="x") == rule(arrays)
    source.close()
    whole = PostgresTable(address, query="SELECT x, label FROM people")
    assert _learn(whole, label="label", column="x") == _learn(
        PostgresTable(address, table="people"), label="label", column="x"
    )
    whole.close()


@pytest.mark.parametrize(
    "query", ["SELECT nothing FROM people", "SELECT x FROM nowhere", "SELECT x FROM people WHERE sick = 5", "SELECT x FROM people WHERE ctid < '(0,9)'"]
)  # fmt: skip
def test_a_query_that_the_server_refuses_is_refused_before_the_charge(address, query):
    from tacit.sources.postgres import PostgresTable

    with pytest.raises(BadInput) as refused:
        PostgresTable(address, query=query)
    assert "operator" not in str(refused.value)
    assert "yes" not in str(refused.value)


def _odd():
    """Values outside the domain, at its ends, and missing ones; labels of two types."""
    generator = np.random.default_rng(3)
    x = generator.integers(-(1 << 40), 1 << 40, 3000)
    x[:2000] = generator.integers(-5, (1 << 20) + 5, 2000)
    x[:4] = [-(1 << 63), (1 << 63) - 1, (1 << 20) - 1, 1 << 20]
    missing = generator.random(3000) < 0.1
    label = generator.integers(-1, 3, 3000)
    return pa.table(
        {
            "x": pa.array(x, mask=missing),
            "small": pa.array(x % 30000, pa.int16(), mask=missing[::-1]),
            "label": pa.array(label, mask=np.roll(missing, 5)),
            "truth": pa.array(label == 1, mask=np.roll(missing, 9)),
        }
    )


@pytest.mark.parametrize("column", ["x", "small"])
@pytest.mark.parametrize(("label", "positive"), [("label", 1), ("label", -1), ("truth", 1)])
def test_the_server_places_and_counts_as_we_do(address, column, label, positive):
    from tacit.domains.integers import Integers
    from tacit.sources import FileSample
    from tacit.sources.postgres import PostgresTable
    from tacit.tallies.arrays import fold_ahead
    from tacit.tallies.digits import LeadingCounts, Spans, TakeKeys
    from tacit.tallies.reading import Column, Label

    load(address, f"odd_{column}_{label}_{positive + 1}", _odd())
    source = PostgresTable(address, table=f"odd_{column}_{label}_{positive + 1}")
    sample = FileSample(source, columns=(column,), labels=(label,), positive=positive, exact=False)
    asked = []
    plain = PostgresTable._asked

    def ask(self, columns, rest):
        asked.append(f"{columns} {rest}")
        return plain(self, columns, rest)

    domain = Integers(bits=20)
    cells = Column(0, domain), Label(1, positive=True)
    ends = np.array([0, 1 << 6, (1 << 20) - 64], dtype=np.uint64)
    spans = Spans.of(ends, ends + np.uint64(63), bits=20)
    for tally, words in (
        (LeadingCounts(*cells, 6, 1 << 14), "GROUP BY"),
        (TakeKeys(*cells, spans, 70), "BETWEEN"),
    ):
        with pytest.MonkeyPatch.context() as mine:
            mine.setattr(PostgresTable, "_asked", ask)
            pushed = sample.fold(tally)
        assert words in asked[-1]
        here = fold_ahead(map(sample._reading, source.batches([column, label])), tally)
        if words == "GROUP BY":
            assert (pushed.counts() == here.counts()).all()
            assert pushed.counts().sum() == 3000
        else:
            assert (pushed.sorted() == here.sorted()).all()
            assert 0 < len(pushed.sorted()) < 3000
    source.close()


def test_a_table_is_the_same_by_every_address_and_name(address):
    from tacit.sources.postgres import PostgresTable

    other = address.replace("127.0.0.1", "localhost")
    load(address, "others", _table())
    tables = [
        PostgresTable(address, table="people"),
        PostgresTable(other, table="public.people"),
        PostgresTable(address, query="SELECT x FROM people WHERE x > 5"),
    ]
    apart = PostgresTable(address, table="others")
    for one in tables:
        assert all(share_records(one, again) for again in tables)
        assert not share_records(one, apart)
        assert address not in str(one.kept_in)
