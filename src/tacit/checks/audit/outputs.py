"""Outputs of anybody's mechanism, made comparable."""

from __future__ import annotations

import dataclasses
import json
import math
import numbers
from collections.abc import Hashable, Iterator
from typing import Any, TypeGuard

import numpy as np

from tacit.core.hypothesis import Writes

_DEEPEST = 8


class Raised:
    """Stands for the output of a run that raised an exception; its kind is what counts."""

    __slots__ = ("kind", "said")

    def __init__(self, kind: str, said: str = "") -> None:
        self.kind = kind
        self.said = said


_WRITING: dict[type, bool] = {}


def writes(output: object) -> TypeGuard[Writes]:
    """Whether an output has a JSON-ready form; every output is asked, so it is kept by type."""
    kind = type(output)
    if kind not in _WRITING:
        _WRITING[kind] = callable(getattr(kind, "to_dict", None))
    return _WRITING[kind]


def _released_numbers(held: list[object]) -> Iterator[Hashable]:
    """The whole numbers among the fields of an output, and those in lists of such numbers."""
    for value in held:
        if isinstance(value, int):
            yield value
        elif isinstance(value, (tuple, list)) and (inside := tuple(_released_numbers(list(value)))):
            yield inside


def key(output: object, depth: int = 0) -> Hashable:
    """Something hashable that tells different outputs apart and equal ones together.

    Objects of an unknown kind are compared by what they hold; not-a-number equals itself.

    >>> key(3) == key(3), key(np.array([1, 2])) == key(np.array([2, 1]))
    (True, False)
    >>> key(math.nan) == key(math.nan)
    True
    """
    if isinstance(output, (bool, int, str, bytes)) or output is None:
        return output
    if isinstance(output, np.generic):
        output = output.item()
    if isinstance(output, float):
        return output if output == output else "not a number"
    if isinstance(output, Raised):
        return ("raised", output.kind)
    if writes(output):
        text = json.dumps(output.to_dict(), sort_keys=True, default=str)
        # Numbers that come with a rule need not be in the rule's own form.
        held: list[object] = []
        if dataclasses.is_dataclass(output):
            held += (getattr(output, one.name) for one in dataclasses.fields(output))
        return (text, *_released_numbers(held))
    if isinstance(output, np.ndarray):
        plain = output.dtype.kind in "biufcSU"
        return (output.shape, output.tobytes() if plain else repr(output.tolist()))
    if depth > _DEEPEST:
        return repr(type(output))
    if isinstance(output, (list, tuple)):
        return tuple(key(part, depth + 1) for part in output)
    if isinstance(output, dict):
        return tuple(
            sorted(((str(name), key(part, depth + 1)) for name, part in output.items()), key=repr)
        )
    if isinstance(output, (set, frozenset)):
        return frozenset(key(part, depth + 1) for part in output)
    own_hash: object = type(output).__hash__
    if own_hash is None or own_hash is object.__hash__:
        # Its hash, if any, is an address: two equal answers would look different.
        inner: object = getattr(output, "__dict__", None)
        inside = repr(output) if inner is None else key(inner, depth + 1)
        return (type(output).__name__, inside)
    found: Hashable = output
    return found


def vector(output: object) -> tuple[float, ...] | None:
    """The output as numbers, if it is one number or a flat list of numbers."""
    if isinstance(output, (numbers.Real, np.bool_)):
        return (_float(output),)
    if isinstance(output, np.ndarray) and output.ndim <= 1 and output.dtype.kind in "biuf":
        return tuple(np.atleast_1d(output).astype(float).tolist())
    if isinstance(output, (list, tuple)) and all(isinstance(p, numbers.Real) for p in output):
        return tuple(_float(part) for part in output)
    return None


def _float(number: Any) -> float:
    try:
        return float(number)
    except OverflowError:
        return math.copysign(math.inf, number)
