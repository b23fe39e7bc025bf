"""The compiled loops that look at pages: the same answers as the libraries they stand in for."""

import numpy as np
import pytest

from tacit.sources import pages


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
            assert pages.fitting_codes(data, 0, len(data), count, least) == pages.FIT
            assert pages.fitting_codes(data, 0, len(data), count, least - 1) == pages.BEYOND
        least = max(*codes, again) + 1
        assert pages.fitting_codes(data, 0, len(data), 8 * groups + 5, least) == pages.FIT
        assert pages.fitting_codes(data, 0, len(data), 8 * groups + 5, least - 1) == pages.BEYOND
        assert pages.fitting_codes(data, 0, len(data), 8 * groups + 6, least) == pages.OTHER
        assert pages.fitting_codes(data, 0, len(data) - 1, 8 * groups + 5, least) == pages.OTHER


@pytest.mark.parametrize("words", [np.uint8, np.uint32, np.uint64])
@pytest.mark.parametrize("width", [1, 2, 7, 8, 9])
@pytest.mark.parametrize("slack", [0, 3, 64])
def test_codes_are_read_where_they_fit(width, words, slack):
    generator = np.random.default_rng(width)
    for case in range(60):
        groups, again = int(generator.integers(1, 6)), int(generator.integers(1, 9))
        size = int(generator.integers(1, 1 << width, endpoint=True))
        most = size if case % 2 else 1 << width  # every second time some codes may not fit
        codes = generator.integers(0, most, 8 * groups + 1).tolist()
        whole = sum(code << (width * place) for place, code in enumerate(codes[:-1]))
        packed = [width, 2 * groups + 1, *whole.to_bytes(width * groups, "little")]
        packed += [2 * again, *codes[-1].to_bytes((width + 7) // 8, "little")]
        codes += codes[-1:] * (again - 1)
        count = int(generator.integers(0, len(codes), endpoint=True))
        data = np.array(packed + [255] * slack, np.uint8)
        entries = generator.integers(0, np.iinfo(words).max, size, dtype=words, endpoint=True)
        out = np.zeros(len(codes) + 2, words)
        fits = pages.fitting_codes(data, 0, len(packed), count, size) == pages.FIT
        assert pages.read_codes(data, 0, len(packed), count, entries, out) == fits
        # Codes of a group after the last that is asked for are not looked at.
        assert fits == (max(codes[:count], default=0) < size)
        if fits:
            assert (out[:count] == entries[codes[:count]]).all()
            assert not out[len(codes) :].any()


def test_codes_are_not_read_beyond_what_was_passed():
    entries, out = np.zeros(2, np.uint64), np.zeros(8, np.uint64)
    data = np.array([1, 3, 0xFF], np.uint8)
    assert pages.read_codes(data, 0, 3, 8, entries, out)
    assert not pages.read_codes(data, 0, 4, 8, entries, out)
    assert not pages.read_codes(data, 0, 3, 9, entries, np.zeros(9, np.uint64))
    assert not pages.read_codes(data, 0, 3, 8, entries, out[:7])
    assert not pages.read_codes(data, 0, 3, 8, entries[:0], out)
    assert not pages.read_codes(data, 3, 3, 1, entries, out)
    assert not pages.read_codes(np.array([33, 2, 0], np.uint8), 0, 3, 1, entries, out)


def test_levels_tell_whether_a_value_is_missing():
    def there(said, count):
        return pages.all_there(np.array(said, np.uint8), 0, len(said), count)

    assert there([20, 1], 10)
    assert there([3, 0xFF, 4, 1], 10)
    assert there([5, 0xFF, 0x03], 10)
    for said in ([20, 0], [18, 1], [5, 0xFF, 0x01], [5, 0xFF], [20], [0, 1, 20, 1], []):
        assert not there(said, 10)


def test_fields_of_a_header_numbered_beyond_sixteen_bits_are_refused():
    found = np.empty(pages.PARTS, np.int64)
    said = bytes((0x15, 0, 0x15, 80, 0x15, 80, 0x2C, 0x15, 10, 0x15, 0, 0x15, 6, 0x15, 6, 0))
    for more, fine in (
        (b"", True),
        (b"\xf1" * 2000, True),
        (b"\xf1" * 4368 + b"\xc1\x15\2", False),
    ):
        data = np.frombuffer(said + more + b"\0", np.uint8)
        assert (pages.read_header(data, 0, len(data), found) == len(data)) == fine
