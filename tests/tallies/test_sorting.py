"""Many words are sorted as numpy sorts them."""

import numpy as np
import pytest

from tacit.tallies import sorting
from tacit.tallies.sorting import sort

ROWS = 1 << 16


@pytest.mark.parametrize("rows", [0, 1, ROWS - 1, ROWS, ROWS + 777])
@pytest.mark.parametrize("bits", [1, 8, 9, 33, 63, 64])
def test_words_ascend(rows, bits):
    words = np.random.default_rng(bits).integers(
        0, 2**bits - 1, rows, dtype=np.uint64, endpoint=True
    )
    wanted = np.sort(words)
    sort(words)
    assert np.array_equal(words, wanted)


@pytest.mark.parametrize(
    "words",
    [
        np.zeros(ROWS),
        np.full(ROWS, 2**40),
        np.arange(ROWS)[::-1],
        np.arange(ROWS) << 47,
        np.where(np.arange(ROWS) % 3 == 0, 2**63, 5),
        np.arange(ROWS) % 256 << 16,
    ],
    ids=["zero", "equal", "falling", "high bits", "two values", "one byte of three"],
)
def test_bytes_that_all_words_share_are_passed_over(words):
    words = words.astype(np.uint64)
    wanted = np.sort(words)
    sort(words)
    assert np.array_equal(words, wanted)


def test_a_part_of_an_array_is_sorted_where_it_is(monkeypatch):
    monkeypatch.setattr(sorting, "_MANY", 1)
    words = np.array([9, 3, 2**50, 1, 7, 0], dtype=np.uint64)
    sort(words[1:4])
    assert words.tolist() == [9, 1, 3, 2**50, 7, 0]
