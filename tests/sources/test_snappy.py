"""Unpacking of Snappy streams: the same bytes as the library, or a sign that there are none."""

import numpy as np
import pyarrow as pa
import pytest

from tacit.sources.snappy import snappy_size, unpack

ROOMS = (0, 1, 15, 31, 33, 64)
"""Bytes that follow a stream, and what it makes: loops are quick where there are enough."""


def _texts(generator, size):
    """Bytes with repetitions near and far, and numbers of which half are the same."""
    few = generator.integers(0, 4, size).astype(np.uint8)
    many = generator.integers(0, 256, size).astype(np.uint8)
    yield np.concatenate([many, few, many[: size // 2], np.zeros(size, np.uint8)])
    yield generator.integers(0, 2**32, size).view(np.uint8)
    yield np.repeat(generator.integers(-5, 5, size), 3).view(np.uint8)
    yield (generator.integers(0, 2**20, size) << 7).astype(np.int32).view(np.uint8)


def _packed(plain):
    return np.frombuffer(pa.Codec("snappy").compress(plain.tobytes()), np.uint8)


def _by_library(packed, size):
    try:
        found = pa.Codec("snappy").decompress(pa.py_buffer(packed), size)
    except (OSError, pa.ArrowException):
        return None
    return found.to_pybytes()


@pytest.mark.parametrize("size", [1, 2, 9, 100, 20000])
def test_a_stream_is_unpacked(size):
    generator = np.random.default_rng(size)
    for plain in _texts(generator, size):
        packed = _packed(plain)
        for after in ROOMS:
            data = np.concatenate([[7, 7], packed, np.full(after, 3)]).astype(np.uint8)
            for more in ROOMS:
                out = np.full(len(plain) + more, 9, np.uint8)
                assert unpack(data, 2, len(packed) + 2, out) == len(plain)
                assert (out[: len(plain)] == plain).all()
            assert unpack(data, 2, len(packed) + 2, out[: len(plain) - 1]) == -1


def test_a_stream_is_sound_exactly_where_it_can_be_unpacked():
    generator, seen = np.random.default_rng(0), {True: 0, False: 0}
    for case in range(800):
        for plain in _texts(generator, int(generator.integers(1, 120))):
            packed, head = _packed(plain).copy(), np.zeros(64, np.uint8)
            assert snappy_size(packed, 0, len(packed), head) == len(plain)
            assert (head[: len(plain)] == plain[:64]).all()
            place = int(generator.integers(2, len(packed)))  # the length before stays as it is
            packed[place] = generator.integers(0, 256)
            stop = len(packed) - (case % 3 == 0)
            found = _by_library(packed[:stop], len(plain))
            size = -1 if found is None else len(plain)
            assert snappy_size(packed, 0, stop, head) == size
            for after in (0, 64):
                data, out = np.append(packed[:stop], np.zeros(after, np.uint8)), np.zeros(0)
                out = np.full(len(plain) + after + 8, 9, np.uint8)
                assert unpack(data, 0, stop, out) == size
                if found is not None:
                    assert out[:size].tobytes() == found
                    assert head[:size].tobytes() == found[:64]
                if not after:
                    continue
                assert (out[len(plain) + 64 :] == 9).all()
            seen[found is not None] += 1
    assert min(seen.values()) > 200


def test_a_stream_that_announces_nothing_or_too_much_is_not_sound():
    head, out = np.zeros(4, np.uint8), np.zeros(100, np.uint8)
    for said in ([], [0x80], [0xFF] * 8, [1], [2, 0, 7], [1, 0xF0], [5, 0, 7, 1, 0]):
        data = np.array(said, np.uint8)
        assert snappy_size(data, 0, len(said), head) == -1
        assert unpack(data, 0, len(said), out) == -1
    # one byte, then four copies of it
    for more in ([1, 1], [14, 1, 0], [15, 1, 0, 0, 0]):
        said = np.array([5, 0, 7, *more], np.uint8)
        assert snappy_size(said, 0, len(said), head) == 5
        assert head.tolist() == [7] * 4
        assert unpack(said, 0, len(said), out) == 5
        assert out[:5].tolist() == [7] * 5
        assert snappy_size(said, 0, len(said) + 1, head) == -1  # not all of it was passed
        assert unpack(said, 0, len(said) + 1, out) == -1
        assert unpack(said, -1, len(said), out) == -1


def test_long_literals_and_far_copies_are_unpacked():
    generator = np.random.default_rng(3)
    for length in (60, 61, 256, 257, 65536, 65537):
        given = generator.integers(0, 256, length).astype(np.uint8)
        size, tag = bytearray(), length - 1
        whole = length + 40
        while whole > 127:
            size.append(whole & 127 | 128)
            whole >>= 7
        size.append(whole)
        more = (tag.bit_length() + 7) // 8
        head = [tag << 2] if length <= 60 else [(59 + more) << 2, *tag.to_bytes(more, "little")]
        copied = [(39 << 2) | 3, *length.to_bytes(4, "little")]
        data = np.concatenate([list(size), head, given, copied]).astype(np.uint8)
        out = np.zeros(length + 40, np.uint8)
        assert _by_library(data, len(out)) is not None
        assert unpack(data, 0, len(data), out) == len(out)
        assert (out == np.append(given, given[:40])).all()
