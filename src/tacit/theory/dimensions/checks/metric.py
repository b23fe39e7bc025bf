"""Covers, packings and doubling under the disagreement metric of a reference law."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

from tacit.theory.dimensions.checks.combinatorial import known
from tacit.theory.dimensions.checks.kinds import Checks
from tacit.theory.dimensions.checks.represent import law
from tacit.theory.dimensions.incidence import Incidence
from tacit.theory.dimensions.witnesses import Cover, HalfCovers, HardBall, Packing


def _distance(table: Incidence, reference: Sequence[Fraction], f: int, g: int) -> Fraction:
    differ = table.rows[f] ^ table.rows[g]
    return sum((w for x, w in enumerate(reference) if differ >> x & 1), Fraction(0))


def _bad_reference(reference: Sequence[Fraction], table: Incidence) -> str | None:
    if len(reference) != table.points or not law(reference):
        return "the reference is not a law over the points"
    return None


def packing(witness: Packing, table: Incidence) -> str | None:
    reference, members = witness.reference, witness.members
    centre = witness.centre
    if not known(table, concepts=members if centre < 0 else (*members, centre)):
        return "it names a concept that does not exist"
    if reason := _bad_reference(reference, table):
        return reason
    for f, g in combinations(members, 2):
        if _distance(table, reference, f, g) <= witness.radius:
            return "two of its concepts are too close"
    if centre >= 0 and any(
        _distance(table, reference, centre, f) > witness.within for f in members
    ):
        return "one of its concepts is outside the ball"
    return None


def cover(witness: Cover, table: Incidence) -> str | None:
    if not known(table, concepts=witness.centres):
        return "it names a concept that does not exist"
    if reason := _bad_reference(witness.reference, table):
        return reason
    for f in range(table.concepts):
        if all(_distance(table, witness.reference, f, g) > witness.radius for g in witness.centres):
            return "a concept is not covered"
    return None


def half_covers(witness: HalfCovers, table: Incidence) -> str | None:
    if reason := _bad_reference(witness.reference, table):
        return reason
    everyone = range(table.concepts)
    distance = [[_distance(table, witness.reference, f, g) for g in everyone] for f in everyone]
    steps = {d for row in distance for d in row if d > 0}
    if not steps | {2 * d for d in steps} <= set(witness.radii):
        return "a radius at which a ball changes is missing"
    if len(witness.covers) != len(witness.radii):
        return "it does not have covers for each radius"
    for radius, covers in zip(witness.radii, witness.covers, strict=True):
        if len(covers) != table.concepts:
            return "it does not have a cover for each centre"
        for z, centres in enumerate(covers):
            if len(centres) > witness.size or not known(table, concepts=centres):
                return "a cover is too large, or names a concept that does not exist"
            for f in everyone:
                if distance[z][f] <= radius and all(2 * distance[f][g] > radius for g in centres):
                    return "a concept of a ball is not covered"
    return None


def hard_ball(witness: HardBall, table: Incidence) -> str | None:
    weights, radius = witness.weights, witness.radius
    if reason := _bad_reference(witness.reference, table):
        return reason
    if len(weights) != table.concepts or any(w < 0 for w in weights):
        return "it does not have a weight for each concept"
    if not known(table, concepts=(witness.centre,)) or radius <= 0:
        return "its ball does not exist"
    heavy = [f for f in range(table.concepts) if weights[f]]
    if any(_distance(table, witness.reference, witness.centre, f) > radius for f in heavy):
        return "a weighted concept is outside the ball"
    for g in range(table.concepts):
        near = (f for f in heavy if 2 * _distance(table, witness.reference, f, g) <= radius)
        if sum(weights[f] for f in near) > 1:
            return "a half ball holds more than 1"
    if sum(weights) <= witness.size - 1:
        return "the weights are too small for what it says"
    return None


CHECKS: Checks = {
    Packing: packing,
    Cover: cover,
    HalfCovers: half_covers,
    HardBall: hard_ball,
}
