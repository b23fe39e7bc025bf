"""Tests of ``tacit.sources.batch_reading``."""

from dataclasses import replace

import pyarrow as pa
import pytest
from tests.sources.postgres_cases import REASON

pytestmark = pytest.mark.skipif(REASON is not None, reason=REASON or "")


def test_records_that_are_ignored_are_left_out_by_us_alone():
    from tacit.domains.integers import Integers
    from tacit.sources.batch_reading import NumberReading
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
