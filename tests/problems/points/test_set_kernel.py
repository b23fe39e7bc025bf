"""Tests of ``tacit.problems.points.set_kernel``."""

import numpy as np
import pytest

from tacit.problems.points.set_kernel import add_gains


def test_gains_have_a_value_each():
    hashes, offsets = np.ones((5, 2), dtype=np.uint64), np.ones(5, dtype=np.uint64)
    limbs, gains = np.ones((3, 2), dtype=np.uint64), np.ones(3, dtype=np.int64)
    add_gains(hashes, offsets, limbs, gains, 4, np.zeros(5, dtype=np.int64))
    for given in (
        (hashes, offsets, limbs, gains[:1], np.zeros(5, dtype=np.int64)),
        (hashes, offsets, limbs, gains, np.zeros(4, dtype=np.int64)),
        (hashes, offsets[:4], limbs, gains, np.zeros(5, dtype=np.int64)),
        (hashes[:, :1], offsets, limbs, gains, np.zeros(5, dtype=np.int64)),
    ):
        with pytest.raises(IndexError):
            add_gains(*given[:4], 4, given[4])
