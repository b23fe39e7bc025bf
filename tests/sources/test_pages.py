"""The compiled loops that look at pages: the same answers as the libraries they stand in for."""

import numpy as np
import pyarrow as pa
import pytest

from tacit.sources import pages


def _stream(generator, size):
    """Bytes with repetitions near and far, packed."""
    few = generator.integers(0, 4, size).astype(np.uint8)
    many = generator.integers(0, 256, size).astype(np.uint8)
    plain = np.concatenate([many, few, many[: size // 2], np.zeros(size, np.uint8)])
    return plain, np.frombuffer(pa.Codec("snappy").compress(plain.tobytes()), np.uint8).copy()


def test_a_snappy_stream_is_sound_exactly_where_it_can_be_unpacked():
    generator, codec, seen = np.random.default_rng(0), pa.Codec("snappy"), {True: 0, False: 0}
    for case in range(1500):
        plain, packed = _stream(generator, int(generator.integers(1, 200)))
        head = np.zeros(64, np.uint8)
        assert pages.snappy_size(packed, 0, len(packed), head) == len(plain)
        assert (head[: len(plain)] == plain[:64]).all()
        place = int(generator.integers(2, len(packed)))  # the length before stays as it is
        packed[place] = generator.integers(0, 256)
        stop = len(packed) - (case % 3 == 0)
        found = pages.snappy_size(packed, 0, stop, head)
        try:
            unpacked = codec.decompress(pa.py_buffer(packed[:stop]), len(plain))
        except (OSError, pa.ArrowException):
            assert found == -1
        else:
            assert found == len(plain)
            assert bytes(head[: len(plain)]) == unpacked.to_pybytes()[:64]
        seen[found >= 0] += 1
    assert min(seen.values()) > 100


def test_a_stream_that_announces_nothing_or_too_much_is_not_sound():
    head = np.zeros(4, np.uint8)
    for said in ([], [0x80], [0xFF] * 8, [1], [2, 0, 7], [1, 0xF0], [5, 0, 7, 1, 0]):
        assert pages.snappy_size(np.array(said, np.uint8), 0, len(said), head) == -1
    # one byte, then four copies of it
    for more in ([1, 1], [14, 1, 0], [15, 1, 0, 0, 0]):
        said = np.array([5, 0, 7, *more], np.uint8)
        assert pages.snappy_size(said, 0, len(said), head) == 5
        assert head.tolist() == [7] * 4


@pytest.mark.parametrize("width", [1, 3, 8, 17, 25, 26, 32])
def test_codes_fit_if_each_is_below_the_size(width):
    generator = np.random.default_rng(width)
    for _ in range(40):
        groups, most = int(generator.integers(1, 4)), (1 << width) - 1
        codes = [int(code) for code in generator.integers(0, most, 8 * groups, endpoint=True)]
        whole = sum(code << (width * place) for place, code in enumerate(codes))
        packed = [width, 2 * groups + 1, *whole.to_bytes(width * groups, "little")]
        again = int(generator.integers(0, most, endpoint=True))
        packed += [10, *again.to_bytes((width + 7) // 8, "little")]
        data = np.array(packed, np.uint8)
        for count in (8 * groups, 8 * groups - 3):  # the run of five is not asked for
            least = max(codes[:count]) + 1
            assert pages.codes_fit(data, 0, len(data), count, least)
            assert not pages.codes_fit(data, 0, len(data), count, least - 1)
        least = max(*codes, again) + 1
        assert pages.codes_fit(data, 0, len(data), 8 * groups + 5, least)
        assert not pages.codes_fit(data, 0, len(data), 8 * groups + 5, least - 1)
        assert not pages.codes_fit(data, 0, len(data), 8 * groups + 6, least)
        assert not pages.codes_fit(data, 0, len(data) - 1, 8 * groups + 5, least)


def test_levels_tell_whether_a_value_is_missing():
    def there(said, count):
        return pages.all_there(np.array(said, np.uint8), 0, len(said), count)

    assert there([20, 1], 10)
    assert there([3, 0xFF, 4, 1], 10)
    assert there([5, 0xFF, 0x03], 10)
    for said in ([20, 0], [18, 1], [5, 0xFF, 0x01], [5, 0xFF], [20], [0, 1, 20, 1], []):
        assert not there(said, 10)
