"""Parities so small that every exact law over them can be followed."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from tacit.core import Algorithm, Tiny, tiny_task
from tacit.core.tiny import TWO_LABELS, labelled
from tacit.problems.parities.parities import Parities

_ROWS = list(product((0, 1), repeat=2))
_ONES, _ZEROS = (1,) * 4, (0,) * 4


def on_parities(entry: Algorithm, *, delta: Fraction = Fraction(0)) -> Tiny:
    """Two uniform bits exactly, four sampled."""
    return tiny_task(
        entry,
        Parities(bits=2),
        Parities(bits=4),
        records=labelled(_ROWS),
        usual=(_ONES, 1),
        odd=(_ZEROS, 1),
        delta=delta,
        marginal="uniform",
    )


def on_several_parities(entry: Algorithm, *, delta: Fraction = Fraction(0)) -> Tiny:
    """Two tasks at once."""
    return tiny_task(
        entry,
        Parities(bits=2),
        Parities(bits=4),
        records=labelled(_ROWS, TWO_LABELS),
        usual=(_ONES, (1, 0)),
        odd=(_ZEROS, (1, 1)),
        delta=delta,
        k=2,
        marginal="uniform",
    )
