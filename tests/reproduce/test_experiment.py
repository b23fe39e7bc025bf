"""Every reproduction has planned rows whose columns are the ones it names."""

import pytest

from tacit.core import BadInput
from tacit.reproduce.experiment import PLANNED, QUICK, experiments, named, rows_of

NAMES = [entry.name for entry in experiments()]


def test_each_paper_is_there():
    for paper in ("bbkn13", "bns19", "fx14", "ch11", "b20"):
        assert any(name.startswith(paper) for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_planned_rows_fill_their_columns(name):
    entry = named([name])[0]
    rows = list(rows_of(entry, PLANNED))
    only_measured = set(entry.columns) == set(entry.measured)
    assert bool(rows) != only_measured
    for row in rows:
        assert set(row) <= set(entry.columns)
        assert not set(row) & set(entry.measured) or all(
            row[column] is None for column in set(row) & set(entry.measured)
        )


@pytest.mark.parametrize("name", NAMES)
def test_parts_have_names_of_their_own(name):
    keys = [part.key for part in named([name])[0].parts(QUICK)]
    assert keys
    assert len(keys) == len(set(keys))


def test_a_misspelt_name_is_met_with_the_nearest():
    with pytest.raises(BadInput, match="bbkn13-table1"):
        named(["bbkn13-tabel1"])


def test_needed_never_exceeds_enough():
    checked = 0
    for entry in experiments():
        for row in rows_of(entry, PLANNED):
            for column in entry.columns:
                if not column.endswith("needed"):
                    continue
                enough = row.get(column.replace("needed", "enough"), row.get("any rule: enough"))
                if isinstance(row.get(column), int) and isinstance(enough, int):
                    checked += 1
                    if entry.name != "fx14-lines":  # there one is of pure, one of both
                        assert row[column] <= enough, (entry.name, row)
    assert checked > 100
