"""Outputs of anybody's mechanism, made comparable."""

from __future__ import annotations

import json
import numbers
from collections.abc import Hashable
from typing import Any

import numpy as np


def key(output: Any) -> Hashable:
    """Something hashable that tells different outputs apart and equal ones together.

    >>> key(3) == key(3), key(np.array([1, 2])) == key(np.array([2, 1]))
    (True, False)
    """
    if hasattr(output, "to_dict"):
        return json.dumps(output.to_dict(), sort_keys=True, default=str)
    if isinstance(output, np.ndarray):
        return (output.shape, output.tobytes())
    if isinstance(output, (list, tuple)):
        return tuple(key(part) for part in output)
    if isinstance(output, dict):
        return tuple(sorted((str(name), key(part)) for name, part in output.items()))
    try:
        hash(output)
    except TypeError:
        return repr(output)
    plain: Hashable = output.item() if isinstance(output, np.generic) else output
    return plain


def vector(output: Any) -> tuple[float, ...] | None:
    """The output as numbers, if it is one number or a flat list of numbers."""
    if isinstance(output, bool | np.bool_):
        return (float(output),)
    if isinstance(output, numbers.Real):
        return (float(output),)
    if isinstance(output, np.ndarray) and output.ndim <= 1 and output.dtype.kind in "biuf":
        return tuple(np.atleast_1d(output).astype(float).tolist())
    if isinstance(output, (list, tuple)) and all(isinstance(p, numbers.Real) for p in output):
        return tuple(float(part) for part in output)
    return None
