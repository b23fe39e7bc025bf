"""Cases that several tests share: Trees on a private grid: exact privacy, the joining of cells, and when it is used."""

import numpy as np


def atoms(n, seed=0):
    """A label that hangs on a narrow band which sixteen equal cells do not show."""
    rng = np.random.default_rng(seed)
    x = rng.choice([1.0, 40.0, 41.5, 43.0, 90.0], size=n).reshape(-1, 1)
    y = (x[:, 0] == 41.5).astype(int)
    return x, y
