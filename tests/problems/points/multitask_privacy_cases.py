"""Cases that several tests share: Multi-task learners on tiny domains: all neighbours, exact laws."""

from itertools import product

import numpy as np

from tacit.core import Sample


def sample(data, k):
    x = np.array([record[0] for record in data], dtype=np.uint64)
    y = np.array([record[1] for record in data], dtype=bool).reshape(len(data), k)
    return Sample(x, y)


def labels(k):
    return list(product((False, True), repeat=k))
