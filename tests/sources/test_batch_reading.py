"""Tests of ``tacit.sources.batch_reading``."""

from dataclasses import replace

import numpy as np
import pyarrow as pa
import pytest
from tests.sources.postgres_cases import REASON

from tacit.domains.labels import equals
from tacit.domains.texts import prepare
from tacit.sources.batch_reading import NumberReading, labels_of
from tacit.sources.kept import Narrow


@pytest.mark.skipif(REASON is not None, reason=REASON or "")
def test_records_that_are_ignored_are_left_out_by_us_alone():
    from tacit.domains.integers import Integers
    from tacit.sources.pushed import placing
    from tacit.sources.query import quoted
    from tacit.tallies.digits import LeadingCounts
    from tacit.tallies.reading import Column, Label

    tally = LeadingCounts(Column(0, Integers(bits=20)), Label(1, positive=True), 6, 1 << 14)
    types = {"x": pa.int64(), "y": pa.int64()}
    plain = NumberReading(columns=("x",), labels=("y",), positive=1, negative=0, exact=False)
    assert placing(types, plain, tally, quoted) is not None
    for other in (
        replace(plain, ignore=True), replace(plain, exact=True), replace(plain, low=3),
        replace(plain, positive="1"), replace(plain, columns=("x", "y")),
    ):  # fmt: skip
        assert placing(types, other, tally, quoted) is None
    assert placing({"x": pa.float64(), "y": pa.int64()}, plain, tally, quoted) is None


ODD = ["1", "1.0", "01", "1.", "-1", "+1", " 1", "true", "yes", "", "nan", "inf", "1e0", "0", "-0",
       "1.00000000000000001", "0.99999999999999999", "9" * 250, "1_0", None, "0.1", "00.1", "1,0",
       "1" * 15, "1" * 16, "1" * 17, "."]  # fmt: skip


@pytest.mark.parametrize("positive", [1, "1", True, 0, 0.1, "yes", float("inf"), int("1" * 17)])
def test_a_label_of_text_is_read_by_itself_whichever_way_is_quick(positive):
    prepare()
    alone = [bool(equals(np.array([one], dtype=object), positive)[0]) for one in ODD]
    assert labels_of(pa.array(ODD, pa.string()), positive).tolist() == alone
    numbers = ["1", "0", "2", "0.10"]
    alone = [bool(equals(np.array([one], dtype=object), positive)[0]) for one in numbers]
    assert labels_of(pa.array(numbers), positive).tolist() == alone


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.float64, np.longdouble])
def test_a_label_of_a_float_is_its_number(kind):
    values = np.array([0, 1, np.nan, np.inf, 0.1, 1.5, -0.0], dtype=kind)
    for positive in (1, 0, 0.1, 1.5, "x"):
        alone = [bool(equals(np.array([float(one)], dtype=object), positive)[0]) for one in values]
        assert equals(values, positive).tolist() == alone


PUBLIC = [0, 1, -1, 255, 256, 300, 2**16, 2**32, 2**53 + 1, 2**64, 0.5, "1", "300", "a", True, 1.0]


@pytest.mark.parametrize("positive", PUBLIC)
@pytest.mark.parametrize("most", [2, 256, 2**16, 2**32, 2**62])
def test_labels_of_a_shorter_type_are_told_apart_as_those_of_the_column(most, positive):
    generator = np.random.default_rng(most % 1000)
    labels = np.append(generator.integers(0, most, 300), [value % most for value in PUBLIC[:9]])
    batch = pa.RecordBatch.from_pydict({"x": np.arange(len(labels)), "y": labels})
    narrow = Narrow.of(batch)
    assert most > 2**32 or narrow.whole("y").type != pa.int64()
    for negative in (None, 7):
        reading = NumberReading(
            columns=("x",), labels=("y",), positive=positive, negative=negative, exact=False
        )
        for here, there in zip(reading(batch).columns, reading(narrow).columns, strict=True):
            assert here.dtype == there.dtype
            assert (here == there).all()
