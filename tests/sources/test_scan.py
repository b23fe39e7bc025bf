"""The compiled reader of text tables against a slow and plain one."""

import random

import numpy as np
import pytest

from tacit.sources.dialect import Broken, Dialect, split_record
from tacit.sources.scan import COMPLETE, MALFORMED, index_records, is_utf8

MARKS = (ord(","), ord('"'))


def _plain(data, columns):
    """All records by ``split_record``, or ``None``."""
    records = []
    while data:
        try:
            cells, used = split_record(data, Dialect())
        except Broken:
            return None
        if len(cells) != columns or data[:used].strip(b"\r\n") == b"":
            return None
        records.append(cells)
        data = data[used:]
    return records


def _compiled(data, columns, *, block):
    """The same by the compiled reader, a block at a time."""
    slots = np.arange(columns, dtype=np.int64)
    spans = np.empty((4, columns, 2), dtype=np.int64)
    doubled = np.empty((4, columns), dtype=np.bool_)
    records, rest, place = [], b"", 0
    while True:
        more = data[place : place + block]
        place += len(more)
        rest += more
        found = -1
        while found:
            held = np.frombuffer(rest, dtype=np.uint8)
            state, found, used = index_records(held, not more, MARKS, slots, spans, doubled)
            if state == MALFORMED:
                return None
            assert state == COMPLETE
            for record in range(found):
                cells = [
                    rest[a:b].replace(b'""', b'"') if twice else rest[a:b]
                    for (a, b), twice in zip(spans[record], doubled[record], strict=True)
                ]
                records.append(cells)
            rest = rest[used:]
        if not more:
            assert rest == b""
            return records


@pytest.mark.parametrize("columns", [1, 2, 3])
def test_all_short_files_are_read_alike(columns):
    """Every string of up to five letters that matter, in short and long blocks."""
    letters = b'x,"\r\n'
    accepted = 0
    for size in range(6):
        for number in range(len(letters) ** size):
            data = bytes(letters[number // len(letters) ** i % len(letters)] for i in range(size))
            expected = _plain(data, columns)
            accepted += expected is not None
            for block in (1, 2, 100):
                assert _compiled(data, columns, block=block) == expected, data
    assert accepted > 50


def test_long_random_files_are_read_alike():
    draw = random.Random(1)
    accepted = 0
    for _ in range(3000):
        cells = ["", "x", '"x"', '"a,b"', '"\n"', '""', '"x""y"', "\r\n", '"', "x\n"]
        lines = [
            ",".join(draw.choices(cells, [9] * 7 + [draw.choice([0, 1])] * 3, k=2))
            for _ in range(draw.randrange(1, 9))
        ]
        data = draw.choice(["\n", "\r\n"]).join(lines).encode() + draw.choice([b"", b"\n"])
        expected = _plain(data, 2)
        accepted += expected is not None
        assert _compiled(data, 2, block=draw.choice([1, 3, 7, 50])) == expected, data
    assert 1000 < accepted < 2900


def test_utf8_is_what_python_says_it_is():
    def python(data):
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            return False
        return True

    edges = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0]
    edges += [0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF]
    strings = [bytes((a, b)) for a in range(256) for b in range(256)]
    strings += [bytes((a,)) for a in range(256)] + [b""]
    strings += [bytes((a, b, c)) for a in range(0xC0, 256) for b in edges for c in edges]
    strings += [bytes((a, b, c, 0x80)) for a in range(0xE0, 256) for b in edges for c in edges]
    held = [python(one) for one in strings]
    assert 10_000 < sum(held) < len(strings) - 10_000
    for one, expected in zip(strings, held, strict=True):
        assert is_utf8(np.frombuffer(one, dtype=np.uint8), 0, len(one)) == expected, one
