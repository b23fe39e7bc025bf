"""Postgres: the same releases as from files, one snapshot, and no word of the server's."""

import re

import numpy as np
import pyarrow as pa
import pytest
from tests.sources.postgres_cases import REASON
from tests.sources.postgres_server import do, load, server

from tacit import Accuracy, Ledger, Privacy, Task, learn
from tacit.classes import Thresholds
from tacit.core import BadInput, NamedRule, SourceChanged
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


def _end_connections(address):
    """The server ends all connections but the one that asks for it."""
    from adbc_driver_postgresql import dbapi

    with dbapi.connect(address, autocommit=True) as other, other.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        cursor.fetchall()


def test_a_lost_connection_is_one_clear_error_and_nothing_is_charged(address):
    from tacit.sources.postgres import PostgresTable

    source = PostgresTable(address, table="people")
    _end_connections(address)
    ledger = Ledger.memory()
    task = Task(Thresholds(bits=20), privacy=Privacy("0.5"), accuracy=Accuracy("0.2", "0.1"))
    with pytest.raises(Exception, match=r"lost|failed") as lost:
        learn(task, source, ledger=ledger, label="label", column="x")
    assert "terminat" not in str(lost.value)
    assert not ledger.entries


@pytest.mark.parametrize("when", [1, 2])
def test_a_connection_lost_after_the_charge_ends_the_run_and_keeps_it(address, when, monkeypatch):
    """In the first pass or after it: the snapshot is gone, so nothing is tried again."""
    import tacit.problems.thresholds.thresholds as module
    from tacit.sources.postgres import PostgresTable

    monkeypatch.setattr(module, "_MANY_ROWS", 0)
    plain, folds = PostgresTable.fold, []

    def fold(self, columns, read, tally):
        folds.append(tally)
        if len(folds) == when:
            _end_connections(address)
        return plain(self, columns, read, tally)

    monkeypatch.setattr(PostgresTable, "fold", fold)
    ledger = Ledger.memory()
    task = Task(Thresholds(bits=20), privacy=Privacy("0.5"), accuracy=Accuracy("0.2", "0.1"))
    source = PostgresTable(address, table="people")
    with pytest.raises(SourceChanged, match="connection was lost") as lost:
        learn(task, source, ledger=ledger, label="label", column="x")
    assert "terminat" not in str(lost.value)
    assert len(folds) == when
    assert len(ledger.entries) == 1


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
def test_the_server_places_and_counts_as_wedo(address, column, label, positive):
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


@pytest.mark.parametrize("wrong", [False, True])
def test_a_long_table_is_counted_and_looked_into_in_one_query(address, wrong, monkeypatch):
    import tacit.problems.thresholds.thresholds as module
    from tacit.sources.postgres import PostgresTable

    for name, few in (("files._WORTH_A_GLIMPSE", 0), ("postgres.SOME_ROWS", 4000)):
        monkeypatch.setattr(f"tacit.sources.{name}", few)
    monkeypatch.setattr(module, "_MANY_ROWS", 0)
    if wrong:  # a glimpse that misses what matters costs another pass and changes no answer
        monkeypatch.setattr(PostgresTable, "some", lambda self, columns: iter(_far(self, columns)))
    asked, plain = [], PostgresTable._asked

    def ask(self, columns, rest):
        asked.append(f"{columns} {rest}")
        return plain(self, columns, rest)

    monkeypatch.setattr(PostgresTable, "_asked", ask)
    table = _long()
    load(address, f"long_{wrong}", table)
    source = PostgresTable(address, table=f"long_{wrong}")
    found = _learn(source, label="label", column="x")
    assert found == _learn(tuple(table.column(name).to_numpy() for name in ("x", "label")))
    scans = [query for query in asked if "GROUP BY" in query or "BETWEEN" in query]
    assert len(scans) == (2 if wrong else 1)
    assert any("TABLESAMPLE" in query for query in asked) is not wrong
    assert any("CASE WHEN" in query for query in asked)
    source.close()


def _long():
    x = np.random.default_rng(8).integers(0, 1 << 20, 200_000)
    return pa.table({"x": x, "label": (x >= 600_000).astype(np.int64)})


def test_the_server_expects_few_groups_whatever_it_knows_of_a_column(address, monkeypatch):
    from adbc_driver_postgresql import dbapi

    from tacit.sources.postgres import PostgresTable

    load(address, "known", _long())
    with dbapi.connect(address, autocommit=True) as connection, connection.cursor() as cursor:
        cursor.execute("ANALYZE known")
    source = PostgresTable(address, table="known")
    asked, plain = [], PostgresTable._asked
    monkeypatch.setattr(
        PostgresTable, "_asked", lambda *words: asked.append(words[1:]) or plain(*words)
    )
    groups = source.groups('"x" >> 6', most=None)
    source.close()
    assert groups.num_rows == 1 << 14
    columns, rest = asked[-1]

    def expected(query):
        with dbapi.connect(address) as connection, connection.cursor() as cursor:
            cursor.adbc_statement.set_options(**{"adbc.postgresql.use_copy": "false"})
            cursor.execute(f"EXPLAIN {query}")
            return int(re.search(r"rows=(\d+)", cursor.fetchone()[0]).group(1))

    assert expected(f"SELECT {columns} {rest}") < 1000
    assert expected('SELECT "x" >> 6, count(*) FROM known GROUP BY 1') > 100_000


