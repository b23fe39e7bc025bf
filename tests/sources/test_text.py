"""Tests of ``tacit.sources.text``: what a long record costs to read."""

import pytest

from tacit.sources import blocks
from tacit.sources.dialect import Dialect
from tacit.sources.snapshot import Snapshot
from tacit.sources.text import TextFile

_LINES = 4000


@pytest.mark.parametrize("block", [64, 1 << 10, 1 << 20])
def test_the_readings_of_a_long_record_take_time_in_proportion_to_its_length(
    tmp_path, monkeypatch, block
):
    """Counted in bytes that are scanned, not by a clock: many blocks end inside one cell."""
    long = 'x,""y""\n' * _LINES
    path = tmp_path / "notes.csv"
    path.write_text(f'id,note\n1,"short"\n2,"{long}"\n3,"{long}"\n4,"last"\n', newline="")
    monkeypatch.setattr(blocks, "_BLOCK", block)
    scanned = []
    strict = TextFile._strict

    def counting(self, data, *args, **kwargs):
        scanned.append(len(data))
        return strict(self, data, *args, **kwargs)

    monkeypatch.setattr(TextFile, "_strict", counting)
    file = TextFile(Snapshot(path), Dialect())
    cells = [cell for batch in file.batches(["note"]) for cell in batch.column(0).to_pylist()]
    whole = long.replace('""', '"')
    assert cells == ["short", whole, whole, "last"]
    passes = 2  # the check, and the reading
    assert sum(scanned) <= 6 * passes * path.stat().st_size
