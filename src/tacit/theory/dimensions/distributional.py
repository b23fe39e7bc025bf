"""One-way communication under a known law of the inputs: ``D(g; mu)`` (FX14 section 2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tacit.core import BadInput
from tacit.core.numbers import Number, exact
from tacit.theory.dimensions.incidence import read

_MOST_CONCEPTS = 12

Law = Sequence[Sequence[Number]]


@dataclass(frozen=True, slots=True)
class Grouped:
    """A deterministic one-way protocol that is best under a law, and what it costs.

    ``groups``  the concepts that share a message; Bob answers what is likelier among them.
    ``error``   how often Bob errs under the law, exactly.
    """

    groups: tuple[tuple[int, ...], ...]
    error: Fraction

    @property
    def messages(self) -> int:
        """How many messages Alice has."""
        return len(self.groups)

    @property
    def bits(self) -> int:
        """How long a message is."""
        return (self.messages - 1).bit_length()


def product_law(concepts: Sequence[Number], points: Sequence[Number]) -> list[list[Fraction]]:
    """The law of a concept and an independent point."""
    rows = [exact(p, name="concepts") for p in concepts]
    columns = [exact(p, name="points") for p in points]
    return [[a * b for b in columns] for a in rows]


def distributional(concept_class: object, law: Law, *, error: Number) -> Grouped:
    """The fewest messages with which Bob errs by at most ``error`` under ``law``, exactly.

    ``law[c][x]`` is the probability of concept ``c`` and point ``x``. A deterministic protocol
    sorts concepts by their message, and Bob's best answer to a message is the label that is
    likelier; so the best protocol with ``k`` messages is the best division of the concepts into
    ``k`` groups. All divisions are weighed by subsets: at most 12 concepts.

    >>> import numpy as np
    >>> distributional(np.eye(4), [["1/16"] * 4] * 4, error="1/4").messages
    1
    """
    table = read(concept_class)
    allowed = exact(error, name="error")
    if table.concepts > _MOST_CONCEPTS:
        raise BadInput(f"all divisions of at most {_MOST_CONCEPTS} concepts are weighed")
    masses = [[exact(p, name="law") for p in row] for row in law]
    flat = [p for row in masses for p in row]
    if len(masses) != table.concepts or any(len(row) != table.points for row in masses):
        raise BadInput("law must have a row for each concept and a column for each point")
    if any(p < 0 for p in flat) or sum(flat) != 1:
        raise BadInput("the probabilities of law must be at least 0 and sum to 1")
    return _best(_costs(table_labels(table), masses), table.concepts, allowed)


def table_labels(table: object) -> list[list[bool]]:
    """The class as rows of labels."""
    known = read(table)
    return [[bool(known.label(f, x)) for x in range(known.points)] for f in range(known.concepts)]


def _costs(labels: list[list[bool]], masses: list[list[Fraction]]) -> list[Fraction]:
    """For every set of concepts how often Bob errs if they share a message."""
    found = []
    for chosen in range(1 << len(labels)):
        members = [f for f in range(len(labels)) if chosen >> f & 1]
        cost = Fraction(0)
        for x in range(len(labels[0])):
            ones = sum((masses[f][x] for f in members if labels[f][x]), Fraction(0))
            whole = sum((masses[f][x] for f in members), Fraction(0))
            cost += min(ones, whole - ones)
        found.append(cost)
    return found


def _best(costs: list[Fraction], concepts: int, allowed: Fraction) -> Grouped:
    everything = (1 << concepts) - 1
    best: list[tuple[Fraction, tuple[int, ...]]] = [(cost, (s,)) for s, cost in enumerate(costs)]
    messages = 1
    while best[everything][0] > allowed:
        if messages == concepts:
            raise BadInput("error must be at least 0")
        best = [_divided(costs, best, s) for s in range(everything + 1)]
        messages += 1
    error, parts = best[everything]
    groups = tuple(tuple(f for f in range(concepts) if part >> f & 1) for part in parts if part)
    return Grouped(groups=groups, error=error)


def _divided(
    costs: list[Fraction], best: list[tuple[Fraction, tuple[int, ...]]], chosen: int
) -> tuple[Fraction, tuple[int, ...]]:
    """One group more: the group that holds the first member, and the best of the rest."""
    found = best[chosen]
    if not chosen:
        return found
    first = chosen & -chosen
    rest = chosen ^ first
    part = rest
    while True:
        group = first | (rest ^ part)
        cost = costs[group] + best[part][0]
        if part and cost < found[0]:
            found = (cost, (group, *best[part][1]))
        if not part:
            return found
        part = (part - 1) & rest


def shattered_law(concept_class: object, points: Sequence[int]) -> list[list[Fraction]]:
    """The product law on which a shattered set is hard: a uniform point of it, and a uniform
    choice of concepts that label it in all ways, one each.

    FX14 section 3.1 remarks that the largest complexity over product laws is the VC dimension, up
    to constants. This is the lower half: no message of fewer than ``(1 - H(error)) V`` bits does.
    """
    labels = table_labels(concept_class)
    first: dict[tuple[bool, ...], int] = {}
    for f, row in enumerate(labels):
        first.setdefault(tuple(row[x] for x in points), f)
    if len(first) < 1 << len(points):
        raise BadInput("these points are not shattered")
    each = Fraction(1, len(first))
    concepts = [each if f in first.values() else Fraction(0) for f in range(len(labels))]
    spots = [
        Fraction(1, len(points)) if x in points else Fraction(0) for x in range(len(labels[0]))
    ]
    return product_law(concepts, spots)
