"""Sort words in a time that does not hang on how numpy was built for the processor."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

_MANY = 1 << 16
"""From so many words on the compiled loop is worth loading."""


def sort(words: npt.NDArray[np.uint64]) -> None:
    """Put words in ascending order, in place.

    Byte by byte, which takes as long as the best of numpy's sorts; on some processors numpy
    takes five times as long.
    """
    if len(words) < _MANY:
        words.sort()
        return
    from tacit.tallies.kernels import sort_words

    bytes_used = -(-int(words.max()).bit_length() // 8)
    sort_words(words, np.empty_like(words), np.zeros((bytes_used, 256), dtype=np.int64))
