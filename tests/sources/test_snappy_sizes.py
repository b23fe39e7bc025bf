"""Many Snappy streams gone over three at a time: for each of them the same as alone."""

import numpy as np
import pytest
from tests.sources.snappy_cases import SIGN, packed_bytes, plain_bytes

from tacit.sources.snappy import snappy_size
from tacit.sources.snappy_sizes import snappy_sizes


def _sizes(data, begins, ends):
    """What each stream is said to unpack to, and the first bytes of each."""
    heads, sizes = np.full((len(begins), 64), SIGN, np.uint8), np.zeros(len(begins), np.int64)
    snappy_sizes(data, np.array(begins, np.int64), np.array(ends, np.int64), heads, sizes)
    return sizes.tolist(), heads


def _same_as_alone(data, begins, ends):
    """Compare the loop with that of one stream, whatever the bytes are; which are sound."""
    sizes, heads = _sizes(data, begins, ends)
    known = np.full_like(heads, SIGN)
    alone = [snappy_size(data, *ask) for ask in zip(begins, ends, known, strict=True)]
    assert sizes == alone
    for size, head, shown in zip(sizes, heads, known, strict=True):
        assert size < 0 or (head == shown).all()
    return [size >= 0 for size in sizes]


def _laid_out(streams, after=3):
    """Streams one after another among other bytes, and where each begins and ends."""
    ends = np.cumsum([1, *map(len, streams)]).tolist()
    data = np.concatenate([[7], *streams, np.zeros(after)]).astype(np.uint8)
    return data, ends[:-1], ends[1:]


@pytest.mark.parametrize("many", range(12))
def test_streams_of_all_kinds_and_lengths_are_gone_over(many):
    generator = np.random.default_rng(many)
    for _ in range(40):
        sizes, kinds = generator.choice([1, 5, 60, 900, 4000], many), generator.integers(0, 4, many)
        plain = [plain_bytes(generator, *one) for one in zip(kinds, sizes, strict=True)]
        data, begins, ends = _laid_out([packed_bytes(one) for one in plain])
        found, heads = _sizes(data, begins, ends)
        assert found == list(map(len, plain))
        for head, one in zip(heads, plain, strict=True):
            assert (head[: len(one)] == one[:64]).all()


def test_a_damaged_stream_says_the_same_as_alone_and_leaves_the_others_as_they_are():
    generator, sound = np.random.default_rng(1), np.zeros(2, int)
    for case in range(3000):
        many, size = int(generator.integers(1, 9)), int(generator.integers(1, 80))
        kinds = generator.integers(0, 4, many)
        packed = [packed_bytes(plain_bytes(generator, kind, size)) for kind in kinds]
        for stream in packed:
            if generator.random() < 0.4:
                stream[int(generator.integers(0, len(stream)))] = generator.integers(0, 256)
        data, begins, ends = _laid_out(packed, after=64 * (case % 2))
        ends[0] -= int(case % 5 == 0)
        np.add.at(sound, np.array(_same_as_alone(data, begins, ends), int), 1)
    assert sound.min() > 2000


def test_a_place_outside_of_the_bytes_is_refused():
    packed = packed_bytes(np.arange(90, dtype=np.uint8))
    data, begins, ends = _laid_out([packed] * 5, after=0)
    assert _same_as_alone(data, begins, [*ends[:-1], ends[-1] + 9]) == [True] * 4 + [False]
    assert _same_as_alone(data, [-1, *begins[1:]], ends) == [False] + [True] * 4