@pytest.mark.parametrize(("given", "used"), [("1MB", "64MB"), ("100MB", "100MB")])
def test_groups_have_room_in_memory_and_no_less_than_the_server_gives(address, given, used):
    from tacit.sources.postgres import PostgresTable

    source = PostgresTable(f"{address}?options=-c%20work_mem%3D{given}", table="people")
    found = source._all("current_setting('work_mem') AS room", "")
    source.close()
    assert found.column("room").to_pylist() == [used]


def _far(source, columns):
    del source
    x = np.random.default_rng(9).integers(0, 1 << 20, 5000)
    yield pa.RecordBatch.from_pydict({columns[0]: x, columns[1]: (x >= 10_000).astype(np.int64)})


def test_nothing_is_sampled_from_a_view(address):
    from adbc_driver_postgresql import dbapi

    from tacit.sources.postgres import PostgresTable

    with dbapi.connect(address) as connection, connection.cursor() as cursor:
        cursor.execute("CREATE VIEW seen AS SELECT * FROM people")
        connection.commit()
    source = PostgresTable(address, table="seen")
    assert not list(source.some(["x"]))
    assert source.count() == ROWS  # and the transaction goes on
    some = list(PostgresTable(address, query="SELECT x FROM people WHERE x > 5").some(["x"]))
    assert 0 < sum(batch.num_rows for batch in some) <= ROWS


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


def _in_partitions(address, name):
    """The people in three partitions, one of which is in two again."""
    columns = 'x bigint, label bigint, "Age" double precision, sick text'
    do(
        address,
        f"CREATE TABLE {name} ({columns}) PARTITION BY RANGE (x)",
        f"CREATE TABLE {name}_a PARTITION OF {name} FOR VALUES FROM (0) TO (300000)",
        f"CREATE TABLE {name}_b PARTITION OF {name} FOR VALUES FROM (300000) TO (600000) "
        "PARTITION BY LIST (label)",
        f"CREATE TABLE {name}_b0 PARTITION OF {name}_b FOR VALUES IN (0)",
        f"CREATE TABLE {name}_b1 PARTITION OF {name}_b FOR VALUES IN (1)",
        f"CREATE TABLE {name}_c PARTITION OF {name} FOR VALUES FROM (600000) TO (2000000)",
        f"INSERT INTO {name} SELECT * FROM people",
    )


def test_a_table_in_partitions_is_read_whole(address, monkeypatch):
    import tacit.problems.thresholds.thresholds as module
    from tacit.sources.postgres import PostgresTable

    _in_partitions(address, "parted")
    source = PostgresTable(address, table="parted")
    assert source.count() == ROWS
    found = sorted(x for batch in source.batches(["x"]) for x in batch.column(0).to_pylist())
    assert found == sorted(_table().column("x").to_pylist())
    assert sum(batch.num_rows for batch in source.some(["x"])) == ROWS  # few pages: all of them
    arrays = tuple(_table().column(name).to_numpy() for name in ("x", "label"))
    assert _learn(source, label="label", column="x") == _learn(arrays)
    monkeypatch.setattr(module, "_MANY_ROWS", 0)  # counted by the server
    assert _learn(source, label="label", column="x") == _learn(arrays)
    one, other = (PostgresTable(address, table=f"parted_{part}") for part in ("b", "c"))
    assert share_records(source, one)
    assert not share_records(one, other)


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_partition_attached_meanwhile_ends_the_run(address, when, monkeypatch):
    from tacit.sources.postgres import PostgresTable

    name = f"growing_{when}"
    _in_partitions(address, name)
    do(
        address, f"CREATE TABLE {name}_d AS SELECT * FROM people LIMIT 9",
        f"UPDATE {name}_d SET x = x + 3000000",
    )  # fmt: skip
    source = PostgresTable(address, table=name)
    attach = f"ALTER TABLE {name} ATTACH PARTITION {name}_d FOR VALUES FROM (3000000) TO (9000000)"
    ledger = Ledger.memory()
    plain = PostgresTable.fold

    def fold(self, columns, read, tally):
        do(address, attach)
        return plain(self, columns, read, tally)

    if when == "before":
        do(address, attach)
    else:
        monkeypatch.setattr(PostgresTable, "fold", fold)
    task = Task(Thresholds(bits=20), privacy=Privacy("0.5"), accuracy=Accuracy("0.2", "0.1"))
    with pytest.raises(SourceChanged, match="partitions changed"):
        learn(task, source, ledger=ledger, label="label", column="x")
    assert len(ledger.entries) == (0 if when == "before" else 1)


def test_a_table_that_others_inherit_from_is_refused(address):
    from tacit.sources.postgres import PostgresTable

    do(
        address, "CREATE TABLE parent (x bigint, label bigint)",
        "CREATE TABLE child () INHERITS (parent)", "INSERT INTO child VALUES (1, 1)",
        "CREATE VIEW family AS SELECT * FROM parent",
    )  # fmt: skip
    with pytest.raises(BadInput, match="inherit from it"):
        PostgresTable(address, table="parent")
    assert PostgresTable(address, table="child").count() == 1
    assert PostgresTable(address, table="family").count() == 1
