"""Keys that share a row of counts, and the same keys by themselves."""

import numpy as np
import pyarrow as pa
import pytest

from tacit.sources.spark_groups import apart


@pytest.mark.parametrize(("bits", "kind"), [(4, pa.int32()), (2, pa.int64())])
def test_keys_of_shared_rows_come_apart(bits, kind):
    generator = np.random.default_rng(6)
    top = 1 << (30 if kind == pa.int32() else 61)
    keys = np.concatenate([generator.integers(0, top, 50), np.arange(70), [top - 1]])
    number = {int(key): place + 1 for place, key in enumerate(keys)}
    first = sorted({key >> bits for key in number})
    near = {
        f"n{one}": [number.get((row << bits) + one, 0) for row in first] for one in range(1 << bits)
    }
    found = apart(pa.table({"row": pa.array(first, kind), **near}), bits)
    assert dict(zip(found["key"].to_pylist(), found["n"].to_pylist(), strict=True)) == number


def test_no_rows_have_no_keys():
    none = pa.array([], pa.int64())
    found = apart(pa.table({"row": none, **{f"n{one}": none for one in range(4)}}), 2)
    assert found.num_rows == 0
    assert found.column_names == ["key", "n"]
