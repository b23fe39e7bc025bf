"""Queries of one table: rewritten name by name, and refused where a row could become many."""

import pytest

from tacit.core import BadInput
from tacit.sources.query import read_query


def test_columns_and_conditions_are_written_anew():
    found = read_query(
        "select Age, \"Sick\" FROM hospital.people WHERE ward = 'A''s' AND age >= 18 "
        "and age between 1 and 9.5 AND x IN (1, 2,-3) AND y IS NOT NULL AND z is null AND q<>'b'"
    )
    assert found.table == ("hospital", "people")
    assert found.columns == ("age", "Sick")
    assert found.compared == ("ward", "age", "age", "x", "y", "z", "q")
    assert found.where == (
        """("ward" = 'A''s') AND ("age" >= 18) AND ("age" BETWEEN 1 AND 9.5) AND """
        """("x" IN (1, 2, -3)) AND ("y" IS NOT NULL) AND ("z" IS NULL) AND ("q" <> 'b')"""
    )


def test_all_columns_and_no_condition():
    found = read_query("  SELECT * FROM people ")
    assert (found.table, found.columns, found.where) == (("people",), None, None)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "SELECT",
        "SELECT * FROM a, b",
        "SELECT * FROM a JOIN b ON a.x = b.x",
        "SELECT count(*) FROM a",
        "SELECT avg(x) OVER () FROM a",
        "SELECT x FROM a GROUP BY x",
        "SELECT DISTINCT x FROM a",
        "SELECT x FROM a LIMIT 5",
        "SELECT x FROM a ORDER BY x",
        "SELECT x FROM a UNION ALL SELECT x FROM b",
        "SELECT x FROM a WHERE x = y",
        "SELECT x FROM a WHERE x = 1 OR y = 2",
        "SELECT x FROM a WHERE x IN (SELECT x FROM b)",
        "SELECT x FROM a WHERE random() < 0.5",
        "SELECT x FROM a WHERE x = 1; DROP TABLE a",
        "SELECT x FROM a -- and more",
        "SELECT x AS y FROM a",
        "SELECT x, x FROM a",
        "SELECT x FROM (SELECT x FROM a) b",
        "SELECT x FROM a WHERE x = 'open",
        "DELETE FROM a",
        "SELECT x FROM a WHERE x = 1e5",
        r"SELECT x FROM a WHERE x = 'a\' OR x = 'b'",
    ],
)
def test_anything_else_is_refused(text):
    with pytest.raises(BadInput):
        read_query(text)
