"""Snappy streams that tests of their loops share."""

import numpy as np
import pyarrow as pa

SIGN = 9


def plain_bytes(generator, kind, size):
    """Bytes of one kind: short numbers in long words, small ones, repetitions, chance."""
    if kind == 0:
        return generator.integers(0, 2**32, size).view(np.uint8)
    if kind == 1:
        return generator.integers(-3, 3, size).view(np.uint8)
    if kind == 2:
        return np.repeat(generator.integers(0, 256, size).astype(np.uint8), 40)
    return generator.integers(0, 256, 8 * size).astype(np.uint8)


def packed_bytes(plain):
    """The same bytes as a Snappy stream."""
    return np.frombuffer(pa.Codec("snappy").compress(plain.tobytes()), np.uint8).copy()
