"""Three Snappy streams side by side: for each of them the same as alone."""

from itertools import product

import numpy as np
from tests.sources.snappy_cases import SIGN, packed_bytes, plain_bytes

from tacit.sources.snappy import snappy_size
from tacit.sources.snappy_three import sizes_of_three


def _same_as_alone(data, begins, ends):
    """Compare the loop with that of one stream, whatever the bytes are; which are sound."""
    heads, known = np.full((3, 64), SIGN, np.uint8), np.full((3, 64), SIGN, np.uint8)
    found = sizes_of_three(data, begins, ends, heads)
    alone = [snappy_size(data, *ask) for ask in zip(begins, ends, known, strict=True)]
    assert found == tuple(alone)
    for size, head, shown in zip(found, heads, known, strict=True):
        assert size < 0 or (head == shown).all()
    return tuple(size >= 0 for size in found)


def _laid_out(streams, after=3):
    """Streams one after another among other bytes, and where each begins and ends."""
    ends = np.cumsum([1, *map(len, streams)]).tolist()
    data = np.concatenate([[7], *streams, np.zeros(after)]).astype(np.uint8)
    return data, tuple(ends[:-1]), tuple(ends[1:])


def test_three_streams_are_gone_over():
    generator = np.random.default_rng(0)
    for size in (1, 5, 60, 3000):
        for kinds in product(range(4), repeat=3):
            plain = [plain_bytes(generator, kind, size + 7 * k) for k, kind in enumerate(kinds)]
            data, begins, ends = _laid_out([packed_bytes(one) for one in plain])
            heads = np.zeros((3, 64), np.uint8)
            assert sizes_of_three(data, begins, ends, heads) == tuple(map(len, plain))
            for head, one in zip(heads, plain, strict=True):
                assert (head[: len(one)] == one[:64]).all()


def test_streams_of_very_different_lengths():
    generator = np.random.default_rng(3)
    for sizes in product((1, 40, 5000), repeat=3):
        plain = [plain_bytes(generator, 0, size) for size in sizes]
        data, begins, ends = _laid_out([packed_bytes(one) for one in plain], after=0)
        assert _same_as_alone(data, begins, ends) == (True, True, True)


def test_a_damaged_stream_says_the_same_as_alone_and_leaves_the_others_as_they_are():
    generator, seen = np.random.default_rng(1), set()
    for case in range(4000):
        kinds, size = generator.integers(0, 4, 3), int(generator.integers(1, 80))
        packed = [packed_bytes(plain_bytes(generator, kind, size)) for kind in kinds]
        for stream in packed:
            if generator.random() < 0.4:
                stream[int(generator.integers(0, len(stream)))] = generator.integers(0, 256)
        data, begins, ends = _laid_out(packed, after=64 * (case % 2))
        ends = (ends[0] - int(case % 5 == 0), *ends[1:])
        seen.add(_same_as_alone(data, begins, ends))
    assert len(seen) == 8


def test_a_place_outside_of_the_bytes_is_refused():
    data, begins, ends = _laid_out([packed_bytes(np.arange(90, dtype=np.uint8))] * 3, after=0)
    for wrong in range(3):
        late = tuple(end + 9 * (place == wrong) for place, end in enumerate(ends))
        beyond = late[wrong] > len(data)
        found = _same_as_alone(data, begins, late)
        assert found == tuple(place != wrong for place in range(3))
        assert beyond == (wrong == 2)
