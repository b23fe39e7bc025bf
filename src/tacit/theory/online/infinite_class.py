"""Why no uniform pure learner of any infinite class has short rules (B20 Proposition 19)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from tacit.core import BadInput, Claim, Hypothesis, theorem
from tacit.core.numbers import Number, whole
from tacit.theory.online.uniform import long_rule_chance

CLAIM = Claim(
    paper="B20",
    locator="Proposition 19",
    statement="a pure epsilon-private learner of an infinite class with n records, error below 1/2 "
    "and failure beta returns, on every sample, a rule longer than any given number of bits with "
    "probability (1 - beta) e^(-epsilon n); so rules are infinitely long on average. Printed with "
    "error 1/2, which is void",
    proof="theory/online/infinite_class.proof.md",
)


@dataclass(frozen=True, slots=True)
class Confused:
    """A concept that is not constant on two points that no rule of a list tells apart."""

    concept: int
    first: int
    second: int


def confused_concept(
    rules: Sequence[Hypothesis], concepts: Iterable[Hypothesis], *, points: int
) -> Confused:
    """Find such a concept among ``concepts`` and such points among the first ``points``.

    On the law that takes either point with probability 1/2 every rule of the list errs with
    probability 1/2. ``len(rules)`` rules cut the points into ``2**len(rules)`` cells at most, and
    only ``2**(2**len(rules))`` functions are constant on all cells: of more concepts than that, one
    is found once enough points are looked at.
    """
    values = np.arange(whole(points, name="points", least=2))
    table = np.array([rule.predict(values) for rule in rules], dtype=bool).reshape(-1, len(values))
    _, cell = np.unique(table.T, axis=0, return_inverse=True)
    cell = cell.ravel()
    for number, concept in enumerate(concepts):
        said = np.asarray(concept.predict(values), dtype=bool)
        ones = np.bincount(cell, weights=said)
        mixed = np.flatnonzero((ones > 0) & (ones < np.bincount(cell)))
        if len(mixed):
            here = np.flatnonzero(cell == mixed[0])
            return Confused(number, int(here[said[here]][0]), int(here[~said[here]][0]))
    raise BadInput("these concepts are constant where the rules are: look at more of them")


@theorem(
    CLAIM,
    kind="lower",
    setting="any infinite class; pure, replace-one; error below 1/2; every sample",
    formula=r"E|h|\ge b\,(1-\beta)e^{-\epsilon n}\ \text{for every } b",
)
def average_bits(*, bits: int, epsilon: Number, records: int, beta: Number) -> Fraction:
    """How long rules are on average, at least: grows without end with ``bits``, which is free.

    >>> round(average_bits(bits=10**6, epsilon=1, records=4, beta="1/2"))
    9158
    """
    length = whole(bits, name="bits", least=0)
    return length * long_rule_chance(epsilon=epsilon, records=records, beta=beta)
