"""Tests of ``tacit.cli.sanitize_column``: one column, its range and its queries."""

import pytest

from tacit.classes import Parities, Points, Thresholds
from tacit.cli.sanitize_column import read_queries, read_range
from tacit.core import BadInput

pytestmark = pytest.mark.unit


def test_a_range_is_read_with_its_name():
    assert read_range("age:0..120") == ("age", 0, 120)
    assert read_range(" net: worth:-5..5 ") == ("net: worth", -5, 5)
    for wrong in ("age", "age:0-120", "age:1.5..3", ":0..1"):
        with pytest.raises(BadInput, match="must look like"):
            read_range(wrong)
    with pytest.raises(BadInput, match="lower end"):
        read_range("age:3..2")


def test_queries_are_over_the_range():
    assert read_queries("points", size=8, matrix=None).domain == Points(size=8).domain
    assert isinstance(read_queries("thresholds", size=8, matrix=None), Thresholds)
    assert read_queries("parities", size=8, matrix=None).domain == Parities(bits=3).domain
    with pytest.raises(BadInput, match="2, 4, 8"):
        read_queries("parities", size=9, matrix=None)
    with pytest.raises(BadInput, match="--queries must be"):
        read_queries("lines", size=9, matrix=None)


def test_a_matrix_has_a_column_for_every_value(tmp_path):
    (tmp_path / "m.csv").write_text("0,1,1\n1,0,1\n")
    assert read_queries("table", size=3, matrix=tmp_path / "m.csv").domain.size == 3
    with pytest.raises(BadInput, match="one column for every value"):
        read_queries("table", size=4, matrix=tmp_path / "m.csv")
