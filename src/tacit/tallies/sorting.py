"""Sort words in a time that does not hang on how numpy was built for the processor."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from time import perf_counter

import numpy as np
import numpy.typing as npt

_MANY = 1 << 16
"""From so many words on the compiled loop is worth loading."""
_TRIED, _TIMES = 1 << 15, 3
_SPREAD = np.uint64(0x9E3779B97F4A7C15)

Words = npt.NDArray[np.uint64]


def sort(words: Words) -> None:
    """Put words in ascending order, in place, by whichever is quicker on this processor."""
    if len(words) < _MANY or _numpy_is_quicker():
        words.sort()
    else:
        by_bytes(words)


def by_bytes(words: Words) -> None:
    """Put words in ascending order, in place, one byte after another."""
    from tacit.tallies.kernels import sort_words

    bytes_used = -(-int(words.max()).bit_length() // 8)
    sort_words(words, np.empty_like(words), np.zeros((bytes_used, 256), dtype=np.int64))


@cache
def _numpy_is_quicker() -> bool:
    """Whether numpy sorts faster than byte by byte here: tried once, on words of no record.

    With AVX-512 it takes a third of the time on some processors, and five times as long on others.
    """
    words = (np.arange(_TRIED, dtype=np.uint64) * _SPREAD) >> np.uint64(31)  # 33 bits, mixed up
    return _seconds(np.ndarray.sort, words) < _seconds(by_bytes, words)


def _seconds(method: Callable[[Words], None], words: Words) -> float:
    took = []
    for _ in range(_TIMES):
        copied = words.copy()
        begun = perf_counter()
        method(copied)
        took.append(perf_counter() - begun)
    return min(took)
