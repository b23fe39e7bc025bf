"""A frame as a source: its columns by name or place, its values never shown."""

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tacit.core import BadInput
from tacit.sources.frames import FrameTable

COLUMNS = {"age": [41, 42, 43], "sick": ["yes", "no", "yes"]}

FRAMES = [pd.DataFrame(COLUMNS), pl.DataFrame(COLUMNS), pa.table(COLUMNS)]


@pytest.mark.parametrize("frame", FRAMES, ids=["pandas", "polars", "arrow"])
def test_every_library_gives_the_same_records(frame):
    table = FrameTable(frame)
    assert table.count() == 3
    assert list(table.types) == ["age", "sick"]
    (batch,) = table.batches(["sick", "age"])
    assert batch.num_rows == 3
    assert [int(v) for v in batch.column(1)] == COLUMNS["age"]
    assert [str(v) for v in batch.column("sick")] == COLUMNS["sick"]
    assert (repr(table), repr(batch)) == ("FrameTable(private)", "FrameBatch(private)")


def test_columns_without_names_of_their_own_are_refused():
    twice = pd.DataFrame([[1, 2]], columns=["age", "age"])
    with pytest.raises(BadInput, match="each a different one"):
        FrameTable(twice)
    with pytest.raises(BadInput, match="pandas, polars or Arrow"):
        FrameTable([1, 2])
