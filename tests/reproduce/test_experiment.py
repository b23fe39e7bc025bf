"""Every reproduction has planned rows: in the columns that it names, and copied into the pages."""

import csv
from pathlib import Path

import pytest
from tests.tools.long import long_ones

from tacit.core import BadInput
from tacit.reproduce.experiment import PLANNED, QUICK, experiments, named, rows_of
from tacit.reproduce.render import as_csv
from tacit.reproduce.runner import Outcome

COPIES = Path(__file__).resolve().parents[2] / "docs" / "reproduced"
NAMES = [entry.name for entry in experiments()]


def test_each_paper_is_there():
    for paper in ("bbkn13", "bns19", "fx14", "ch11", "b20"):
        assert any(name.startswith(paper) for name in NAMES)


def copy_of(entry):
    return (COPIES / f"{entry.name}.csv").read_text(encoding="utf-8")


def stated(text, entry):
    """The cells of every column that is not simulated."""
    rows = csv.DictReader(text.splitlines())
    return [[row[name] for name in entry.columns if name not in entry.measured] for row in rows]


@pytest.mark.parametrize(
    "name", long_ones(NAMES, "bns19-pure", "bns19-approximate", "least-records")
)
def test_planned_rows_fill_their_columns_and_are_those_of_the_copy(name):
    entry = named([name])[0]
    rows = tuple(rows_of(entry, PLANNED))
    only_measured = set(entry.columns) == set(entry.measured)
    assert bool(rows) != only_measured
    for row in rows:
        assert set(row) <= set(entry.columns)
        assert not set(row) & set(entry.measured) or all(
            row[column] is None for column in set(row) & set(entry.measured)
        )
    copied = stated(copy_of(entry), entry)
    now = as_csv(Outcome(experiment=entry, effort=PLANNED, rows=rows, missing=()))
    assert copied == stated(now, entry) if rows else copied


@pytest.mark.parametrize("name", NAMES)
def test_parts_have_names_of_their_own(name):
    keys = [part.key for part in named([name])[0].parts(QUICK)]
    assert keys
    assert len(keys) == len(set(keys))


def test_a_misspelt_name_is_met_with_the_nearest():
    with pytest.raises(BadInput, match="bbkn13-table1"):
        named(["bbkn13-tabel1"])


def test_needed_never_exceeds_enough():
    """Read from the copies, which the planned rows are compared with above."""
    checked = 0
    for entry in experiments():
        for row in csv.DictReader(copy_of(entry).splitlines()):
            for column in entry.columns:
                if not column.endswith("needed") or column in entry.measured:
                    continue
                enough = row.get(column.replace("needed", "enough"), row.get("any rule: enough"))
                if row[column].isdecimal() and enough and enough.isdecimal():
                    checked += 1
                    if entry.name != "fx14-lines":  # there one is of pure, one of both
                        assert int(row[column]) <= int(enough), (entry.name, row)
    assert checked > 100
