"""A part of ``python -m benchmarks.fuzz_intake``: one changed record moves no other."""

import random

import pytest
from benchmarks import fuzz_intake
from benchmarks.fuzz_intake import Written, Wrong, plain_read, run


@pytest.mark.parametrize(("kind", "many"), [("text", 400), ("parquet", 60), ("charge", 20)])
def test_one_changed_record_is_refused_or_moves_no_other(kind, many):
    outcomes = run(kind, range(many))
    assert sum(outcomes.values()) == many
    assert outcomes["refused"] > many / 10
    assert outcomes["one record"] > many / 20


def test_the_plain_reader_knows_right_from_wrong():
    how = Written(",", '"', "utf-8", "\n", last_end=True, packed=False, columns=2)
    assert plain_read(b'a,"b""\n"\r\n,', how) == [["a", 'b"\n'], [None, None]]
    for broken in (b'a,"b', b"a", b"a,b,c", b'a,b"', b'a,"b"c', b"a,b\rc,d", b"\xff,b", b"a,b\n\n"):
        assert plain_read(broken, how) is None


@pytest.mark.parametrize("seed", range(3))
def test_a_reader_that_pads_or_skips_is_caught(seed, monkeypatch, tmp_path):
    """The fuzz notices a way in that reads one record more or less, or another cell."""
    honest = fuzz_intake._read

    def wrong(path, how):
        rows = honest(path, how)
        if rows is None or len(rows) < 2:
            return rows
        return [rows[:-1], [*rows, rows[0]], [rows[1], rows[0], *rows[2:]]][seed]

    monkeypatch.setattr(fuzz_intake, "_read", wrong)
    caught = 0
    for number in range(20):
        try:
            fuzz_intake.fuzz_text(random.Random(number), tmp_path)
        except Wrong:
            caught += 1
    assert caught > 10


def test_a_mutated_schema_is_read_or_refused_in_clear_words():
    outcomes = run("schema", range(600))
    assert outcomes["refused"] > 300
    assert outcomes["read"] > 20
    run("schema", range(2098, 2099))  # borders that no float holds
