"""What Spark's types of columns are to Arrow, and which of them Python holds as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql.types import DataType


def arrow_type(kind: DataType) -> pa.DataType:
    """The Arrow type of a column; bytes, which no rule can ask, where Arrow has no such type."""
    import pyarrow as pa
    from pyspark.sql.pandas.types import to_arrow_type
    from pyspark.sql.types import TimestampType

    if isinstance(kind, TimestampType):  # versions of Spark differ in how its zone is told
        return pa.timestamp("us", tz="UTC")
    try:
        return to_arrow_type(kind)
    except Exception:  # noqa: BLE001 - a column that nobody asks for stops nothing
        return pa.binary()


def is_plain(kind: pa.DataType) -> bool:
    """Whether Python holds every value of a type as it is: times have zones, dates end there."""
    from pyarrow import types

    numbers = types.is_boolean(kind) or types.is_integer(kind) or types.is_floating(kind)
    return bool(numbers or types.is_string(kind))
