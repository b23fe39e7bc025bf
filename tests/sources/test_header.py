"""The first line names the columns; nothing after it is looked at."""

import gzip
from io import BytesIO

import pytest

from tacit.core import BadInput
from tacit.sources.dialect import Dialect
from tacit.sources.header import read_header


def read(content, dialect=None, *, packed=False, declared=False):
    file = BytesIO(content)
    found = read_header(file, dialect or Dialect(), packed=packed, name="t.csv", declared=declared)
    return found, file.tell()


def test_names_are_read_and_the_rest_is_not():
    (names, used), at = read(b'age,"a, b"\n1,2\n')
    assert names == ["age", "a, b"]
    assert used == at == len(b'age,"a, b"\n')


def test_a_byte_order_mark_and_packing_are_no_part_of_a_name():
    assert read(b"\xef\xbb\xbfage,sex\n1,2\n")[0] == (["age", "sex"], 8)
    assert read(gzip.compress(b"age,sex\n1,2\n"), packed=True)[0] == (["age", "sex"], 8)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "must name the columns"),
        (b"age,age\n1,2\n", "each differently"),
        (b'age,"se', "must name the columns"),
        (b"age;sex\n1;2\n", "--delimiter ';', and --decimal ','"),
        (b"'age','sex'\n'1','2'\n", """--quote "'", or --quote none"""),
        (b"age\tsex\n", "--delimiter tab"),
        ("âge,sex\n".encode("cp1252"), "--encoding cp1252"),
        ("age,sex\n".encode("utf-16"), "--encoding utf-16"),
        (b"a" * (1 << 20) + b"bc\n", "refused as a whole"),
    ],
)
def test_another_dialect_is_refused_with_the_option_to_give(content, words):
    with pytest.raises(BadInput, match=words):
        read(content)


def test_quotes_that_are_part_of_a_name_are_left_alone():
    assert read(b"'age',sex\n1,2\n")[0][0] == ["'age'", "sex"]
    assert read(b"'age','sex'\n", Dialect(quote=None))[0][0] == ["'age'", "'sex'"]
    assert read(b"'age','sex'\n", Dialect(quote="'"))[0][0] == ["age", "sex"]


def test_a_declared_delimiter_may_leave_one_column():
    assert read(b"a;b\n1\n", declared=True)[0][0] == ["a;b"]


@pytest.mark.parametrize("quote", ['"', None])
def test_lines_that_end_in_a_carriage_return_alone_are_no_names(quote):
    """All records stood in the first line, and messages name columns."""
    with pytest.raises(BadInput, match="a carriage return stands in the first line") as refused:
        read(b"name,age\rAnna,20\rBob,30\r", Dialect(quote=quote))
    assert "Anna" not in str(refused.value)
