"""Which columns of a Spark table Python holds as Arrow does."""

import pyarrow as pa
import pytest

from tacit.sources.spark_types import arrow_type, is_plain

pyspark = pytest.importorskip("pyspark", reason="Spark is not installed")


def test_numbers_truth_values_and_texts_are_held_as_they_are():
    for kind in (pa.bool_(), pa.int8(), pa.int64(), pa.float32(), pa.float64(), pa.string()):
        assert is_plain(kind)
    for kind in (pa.date32(), pa.timestamp("us", tz="UTC"), pa.binary(), pa.list_(pa.int8())):
        assert not is_plain(kind)


def test_types_are_those_of_arrow_and_times_have_one_zone():
    from pyspark.sql import types

    assert arrow_type(types.ShortType()) == pa.int16()
    assert arrow_type(types.TimestampType()) == pa.timestamp("us", tz="UTC")
    assert arrow_type(types.CalendarIntervalType()) == pa.binary()  # Arrow has no such type
