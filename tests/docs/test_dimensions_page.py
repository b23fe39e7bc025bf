"""The page of dimensions says what the searches find."""

import re
from pathlib import Path

import pytest

from tacit.theory.dimensions import littlestone, named, representation, vc
from tacit.theory.dimensions.compared import INSTANCES, Row, page, rows

PAGE = Path(__file__).resolve().parents[2] / "docs" / "dimensions.md"
LINES = {
    line.split("|")[1].strip(): [cell.strip() for cell in line.split("|")[2:-1]]
    for line in PAGE.read_text().split("## At error 1/4")[0].splitlines()
    if re.match(r"\| [a-zA-Z].*, \d+ \|", line)
}


@pytest.mark.parametrize(("family", "size"), INSTANCES)
def test_the_first_columns_are_recomputed(family, size):
    known = named.FORMULAS[family]
    table = known.table(size)
    concepts, points, _, dimension, mistakes, *_ = LINES[f"{known.title}, {size}"]
    assert (int(concepts), int(points)) == table.shape
    assert (int(dimension), int(mistakes)) == (vc(table).value, littlestone(table).value)


def test_the_page_shows_that_littlestone_may_exceed_the_representation():
    assert LINES["thresholds, 7"][4:6] == ["3", "2.58 (6)"]
    assert representation(named.thresholds(7), alpha="1/3").least == 6


def test_a_small_page_can_be_made():
    small = page(time_limit=10, instances=(("points", 4), ("parities", 2)))
    assert "| points, 4 | 4 | 4 | 2.00 | 1 | 1 | 2.00 (4) |" in small


def test_a_row_that_breaks_a_theorem_is_noticed():
    (row,) = rows(time_limit=10, instances=(("points", 4),))
    assert row.broken() == []
    wrong = Row(
        title=row.title,
        concepts=2,
        points=4,
        found=row.found | {"Ldim": littlestone(named.thresholds(15))},
    )
    assert "Ldim <= log2|C|" in wrong.broken()
