"""Two Snappy streams side by side: for each of them the same as alone."""

import numpy as np
from tests.sources.snappy_cases import SIGN, packed_bytes, plain_bytes

from tacit.sources.snappy import unpack
from tacit.sources.snappy_two import unpack_two


def _same_as_alone(data, one, two, sizes):
    """Compare the loop with that of one stream, whatever the bytes are; which are sound."""
    outs = [np.full(size + 40, SIGN, np.uint8) for size in sizes]
    other = [np.full(size + 40, SIGN, np.uint8) for size in sizes]
    made = tuple(unpack(data, *stream, out) for stream, out in zip((one, two), other, strict=True))
    assert unpack_two(data, *one, outs[0], *two, outs[1]) == made
    for size, out, known in zip(made, outs, other, strict=True):
        if size >= 0:
            assert (out[:size] == known[:size]).all()
    return [size >= 0 for size in made]


def test_two_streams_are_unpacked():
    generator = np.random.default_rng(0)
    for size in (1, 5, 60, 3000):
        for kind in range(4):
            for other in range(4):
                plain = plain_bytes(generator, kind, size), plain_bytes(generator, other, 2 * size)
                packed = [packed_bytes(one) for one in plain]
                data = np.concatenate([[7], *packed, [3, 3]]).astype(np.uint8)
                first = 1, 1 + len(packed[0])
                second = first[1], first[1] + len(packed[1])
                outs = [np.zeros(len(one), np.uint8) for one in plain]
                found = unpack_two(data, *first, outs[0], *second, outs[1])
                assert found == tuple(map(len, plain))
                assert all((a == b).all() for a, b in zip(outs, plain, strict=True))


def test_a_damaged_stream_says_the_same_as_alone_and_leaves_the_other_as_it_is():
    generator, seen = np.random.default_rng(1), set()
    for case in range(3000):
        kinds, size = generator.integers(0, 4, 2), int(generator.integers(1, 80))
        plain = [plain_bytes(generator, kind, size) for kind in kinds]
        packed = [packed_bytes(one) for one in plain]
        for stream in packed:
            if generator.random() < 0.5:
                stream[int(generator.integers(0, len(stream)))] = generator.integers(0, 256)
        data = np.concatenate([*packed, np.zeros(64 * (case % 2), np.uint8)])
        first = 0, len(packed[0]) - int(case % 5 == 0)
        second = len(packed[0]), len(packed[0]) + len(packed[1])
        seen.add(tuple(_same_as_alone(data, first, second, list(map(len, plain)))))
    assert seen == {(a, b) for a in (True, False) for b in (True, False)}


def test_without_room_for_one_stream_the_other_is_unpacked():
    generator = np.random.default_rng(2)
    plain = plain_bytes(generator, 0, 500)
    packed = packed_bytes(plain)
    data, out = np.append(packed, packed), np.zeros(len(plain), np.uint8)
    streams = (0, len(packed)), (len(packed), 2 * len(packed))
    little = np.zeros(len(plain) - 1, np.uint8)
    assert unpack_two(data, *streams[0], little, *streams[1], out) == (-1, len(plain))
    assert (out == plain).all()
    assert unpack_two(data, *streams[0], out, *streams[1], little) == (len(plain), -1)
