"""Shattered sets, mistake trees, bounds on mistakes, embedded thresholds."""

from __future__ import annotations

from tacit.theory.dimensions.checks.kinds import Checks
from tacit.theory.dimensions.incidence import Incidence
from tacit.theory.dimensions.witnesses import (
    EmbeddedThresholds,
    MistakeBound,
    MistakeTree,
    ShatteredSet,
)


def known(
    table: Incidence, *, concepts: tuple[int, ...] = (), points: tuple[int, ...] = ()
) -> bool:
    """Whether these are indices into the table."""
    return all(0 <= f < table.concepts for f in concepts) and all(
        0 <= x < table.points for x in points
    )


def shattered(witness: ShatteredSet, table: Incidence) -> str | None:
    points, witnesses = witness.points, witness.witnesses
    if not known(table, concepts=witnesses, points=points):
        return "it names a concept or point that does not exist"
    if len(witnesses) != 1 << len(points):
        return "it does not have one concept for each labelling"
    for pattern, f in enumerate(witnesses):
        if any(table.label(f, x) != pattern >> i & 1 for i, x in enumerate(points)):
            return "a concept does not have the labels it stands for"
    return None


def tree(witness: MistakeTree, table: Incidence) -> str | None:
    points, leaves = witness.points, witness.leaves
    if not known(table, concepts=leaves, points=points):
        return "it names a concept or point that does not exist"
    if not leaves or len(leaves) & (len(leaves) - 1) or len(points) != len(leaves) - 1:
        return "the tree is not complete"
    for place, f in enumerate(leaves):
        node = len(points) + place
        while node > 0:
            label, node = (node - 1) & 1, (node - 1) >> 1
            if table.label(f, points[node]) != label:
                return "a concept contradicts the path to its leaf"
    return None


def mistake_bound(witness: MistakeBound, table: Incidence) -> str | None:
    try:
        sets = [int(text, 16) for text in witness.sets]
    except ValueError:
        return "a set of concepts is not written in hexadecimal"
    if not sets or len(sets) != len(witness.limits):
        return "it does not have one limit for each set"
    if any(not 0 <= V < 1 << table.concepts for V in sets):
        return "it names a concept that does not exist"
    proved: dict[int, int] = {}

    def at_most(V: int, k: int) -> bool:
        """Littlestone dimension of V is at most k, by counting or by an earlier fact."""
        return V.bit_count() < 1 << max(k + 1, 0) or proved.get(V, k + 1) <= k

    for V, k in zip(sets, witness.limits, strict=True):
        if not at_most(V, k):
            for column in table.columns:
                if not (at_most(V & column, k - 1) or at_most(V & ~column, k - 1)):
                    return "a fact does not follow from the earlier ones"
        proved[V] = min(k, proved.get(V, k))
    if {table.rows[f] for f in range(table.concepts) if sets[-1] >> f & 1} != set(table.rows):
        return "the last fact is not about the whole class"
    return None


def thresholds(witness: EmbeddedThresholds, table: Incidence) -> str | None:
    points, concepts = witness.points, witness.concepts
    if not known(table, concepts=concepts, points=points):
        return "it names a concept or point that does not exist"
    if len(points) != len(concepts):
        return "it needs as many concepts as points"
    for i, f in enumerate(concepts):
        if any(table.label(f, x) != (i <= j) for j, x in enumerate(points)):
            return "a label is not that of a threshold"
    return None


CHECKS: Checks = {
    ShatteredSet: shattered,
    MistakeTree: tree,
    MistakeBound: mistake_bound,
    EmbeddedThresholds: thresholds,
}
