"""Tests of ``tacit.problems.finite.synthetic``."""

from fractions import Fraction

import pyarrow.parquet
import pytest
from tests.problems.points.sanitizers_tables_cases import EIGHT

from tacit.classes import Points, Thresholds
from tacit.core import BadInput
from tacit.domains import Integers
from tacit.problems.finite.synthetic import SyntheticTable


def test_a_table_counts_and_answers():
    table = SyntheticTable.of(EIGHT, [5, 1, 5, 0])
    assert table.rows == ((0, 1), (1, 1), (5, 2))
    assert len(table) == 4
    assert table.values().tolist() == [0, 1, 5, 5]
    assert table.answer(Thresholds(size=8).hypothesis(2)) == Fraction(1, 2)
    assert table.answer(Points(size=8).hypothesis(5)) == Fraction(1, 2)
    assert SyntheticTable(domain=EIGHT, rows=()).answer(Points(size=8).hypothesis(5)) == 0


@pytest.mark.parametrize("rows", [((1, 1), (0, 1)), ((1, 1), (1, 2)), ((1, 0),)])
def test_rows_in_another_order_or_without_count_are_refused(rows):
    with pytest.raises(ValueError, match="ascend"):
        SyntheticTable(domain=EIGHT, rows=rows)


@pytest.mark.parametrize(
    ("domain", "values", "low", "kind"),
    [
        (EIGHT, [0, 7], -3, "int64"),
        (Integers(bits=64), [0, 2**64 - 1], 0, "uint64"),
        (Integers(bits=70), [0, 2**70 - 1], 0, "string"),
    ],
)
def test_tables_are_written_and_read_back(tmp_path, domain, values, low, kind):
    table = SyntheticTable(domain=domain, rows=tuple((v, 2) for v in values), low=low, column="age")
    table.write(tmp_path / "t.parquet")
    back = pyarrow.parquet.read_table(tmp_path / "t.parquet")
    assert str(back.schema.field("age").type) == kind
    assert [int(v) for v in back.column("age").to_pylist()] == [
        v + low for v in values for _ in "ab"
    ]
    table.write(tmp_path / "t.csv")
    assert len((tmp_path / "t.csv").read_text().splitlines()) == 5
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.csv", "t.parquet"]
    assert table.to_pandas().shape == (4, 1)


def test_another_kind_of_file_is_refused(tmp_path):
    with pytest.raises(BadInput, match="csv"):
        SyntheticTable.of(EIGHT, [1]).write(tmp_path / "t.xlsx")
    assert not list(tmp_path.iterdir())


def test_words_name_the_range_that_is_written():
    table = SyntheticTable(domain=Integers(size=93), rows=((0, 2), (92, 1)), low=18, column="age")
    assert table.describe() == "a synthetic column 'age' of 3 rows over 18..110"
    assert "over 0..92" in SyntheticTable(domain=Integers(size=93), rows=()).describe()
