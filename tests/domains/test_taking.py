"""Tests of ``tacit.domains.taking``."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from tacit.domains.taking import taken


@pytest.mark.parametrize(
    "table", [[5, 6, 7], np.array([5, 6, 7]), pd.Series([5, 6, 7]), pa.array([5, 6, 7])]
)
def test_rows_are_taken_by_their_place(table):
    assert list(np.asarray(taken(table, np.array([2, 0])))) == [7, 5]
