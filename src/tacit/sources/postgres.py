"""A table in Postgres: read only, one snapshot for all passes, batches through ADBC.

What the server says is never repeated: its messages quote values. Column types are the
server's own and public; what is cast on the way (``postgres_types``) is cast by expressions that
cannot fail, so no record can make a pass fail.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar
from weakref import finalize

from tacit.core import BadInput, SourceChanged
from tacit.core.addresses import parts_of
from tacit.core.source import Batch
from tacit.core.tally import Tally
from tacit.sources.beginning import SOME_ROWS, ReadsSome
from tacit.sources.files import Distributed
from tacit.sources.postgres_types import ColumnType
from tacit.sources.pushed import counted, first, inside, placing
from tacit.sources.query import Query, quoted, read_query
from tacit.sources.words import not_read
from tacit.tallies.arrays import fold_ahead
from tacit.tallies.digits import LeadingCounts, TakeKeys
from tacit.tallies.first import FirstPass

if TYPE_CHECKING:
    import pyarrow as pa
    from adbc_driver_manager.dbapi import Connection

S = TypeVar("S")
SCHEMES = ("postgresql", "postgres")
_BATCH_BYTES = "4194304"
_SNAPSHOT = (
    "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY",
    "SET client_encoding TO 'UTF8'",  # else text comes as the database, or a setting, writes it
)
_ROOM = (
    "SELECT set_config('work_mem', greatest(pg_size_bytes(current_setting('work_mem')), 67108864)"
    " / 1024 || 'kB', true)"
)
"""Groups are counted in memory up to a third of a million: what is less went through files."""
_LATIN = (f"LATIN{number}" for number in (1, 2, 4, 5, 6, 7, 8, 9, 10))
_ENCODINGS = frozenset(("UTF8", *_LATIN, "ISO_8859_5", "KOI8R", "KOI8U", "WIN866", "WIN1256"))
"""In these every text that a database takes is characters, so none makes a pass fail."""


class PostgresTable(Distributed, ReadsSome):
    """The records of one table; the transaction lasts as long as this object.

    ``table`` is named as the server knows it, with its schema before a dot where it is not on
    the search path. ``query`` chooses columns and rows of one table instead.
    """

    def __init__(self, url: str, *, table: str | None = None, query: str | None = None) -> None:
        parts = parts_of(url)
        if parts.scheme not in SCHEMES or not parts.path.strip("/"):
            raise BadInput("a Postgres address has the form postgresql://user@host/database")
        if (table is None) == (query is None):
            raise BadInput("say which table of the database to read (--table people), or --query")
        if query is None:
            self._query = Query(tuple(str(table).split(".")), None, None)
        else:
            self._query = read_query(query)
        self._connection = self._connected(url)
        self._closing = finalize(self, self._connection.close)
        if not self._declared:
            self.close()
            raise BadInput(f"{self.name}: there is no such table, or it may not be read")
        if not self.types:
            self.close()
            raise not_read(self.name, *next(iter(self.unread.items())))
        if self._kind == "r" and self._all("1 AS one", _HEIRS.format(self._literal)).num_rows:
            self.close()
            raise BadInput(
                f"{self.name}: other tables inherit from it, and nothing says whether their rows "
                "are meant; make a view of the rows that are, and name it with --table"
            )
        parted = self._kind == _IN_PARTITIONS
        self._partitions = self._partitions_now() if parted else None

    @property
    def name(self) -> str:
        """The table's name; addresses and passwords are not repeated."""
        return f"table {'.'.join(self._query.table)!r}"

    @property
    def kept_in(self) -> tuple[object, ...]:
        """The table as its server tells it apart, whatever address or name was written.

        Of a table in partitions, each of these: one of them may be named by itself, too.
        """
        told = "pg_postmaster_start_time()::text AS started, current_database()::text AS base"
        found = self._all(f"{told}, to_regclass({self._literal})::oid::int8 AS place", "")
        (row,) = found.to_pylist()
        every = (row["place"],) if self._partitions is None else self._partitions
        return tuple(f"postgres {row['started']} {row['base']} {place}" for place in every)

    @property
    def filtered(self) -> bool:
        """Whether conditions choose the rows, so that their number depends on what they hold."""
        return self._query.where is not None

    def _connected(self, url: str) -> Connection:
        try:
            from adbc_driver_postgresql import dbapi
        except ImportError:
            raise BadInput("reading from Postgres needs pip install 'tacit[postgres]'") from None
        try:
            connection = dbapi.connect(url)
            with connection.cursor() as cursor:
                for setting in _SNAPSHOT:
                    cursor.execute(setting)
                cursor.execute(_ROOM)
                cursor.fetchall()
        except dbapi.Error:
            # The message may repeat the address with its password.
            raise BadInput(f"{self.name}: the database server cannot be reached") from None
        return connection

    @cached_property
    def types(self) -> Mapping[str, pa.DataType]:
        """The columns and their Arrow types."""
        names = [name for name, kind in self._declared.items() if kind.read]
        # A system column says where the server keeps a row, so it is no part of the record.
        for name in (*(self._query.columns or ()), *self._query.compared):
            if name in self.unread:
                raise not_read(self.name, name, self.unread[name])
            if name not in names:
                raise BadInput(f"{self.name} has no column {name!r}")
        if self._query.columns is not None:
            names = list(self._query.columns)
        if not names:
            return {}
        try:
            with self._asked(self._cells(names), f"{self._from} LIMIT 0") as empty:
                types = dict(zip(names, empty.schema.types, strict=True))
        except SourceChanged:
            if self._query.where is None:
                raise BadInput(
                    f"{self.name}: this role may not read every column; name those that it may "
                    "with --query (the server must be PostgreSQL 13 or newer)"
                ) from None
            raise BadInput(
                f"{self.name}: the server does not take the conditions of the query; compare each "
                "column of the table with a value of its own type"
            ) from None
        return {name: self._declared[name].arrow(types[name]) for name in names}

    @cached_property
    def _declared(self) -> dict[str, ColumnType]:
        """The columns of the table and what the server's catalogue says of each."""
        told = "a.attname, t.typname, format_type(a.atttypid, a.atttypmod) AS told, a.atttypmod"
        found = self._all(told, _CATALOGUE.format(self._literal, "")).to_pylist()
        return {
            row["attname"]: ColumnType(row["typname"], row["told"], row["atttypmod"])
            for row in found
        }

    @property
    def unread(self) -> Mapping[str, str]:
        """The columns of types that are not read, and what the server calls these."""
        return {name: kind.told for name, kind in self._declared.items() if not kind.read}

    def _cells(self, names: Sequence[str]) -> str:
        return ", ".join(self._declared[name].sent(name) for name in names)

    @cached_property
    def required(self) -> frozenset[str]:
        """The columns that are declared NOT NULL."""
        with self._asked("a.attname", _CATALOGUE.format(self._literal, "AND a.attnotnull")) as rows:
            return frozenset(rows.read_all().column("attname").to_pylist())

    def check(self, columns: Sequence[str]) -> None:
        """Refuse text in an encoding whose bytes need not be characters; no record is looked at.

        Nothing else can fail: the server's own types have been read, and no cell is converted.
        """
        from pyarrow import types

        texts = [name for name in columns if types.is_string(self.types[name])]
        if texts and self._encoding not in _ENCODINGS:
            raise BadInput(
                f"{self.name}: the database is written in {self._encoding}, in which a text "
                f"may be no text (column {texts[0]!r}): read from one written in UTF8; nothing was "
                "charged"
            )

    @cached_property
    def _encoding(self) -> str:
        found = self._all("current_setting('server_encoding') AS encoding", "")
        return str(found.column("encoding")[0].as_py())

    def count(self) -> int:
        """How many records there are; the same in the whole transaction."""
        return self._count

    @cached_property
    def _count(self) -> int:
        found = self._all("count(*) AS n", self._from)
        self._check_partitions()
        return int(found.column("n")[0].as_py())

    def fold(self, columns: Sequence[str], read: Callable[[Batch], Batch], tally: Tally[S]) -> S:
        """The counter of all records; the server counts, or chooses, where it can do so exactly."""
        where: str | None = None
        if isinstance(tally, LeadingCounts | FirstPass | TakeKeys):
            placed = placing(self.types, read, tally, quoted)
            if placed is not None and isinstance(tally, LeadingCounts):
                return counted(self, placed, tally)
            if placed is not None and isinstance(tally, FirstPass):
                return first(self, placed, tally)
            if placed is not None and isinstance(tally, TakeKeys):
                where = inside(tally.spans, placed)
        rows = 0 if where is not None else self.count()
        return fold_ahead(map(read, self._rows(columns, where)), tally, rows=rows)

    def shifted(self, number: str, bits: int) -> str:
        """The SQL of a number without its last bits."""
        return f"({number} >> {bits})"

    def groups(self, key: str, *, most: int | None) -> pa.Table | None:
        """Rows ``key, n`` of all records; ``None`` if they are more than ``most``.

        The union with nothing hides from the planner that ``key`` is made of a column: from the
        statistics of many different values it expects as many groups, and lets no worker help.
        """
        none = f"SELECT {key} {self._every} WHERE false"
        keys = f"SELECT {key} AS key {self._from} UNION ALL {none}"
        limit = "" if most is None else f" LIMIT {most + 1}"
        found = self._all("key, count(*) AS n", f"FROM ({keys}) AS keys GROUP BY key{limit}")
        self._check_partitions()
        return found if most is None or found.num_rows <= most else None

    def some(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """These columns of the records of some pages, anywhere in the table; none of a view."""
        if self._kind not in _PAGED:
            return iter(())
        part = min(100, 100 * SOME_ROWS / max(1, self.count()))
        return self._rows(columns, None, sample=f" TABLESAMPLE SYSTEM ({part:.9f}) REPEATABLE (0)")

    @cached_property
    def _kind(self) -> str:
        """What the server calls the kind of table: ``r`` a plain one, ``p`` one in partitions."""
        found = self._all("relkind::text AS kind", _KIND.format(self._literal))
        return str(found.column("kind")[0].as_py())

    def _partitions_now(self) -> tuple[int, ...]:
        """The partitions that hold the rows, as the server numbers them."""
        found = self._all("relid::oid::int8 AS place", _LEAVES.format(self._literal))
        return tuple(found.column("place").to_pylist())

    def _check_partitions(self) -> None:
        """Refuse a pass if a partition was attached since the table was opened.

        A snapshot does not hide it, with rows that may be older than the snapshot. None can be
        taken away while this transaction lasts: a pass is whole if the list is the same after it.
        """
        if self._partitions is not None and self._partitions_now() != self._partitions:
            raise SourceChanged(f"{self.name}: its partitions changed while it was read")

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """These columns in one pass, in an order of the server's own."""
        return self._rows(columns, None)

    def _all(self, columns: str, rest: str) -> pa.Table:
        with self._asked(columns, rest) as reader:
            try:
                return reader.read_all()
            except Exception:  # noqa: BLE001 - the server's words may quote a record
                raise self._lost() from None

    def kept_of_persons(
        self, columns: Sequence[str], keep: Callable[[pa.Table], pa.Table]
    ) -> Iterator[pa.RecordBatch]:
        """What is kept of each person, whose rows the server puts one after the other."""
        from pyarrow import types

        unit = quoted(columns[0])
        # Bytes, whatever language the server sorts in: other texts are other persons.
        text = not types.is_integer(self.types[columns[0]])
        order = f'ORDER BY {unit} COLLATE "C"' if text else f"ORDER BY {unit}"
        batches = self._rows(columns, f"{unit} IS NOT NULL", order)
        for table in whole_persons(batches):
            yield from keep(table).to_batches()

    def _rows(
        self, columns: Sequence[str], where: str | None, order: str = "", sample: str = ""
    ) -> Iterator[pa.RecordBatch]:
        """These columns of the records that meet a condition of ours."""
        names, rest = list(columns), self._rest(sample)
        if where is not None:
            rest += f" {'AND' if self.filtered else 'WHERE'} ({where})"
        rest += f" {order}"
        with self._asked(self._cells(names), rest) as reader:
            while True:
                try:
                    batch = reader.read_next_batch()
                except StopIteration:
                    break
                except Exception:  # noqa: BLE001 - the server's words may quote a record
                    raise self._lost() from None
                yield batch.rename_columns(names)
        self._check_partitions()

    def close(self) -> None:
        """End the transaction and the connection."""
        self._closing()

    @property
    def _from(self) -> str:
        return self._rest()

    def _rest(self, sample: str = "") -> str:
        where = "" if self._query.where is None else f" WHERE {self._query.where}"
        return f"{self._every}{sample}{where}"

    @property
    def _every(self) -> str:
        # Rows of a table that inherits are not the table's own; rows of its partitions are.
        only = "" if self._kind == _IN_PARTITIONS else "ONLY "
        return f"FROM {only}{'.'.join(map(quoted, self._query.table))}"

    @property
    def _literal(self) -> str:
        name = ".".join(map(quoted, self._query.table))
        return "'" + name.replace("'", "''") + "'"

    def _lost(self) -> SourceChanged:
        return SourceChanged(
            f"{self.name}: the connection was lost while it was read; run it again"
        )

    def _asked(self, columns: str, rest: str) -> _Answer:
        return _Answer(self, self._connection, f"SELECT {columns} {rest}")


def whole_persons(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Batches in the order of their first column, cut anew so that no person is cut in two."""
    import pyarrow as pa
    import pyarrow.compute as pc

    waiting: list[pa.RecordBatch] = []
    for batch in batches:
        if not batch.num_rows:
            continue
        last = batch.column(0)[-1]
        first = pc.index(batch.column(0), last).as_py()
        if first or (waiting and waiting[-1].column(0)[-1] != last):
            yield pa.Table.from_batches([*waiting, batch.slice(0, first)])
            waiting = []
        waiting.append(batch.slice(first))
    if waiting:
        yield pa.Table.from_batches(waiting)


class _Answer:
    """One query's rows, as an Arrow stream that is closed whatever happens."""

    def __init__(self, table: PostgresTable, connection: Connection, query: str) -> None:
        self._table, self._query = table, query
        self._cursor = connection.cursor()

    def __enter__(self) -> pa.RecordBatchReader:
        try:
            self._cursor.adbc_statement.set_options(
                **{"adbc.postgresql.batch_size_hint_bytes": _BATCH_BYTES}
            )
            self._cursor.execute(self._query)
            return self._cursor.fetch_record_batch()
        except Exception:  # noqa: BLE001 - the server's words may quote a record
            self._cursor.close()
            raise self._table._lost() from None

    def __exit__(self, *_: object) -> None:
        self._cursor.close()


_CATALOGUE = (
    "FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid "
    "WHERE a.attrelid = to_regclass({}) AND a.attnum > 0 AND NOT a.attisdropped {} "
    "ORDER BY a.attnum"
)
_KIND = "FROM pg_catalog.pg_class WHERE oid = to_regclass({})"
_HEIRS = "FROM pg_catalog.pg_inherits WHERE inhparent = to_regclass({}) LIMIT 1"
_LEAVES = "FROM pg_catalog.pg_partition_tree(to_regclass({})) WHERE isleaf ORDER BY 1"
_IN_PARTITIONS = "p"
_PAGED = ("r", "m", _IN_PARTITIONS)
"""Kinds of table whose rows the server keeps in pages, of which it can read some."""
