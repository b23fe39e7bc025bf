"""Deterministic and probabilistic representations, and proofs that there are none."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import permutations, product

from tacit.theory.dimensions.checks.combinatorial import known
from tacit.theory.dimensions.checks.kinds import Checks
from tacit.theory.dimensions.incidence import Incidence
from tacit.theory.dimensions.witnesses import (
    HardPairs,
    MinimalRepresentation,
    NoRepresentation,
    RandomRepresentation,
    Representation,
)


def law(weights: Sequence[Fraction]) -> bool:
    """Whether these are probabilities that sum to 1."""
    return all(weight >= 0 for weight in weights) and sum(weights) == 1


def _zero_one(rows: Sequence[Sequence[int]], width: int) -> bool:
    return all(len(row) == width and set(row) <= {0, 1} for row in rows)


def _serves(
    table: Incidence,
    f: int,
    hypotheses: Sequence[Sequence[int]],
    mixture: Sequence[Fraction],
    alpha: Fraction,
) -> bool:
    """Whether the mixture mislabels every point of ``f`` with probability at most alpha."""
    if len(mixture) != len(hypotheses) or not law(mixture):
        return False
    weighted = [(p, h) for p, h in zip(mixture, hypotheses, strict=True) if p]
    return all(
        sum(p for p, h in weighted if h[x] != table.label(f, x)) <= alpha
        for x in range(table.points)
    )


def representation(witness: Representation, table: Incidence) -> str | None:
    hypotheses = witness.hypotheses
    if not hypotheses or not _zero_one(hypotheses, table.points):
        return "a hypothesis is not a row of 0 and 1 over the points"
    if len(witness.mixtures) != table.concepts:
        return "it does not have one mixture for each concept"
    for f, mixture in enumerate(witness.mixtures):
        if not _serves(table, f, hypotheses, mixture, witness.alpha):
            return "a mixture is not a law, or errs more than alpha at some point"
    return None


def minimal_representation(witness: MinimalRepresentation, table: Incidence) -> str | None:
    hypotheses, laws = witness.hypotheses, witness.laws
    whole = Representation(
        digest=witness.digest,
        alpha=witness.alpha,
        hypotheses=hypotheses,
        mixtures=witness.mixtures,
    )
    if reason := representation(whole, table):
        return reason
    if not known(table, concepts=witness.needed_for):
        return "it names a concept that does not exist"
    if not len(laws) == len(witness.needed_for) == len(hypotheses):
        return "it does not say for each hypothesis what it is needed for"
    for i, (f, D) in enumerate(zip(witness.needed_for, laws, strict=True)):
        if len(D) != table.points or not law(D):
            return "a law does not sum to 1 over the points"
        for j, h in enumerate(hypotheses):
            wrong = sum(w for x, w in enumerate(D) if h[x] != table.label(f, x))
            if j != i and wrong <= witness.alpha:
                return "a hypothesis is not needed for what it says"
    return None


def no_representation(witness: NoRepresentation, table: Incidence) -> str | None:
    size, order = witness.size, witness.order
    if not known(table, points=order) or len(set(order)) != len(order):
        return "it names a point that does not exist, or names one twice"
    if not 1 <= size <= 7 or len(witness.columns) != len(witness.weights):
        return "its size or its rules cannot be read"
    for columns, weights in zip(witness.columns, witness.weights, strict=True):
        if len(columns) != len(weights) or not law(weights):
            return "a rule's weights are not a law"
        if any(not 0 <= c < 1 << size for c in columns):
            return "a rule has a column that does not exist"
        for i in range(size):
            wrong = sum(w for c, w in zip(columns, weights, strict=True) if not c >> i & 1)
            if wrong <= witness.alpha:
                return "a rule does not exclude what it says"
    if _some_way(table, size, order, _images(size, witness.columns)):
        return "some way of choosing hypotheses runs into no rule"
    return None


def _images(size: int, rules: Sequence[Sequence[int]]) -> dict[int, set[int]]:
    """The rules under all renamings, as sets of columns, listed by each column in them."""
    images: dict[int, set[int]] = {}
    for name in permutations(range(size)):
        for rule in rules:
            renamed = [sum((c >> i & 1) << name[i] for i in range(size)) for c in rule]
            for c in renamed:
                images.setdefault(c, set()).add(sum(1 << d for d in set(renamed)))
    return images


def _some_way(
    table: Incidence, size: int, order: Sequence[int], images: dict[int, set[int]]
) -> bool:
    """Whether columns can be given to the points of ``order`` without meeting a rule.

    Only matrices with rows in decreasing order, and with decreasing columns among points
    whose exchange leaves the class as it is, are tried: every matrix has such an image.
    """
    full = (1 << size) - 1
    rows = sorted({tuple(table.label(f, x) for x in order) for f in range(table.concepts)})
    before = [
        next((a for a in reversed(range(b)) if _exchangeable(rows, a, b)), None)
        for b in range(len(order))
    ]

    @cache
    def excluded(have: int, column: int) -> bool:
        return any(image & ~have == 0 for image in images.get(column, ()))

    def place(columns: tuple[tuple[int, ...], ...], have: tuple[int, ...]) -> bool:
        at = len(columns)
        if at == len(order):
            return True
        for bits in product((1, 0), repeat=size):
            twin = before[at]
            if twin is not None and bits > columns[twin]:
                continue
            if any(
                bits[i] < bits[i + 1] and all(c[i] == c[i + 1] for c in columns)
                for i in range(size - 1)
            ):
                continue
            column = sum(bit << i for i, bit in enumerate(bits))
            right = [column if row[at] else full ^ column for row in rows]
            after = tuple(V | 1 << c for V, c in zip(have, right, strict=True))
            if any(excluded(V, c) for V, c in zip(after, right, strict=True)):
                continue
            if place((*columns, bits), after):
                return True
        return False

    return place((), (0,) * len(rows))


def _exchangeable(rows: list[tuple[int, ...]], a: int, b: int) -> bool:
    def swap(row: tuple[int, ...]) -> tuple[int, ...]:
        cells = list(row)
        cells[a], cells[b] = cells[b], cells[a]
        return tuple(cells)

    return sorted(map(swap, rows)) == rows


def random_representation(witness: RandomRepresentation, table: Incidence) -> str | None:
    sets, chances = witness.sets, witness.chances
    if not sets or len(chances) != len(sets) or not law(chances):
        return "the chances are not a law over the sets"
    if any(not part or not _zero_one(part, table.points) for part in sets):
        return "a hypothesis is not a row of 0 and 1 over the points"
    if not len(witness.families) == len(witness.mixtures) == table.concepts:
        return "it does not have families and mixtures for each concept"
    for f in range(table.concepts):
        families, mixtures = witness.families[f], witness.mixtures[f]
        if len(mixtures) != len(families):
            return "it does not have one mixture for each family"
        for family, mixture in zip(families, mixtures, strict=True):
            if not all(0 <= i < len(sets) for i in family):
                return "a family names a set that does not exist"
            hypotheses = [h for i in family for h in sets[i]]
            if not _serves(table, f, hypotheses, mixture, witness.alpha):
                return "a mixture is not a law, or errs more than alpha at some point"
        masks = [sum(1 << i for i in set(family)) for family in families]
        if _heavy_rest(masks, chances, witness.beta):
            return "sets of joint chance above beta contain none of the families"
    return None


def _heavy_rest(families: list[int], chances: Sequence[Fraction], beta: Fraction) -> bool:
    """Whether some sets with joint chance above beta contain none of the families."""

    @cache
    def rest(have: int) -> bool:
        if sum(c for i, c in enumerate(chances) if have >> i & 1) <= beta:
            return False
        inside = [family for family in families if family & ~have == 0]
        if not inside:
            return True
        smallest = min(inside, key=int.bit_count)  # one of its sets has to be left out
        return any(rest(have ^ (1 << i)) for i in range(len(chances)) if smallest >> i & 1)

    return rest((1 << len(chances)) - 1)


def hard_pairs(witness: HardPairs, table: Incidence) -> str | None:
    concepts, laws, chances = witness.concepts, witness.laws, witness.chances
    if not known(table, concepts=concepts) or not len(concepts) == len(laws) == len(chances):
        return "it does not have a concept, a law and a chance for each pair"
    if not law(chances) or any(len(D) != table.points or not law(D) for D in laws):
        return "a law does not sum to 1 over the points"
    if witness.size < 1:
        return "its size is not positive"
    support = [x for x in range(table.points) if any(D[x] for D in laws)]
    goods = set()
    for labels in product((0, 1), repeat=len(support)):
        good = 0
        for i, (f, D) in enumerate(zip(concepts, laws, strict=True)):
            wrong = (D[x] for x, b in zip(support, labels, strict=True) if b != table.label(f, x))
            good |= (sum(wrong) <= witness.alpha) << i
        goods.add(good)
    best = [g for g in goods if not any(g != h and g & ~h == 0 for h in goods)]
    if _most_covered(best, chances, witness.size) >= 1 - witness.beta:
        return "some set of hypotheses serves too many of the pairs"
    return None


def _most_covered(goods: list[int], chances: Sequence[Fraction], size: int) -> Fraction:
    """The largest chance of the pairs that ``size`` of the sets ``goods`` cover."""
    scale = math.lcm(*(chance.denominator for chance in chances))
    whole = [int(chance * scale) for chance in chances]

    @cache
    def weight(bits: int) -> int:
        if not bits:
            return 0
        return weight(bits & (bits - 1)) + whole[(bits & -bits).bit_length() - 1]

    best = 0

    def extend(covered: int, rest: list[int], left: int) -> None:
        nonlocal best
        have = weight(covered)
        best = max(best, have)
        gains = sorted(((weight(g & ~covered), g) for g in rest), reverse=True)
        for at, (_, g) in enumerate(gains[: len(gains) if left else 0]):
            if have + sum(gain for gain, _ in gains[at : at + left]) <= best:
                return
            extend(covered | g, [other for _, other in gains[at + 1 :]], left - 1)

    extend(0, goods, size)
    return Fraction(best, scale)


CHECKS: Checks = {
    Representation: representation,
    MinimalRepresentation: minimal_representation,
    NoRepresentation: no_representation,
    RandomRepresentation: random_representation,
    HardPairs: hard_pairs,
}
