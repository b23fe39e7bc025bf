"""Cases that several tests share: FX14's lines: exact (epsilon, delta) over all ordered data sets, p = 2 and 3."""

import numpy as np

from tacit.core import Sample

BITS = 128


def records(p):
    return [((x, y), label) for x in range(p) for y in range(p) for label in (0, 1)]


def sample(entries):
    x = np.array([point for point, _ in entries], dtype=np.int64).reshape(-1, 2)
    return Sample(x, np.array([label for _, label in entries], dtype=np.int64))
