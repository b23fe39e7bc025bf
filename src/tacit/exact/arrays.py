"""The arrays of the package, named after what they hold.

Three of them have no one kind of number in numpy's own types: small numbers are machine words,
and those that no word holds are Python integers.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Truths = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

Values = npt.NDArray[Any]
"""Values as they came, of whatever kind numpy found for them."""

Placed = npt.NDArray[Any]
"""Records in their public domain, one row each: words, floats, bits, or Python integers."""

Sizes = npt.NDArray[Any]
"""Numbers of candidates and the ranks of the first: words, or Python integers."""
