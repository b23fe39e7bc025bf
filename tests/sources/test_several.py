"""Several sources as one: the same columns, one after the other."""

import pandas as pd
import pytest

from tacit.core import BadInput
from tacit.sources.frames import FrameTable
from tacit.sources.several import SeveralFiles


def frame(*values):
    return FrameTable(pd.DataFrame({"age": values}))


def test_records_follow_file_after_file():
    table = SeveralFiles([frame(1, 2), frame(3)])
    assert table.count() == 3
    read = [v for batch in table.batches(["age"]) for v in batch.column("age")]
    assert [int(v) for v in read] == [1, 2, 3]
    assert table.name == "2 files (data, data)"
    assert list(table.types) == ["age"]
    assert table.required == frozenset()


def test_other_columns_or_types_are_refused():
    with pytest.raises(BadInput, match="different columns or types"):
        SeveralFiles([frame(1), frame("one")])
    with pytest.raises(BadInput, match="different columns or types"):
        SeveralFiles([frame(1), FrameTable(pd.DataFrame({"sex": [1]}))])
