"""Randomness of the attacker: nothing here decides a private draw, so floats will do."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from tacit.core import Rng


def uniforms(rng: Rng, *shape: int) -> npt.NDArray[np.float64]:
    """Uniform numbers in [0, 1), multiples of ``2**-53``."""
    words = np.frombuffer(rng.bytes(8 * int(np.prod(shape))), dtype=np.uint64)
    return ((words >> np.uint64(11)).astype(np.float64) * 2.0**-53).reshape(shape)


def permutation(rng: Rng, count: int) -> npt.NDArray[np.int64]:
    """A uniform order of ``count`` things (two equal keys in 2**64 are not broken evenly)."""
    return np.argsort(np.frombuffer(rng.bytes(8 * count), dtype=np.uint64), kind="stable")
