"""A table in Postgres: read only, one snapshot for all passes, batches through ADBC.

What the server says is never repeated: its messages quote values. Column types are the
server's own and public; text and numbers arrive as they are stored, so nothing is cast and
no record can make a pass fail.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from weakref import finalize

from tacit.core import BadInput, SourceChanged

if TYPE_CHECKING:
    import pyarrow as pa
    from adbc_driver_manager.dbapi import Connection

SCHEMES = ("postgresql", "postgres")
_BATCH_BYTES = "4194304"
_SNAPSHOT = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"
_READABLE = (
    "bool",
    "int2",
    "int4",
    "int8",
    "float4",
    "float8",
    "text",
    "varchar",
    "bpchar",
    "date",
)


class PostgresTable:
    """The records of one table; the transaction lasts as long as this object.

    ``table`` is named as the server knows it, with its schema before a dot where it is not on
    the search path.
    """

    def __init__(self, url: str, *, table: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in SCHEMES or not parts.path.strip("/"):
            raise BadInput("a Postgres address has the form postgresql://user@host/database")
        self._table = table
        self._connection = self._connected(url)
        self._closing = finalize(self, self._connection.close)
        if not self.types:
            self.close()
            raise BadInput(f"{self.name}: there is no such table, or it may not be read")

    @property
    def name(self) -> str:
        """The table's name; addresses and passwords are not repeated."""
        return f"table {self._table!r}"

    def _connected(self, url: str) -> Connection:
        try:
            from adbc_driver_postgresql import dbapi
        except ImportError:
            raise BadInput("reading from Postgres needs pip install 'tacit[postgres]'") from None
        try:
            connection = dbapi.connect(url)
            with connection.cursor() as cursor:
                cursor.execute(_SNAPSHOT)
        except dbapi.Error:
            # The message may repeat the address with its password.
            raise BadInput(f"{self.name}: the database server cannot be reached") from None
        return connection

    @cached_property
    def types(self) -> Mapping[str, pa.DataType]:
        """The columns and their Arrow types."""
        with self._asked("a.attname, t.typname", _CATALOGUE.format(self._literal, "")) as rows:
            columns = [(row["attname"], row["typname"]) for row in rows.read_all().to_pylist()]
        odd = [name for name, kind in columns if kind not in _READABLE]
        names = [name for name, _ in columns if name not in odd]
        if not names:
            return {}
        with self._asked(", ".join(map(quoted, names)), f"{self._from} LIMIT 0") as empty:
            types = dict(zip(names, empty.schema.types, strict=True))
        return {name: types[name] for name in names}

    @cached_property
    def required(self) -> frozenset[str]:
        """The columns that are declared NOT NULL."""
        with self._asked("a.attname", _CATALOGUE.format(self._literal, "AND a.attnotnull")) as rows:
            return frozenset(rows.read_all().column("attname").to_pylist())

    def check(self, columns: Sequence[str]) -> None:
        """Nothing to look at: the server's own types have been read, and no cell is converted."""

    def count(self) -> int:
        """How many records there are."""
        with self._asked("count(*) AS n", self._from) as rows:
            return int(rows.read_all().column("n")[0].as_py())

    def batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """These columns in one pass, in an order of the server's own."""
        names = list(columns)
        with self._asked(", ".join(map(quoted, names)), self._from) as reader:
            while True:
                try:
                    batch = reader.read_next_batch()
                except StopIteration:
                    return
                except Exception:  # noqa: BLE001 - the server's words may quote a record
                    raise self._lost() from None
                yield batch.rename_columns(names)

    def close(self) -> None:
        """End the transaction and the connection."""
        self._closing()

    @property
    def _from(self) -> str:
        return "FROM ONLY " + ".".join(map(quoted, self._table.split(".")))

    @property
    def _literal(self) -> str:
        name = ".".join(map(quoted, self._table.split(".")))
        return "'" + name.replace("'", "''") + "'"

    def _lost(self) -> SourceChanged:
        return SourceChanged(
            f"{self.name}: the connection was lost while it was read; run it again"
        )

    def _asked(self, columns: str, rest: str) -> _Answer:
        return _Answer(self, self._connection, f"SELECT {columns} {rest}")


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


def quoted(name: str) -> str:
    """A name as SQL writes it."""
    return '"' + name.replace('"', '""') + '"'
