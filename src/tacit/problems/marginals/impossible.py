"""Combinations that cannot occur, by public knowledge: the values declared, and their cells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput
from tacit.domains.dates import Date
from tacit.domains.fields import Integer, Number, Ordered
from tacit.domains.schema import Field, Schema
from tacit.exact.arrays import Values

Zeros = npt.NDArray[np.bool_]
Combination = tuple[tuple[str, tuple[object, ...]], ...]
Grid = Integer | Number | Date


def combination(given: Any) -> Combination:
    """A declared combination as pairs of a column and its values, or a refusal in words."""
    pairs: Iterable[tuple[Any, Any]] = given.items() if isinstance(given, Mapping) else given
    try:
        read = [(str(name), _values(value)) for name, value in pairs]
    except (TypeError, ValueError):
        read = []
    if not 1 <= len(read) <= 4 or len(dict(read)) < len(read):
        raise BadInput(
            "impossible takes combinations of one to four columns, each once, such as "
            '{"sex": "male", "pregnant": true}'
        )
    return tuple(read)


def _values(value: object) -> tuple[object, ...]:
    return tuple(value) if isinstance(value, (list, tuple)) else (value,)


def zeros_of(schema: Schema, declared: Combination) -> tuple[tuple[int, ...], Zeros]:
    """The cells of a declared combination, over its columns in the schema's order."""
    inside: dict[int, Zeros] = {}
    for name, values in declared:
        if name not in schema.names:
            raise BadInput(f"impossible names {name!r}, and the schema has no such column")
        column = schema.names.index(name)
        one = schema.fields[column]
        placed = declared_cells(one, values, name=name, what="impossible")
        inside[column] = np.isin(np.arange(one.cells), placed)
    columns = tuple(sorted(inside))
    zero = np.ones([schema.cells[column] for column in columns], dtype=bool)
    for axis, column in enumerate(columns):
        shape = [1] * len(columns)
        shape[axis] = -1
        zero &= inside[column].reshape(shape)
    if zero.all():
        raise BadInput("impossible rules out every cell of these columns")
    return columns, zero


def declared_cells(
    one: Field, values: Sequence[object], *, name: str, what: str
) -> npt.NDArray[np.int32]:
    """The cells of values that a column declares, all values of each; ``what`` names them."""
    given = np.empty(len(values), dtype=object)
    given[:] = values
    open_one = replace(one, complete=False)  # a complete column puts all others in its first cell
    undeclared = bool((open_one.place(given) < open_one.extra).any())
    if not len(given) or undeclared or (isinstance(one, Ordered) and _outside(one, given)):
        raise BadInput(f"{what} names a value that column {name!r} does not declare, or none")
    placed = one.place(given)
    if isinstance(one, Ordered):
        _check_whole(one, given, placed, name=name, what=what)
    return placed


def _ends(one: Grid) -> list[float]:
    ends: list[float] = one.floats(np.array([one.low, one.high], dtype=object)).tolist()
    return ends


def _outside(one: Grid, given: Values) -> bool:
    """Whether one of these numbers or dates is not between the declared ends."""
    low, high = _ends(one)
    floats = one.floats(given)
    return bool((floats < low).any() or (floats > high).any())


def _check_whole(
    one: Grid, given: Values, placed: npt.NDArray[np.int32], *, name: str, what: str
) -> None:
    """Refuse numbers and dates that share their cell with others that are not listed.

    A cell's values are counted, not listed: there may be more than memory holds.
    """
    listed = {value for value in one.floats(given).tolist() if value.is_integer()}
    low, high = _ends(one)
    for cell in sorted(set(placed.tolist())):
        inside = cell - one.extra
        first = low if inside == 0 else max(low, float(one.borders[inside - 1]))
        last = high if inside == one.declared - 1 else min(high, float(one.borders[inside]) - 1)
        have = sum(first <= value <= last for value in listed)
        if isinstance(one, Number) or have <= last - first:
            raise BadInput(
                f"{what} names some values of column {name!r} that share a cell with others "
                f"({one.all_cells[cell]}): list all values of a cell, or give each a cell of its "
                "own (bins)"
            )


def check_together(cells: Sequence[int], zeros: Sequence[tuple[tuple[int, ...], Zeros]]) -> None:
    """Refuse what joins too many columns for a law to be worked out, or leaves no record."""
    from tacit.problems.marginals.fitting import MOST_CELLS, Fitting

    fit = Fitting(tuple(cells), tuple(zeros))
    if fit.order(()).size > MOST_CELLS:
        raise BadInput(
            "impossible joins columns of more than 2**19 combinations of cells: declare fewer "
            "combinations, of fewer columns or of columns with fewer cells"
        )
    if not fit.possible():
        raise BadInput("impossible rules out every record: together nothing is left")
