"""Made-up records: the same on every machine, and independent of the package's own randomness."""

import hashlib
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np


def number(name: str, place: int, below: int) -> int:
    """A number below ``below`` that only the name and the place decide."""
    digest = hashlib.sha256(f"{name}:{place}".encode()).digest()
    return int.from_bytes(digest[:8], "big") % below


def integers(name: str, n: int, size: int) -> np.ndarray[Any, Any]:
    """Half of them spread over the domain, half near its middle, where rules differ."""
    wide = [number(f"{name}/wide", i, size) for i in range(n)]
    near = [size // 2 + number(f"{name}/near", i, 3) - 1 for i in range(n)]
    return np.array([(wide, near)[number(name, i, 2)][i] % size for i in range(n)], dtype=np.int64)


def rows(name: str, n: int, width: int, size: int = 2) -> np.ndarray[Any, Any]:
    """Rows of independent numbers below ``size``."""
    return _cells(name, n, width, size).copy()


@cache  # tables are made anew for every classifier, of the same cells
def _cells(name: str, n: int, width: int, size: int) -> np.ndarray[Any, Any]:
    cells = [[number(f"{name}/{j}", i, size) for j in range(width)] for i in range(n)]
    return np.array(cells, dtype=np.int64)


def labels(name: str, x: np.ndarray[Any, Any], rule: Callable[[Any], bool]) -> Any:
    """The rule's labels, one in sixteen of them wrong."""
    wrong = _wrong(name, len(x))
    truth = [bool(rule(row)) for row in x]
    return np.array([a != b for a, b in zip(truth, wrong, strict=True)], dtype=np.int64)


@cache
def _wrong(name: str, n: int) -> tuple[bool, ...]:
    return tuple(number(f"{name}/wrong", i, 16) == 0 for i in range(n))
