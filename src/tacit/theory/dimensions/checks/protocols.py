"""One-way protocols, and laws of inputs that defeat them."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations

from tacit.theory.dimensions.checks.combinatorial import known
from tacit.theory.dimensions.checks.kinds import Checks
from tacit.theory.dimensions.checks.represent import law
from tacit.theory.dimensions.incidence import Incidence
from tacit.theory.dimensions.witnesses import (
    HardDistribution,
    MoreThanOneBit,
    PrivateProtocol,
    PublicProtocol,
    RadonSet,
)


def public(witness: PublicProtocol, table: Incidence) -> str | None:
    chances, alice, bob = witness.chances, witness.alice, witness.bob
    if not len(chances) == len(alice) == len(bob) or not law(chances):
        return "the coins are not a law"
    if not 0 <= witness.bits <= 30:
        return "the number of bits is out of range"
    for sent, answers in zip(alice, bob, strict=True):
        if len(sent) != table.concepts or any(not 0 <= m < len(answers) for m in sent):
            return "a message is missing or not answered"
        if len(answers) > 1 << witness.bits:
            return "there are more messages than the bits allow"
        if any(len(row) != table.points or not set(row) <= {0, 1} for row in answers):
            return "an answer is not a row of 0 and 1 over the points"
    for f in range(table.concepts):
        for x in range(table.points):
            wrong = sum(
                chance
                for chance, sent, answers in zip(chances, alice, bob, strict=True)
                if answers[sent[f]][x] != table.label(f, x)
            )
            if wrong > witness.error:
                return "it errs more often than it says"
    return None


def hard_distribution(witness: HardDistribution, table: Incidence) -> str | None:
    concepts, weights = witness.concepts, witness.law
    if not known(table, concepts=concepts) or len(weights) != len(concepts):
        return "it does not have one row for each concept"
    if any(len(row) != table.points for row in weights) or not law(
        [w for row in weights for w in row]
    ):
        return "it is not a law of concepts and points"
    if witness.messages < 1 or len(concepts) > 16:
        return "it is too large to be checked, or has no message"
    scale = math.lcm(*(w.denominator for row in weights for w in row))
    whole = [[int(w * scale) for w in row] for row in weights]
    least = _least_error(table, concepts, whole, witness.messages)
    if Fraction(least, scale) <= witness.error:
        return "some protocol errs at most that often"
    return None


def _least_error(
    table: Incidence, concepts: tuple[int, ...], weight: list[list[int]], messages: int
) -> int:
    """Least weighted error of a partition of the concepts into ``messages`` parts, when
    every point is answered by the heavier label of its part.
    """
    count = len(concepts)
    single = []
    for part in range(1 << count):
        members = [i for i in range(count) if part >> i & 1]
        error = 0
        for x in range(table.points):
            ones = sum(weight[i][x] for i in members if table.label(concepts[i], x))
            error += min(ones, sum(weight[i][x] for i in members) - ones)
        single.append(error)
    best = single
    for _ in range(min(messages, count) - 1):
        finer = list(best)
        for whole in range(1, 1 << count):
            first = whole & -whole
            rest = whole ^ first
            part = rest
            while True:  # every part of `whole` that holds its first concept
                split = single[part | first] + best[rest ^ part]
                finer[whole] = min(finer[whole], split)
                if part == 0:
                    break
                part = (part - 1) & rest
        best = finer
    return best[-1]


def private(witness: PrivateProtocol, table: Incidence) -> str | None:
    alice, bob = witness.alice, witness.bob
    if not 0 <= witness.bits <= 30 or len(bob) > 1 << witness.bits:
        return "there are more messages than the bits allow"
    if len(alice) != table.concepts or any(len(row) != len(bob) or not law(row) for row in alice):
        return "the messages of a concept are not a law"
    if any(len(row) != table.points or any(not 0 <= p <= 1 for p in row) for row in bob):
        return "an answer is not a probability for each point"
    for f, row in enumerate(alice):
        for x in range(table.points):
            one = Fraction(sum(p * answers[x] for p, answers in zip(row, bob, strict=True)))
            if abs(one - table.label(f, x)) > witness.error:
                return "it errs more often than it says"
    return None


def radon(witness: RadonSet, table: Incidence) -> str | None:
    concepts, points = witness.concepts, witness.points
    if not known(table, concepts=concepts, points=points) or len(concepts) < 2:
        return "it names a concept or point that does not exist"
    if len(points) != (1 << (len(concepts) - 1)) - 1:
        return "it does not have one point for each split"
    for split, x in enumerate(points, start=1):
        labels = sum(table.label(f, x) << i for i, f in enumerate(concepts))
        if labels not in (split, (1 << len(concepts)) - 1 - split):
            return "a point does not split the concepts as it should"
    return None


def more_than_one_bit(witness: MoreThanOneBit, table: Incidence) -> str | None:
    concepts, error = witness.concepts, witness.error
    if not known(table, concepts=concepts) or not 2 <= len(concepts) <= 7:
        return "it names a concept that does not exist, or too many"
    if len({table.rows[f] for f in concepts}) != len(concepts) or not 0 < 2 * error < 1:
        return "its concepts are not different, or its error is not below 1/2"
    last = Fraction(0)
    for _ in concepts[1:]:
        steep, flat = last * (1 - error) / error, 1 - (1 - last) * error / (1 - error)
        last = steep if last >= error else flat
    if last > 1:
        return None  # in any order, the last concept would need a chance above 1
    for order in permutations(concepts):
        labels = [[table.label(f, x) for f in order] for x in range(table.points)]
        if all(row in (sorted(row), sorted(row, reverse=True)) for row in labels):
            return "some order of its concepts can be served"
    return None


CHECKS: Checks = {
    PublicProtocol: public,
    HardDistribution: hard_distribution,
    MoreThanOneBit: more_than_one_bit,
    PrivateProtocol: private,
    RadonSet: radon,
}
