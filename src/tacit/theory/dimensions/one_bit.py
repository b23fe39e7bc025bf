"""Whether one bit with private coins is enough.

With two messages a concept is the chance ``p`` of sending the second, and the chance that a
point is answered 1 is linear in ``p``. So the concepts must lie in an order in which every
point is monotone, and a step from ``p = a`` to the next concept must leave room for the
answer to rise from ``e`` to ``1 - e`` without leaving [0, 1]: the next ``p`` is at least
``a (1 - e) / e`` if ``a >= e``, else ``1 - (1 - a) e / (1 - e)``. Taking the least ``p`` each
time is best, because both are increasing in ``a``.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise, permutations

from tacit.theory.dimensions.incidence import Incidence
from tacit.theory.dimensions.witnesses import MoreThanOneBit, PrivateProtocol

_TRIES = 20_000


def settle(table: Incidence, error: Fraction) -> PrivateProtocol | MoreThanOneBit | None:
    """A one-bit protocol or the proof that there is none (``None`` if not found in time)."""
    places = _places(error)
    order = _ordered(table)
    if order is not None and len(order) <= len(places):
        return _protocol(table, error, order, places)
    if len(places) < min(len(table.distinct), 7):
        few = table.distinct[: len(places) + 1]
        return MoreThanOneBit(digest=table.digest, error=error, concepts=few)
    for size in (3, 4):  # small obstructions, if there are any
        for tries, few in enumerate(combinations(table.distinct, size)):
            if tries > _TRIES:
                break
            if not any(_monotone(table, order) for order in permutations(few)):
                return MoreThanOneBit(digest=table.digest, error=error, concepts=few)
    return None


def _places(error: Fraction) -> list[Fraction]:
    """The least chances of successive concepts, as long as they stay below 1."""
    places = [Fraction(0)]
    while len(places) < 64:
        a = places[-1]
        b = a * (1 - error) / error if a >= error else 1 - (1 - a) * error / (1 - error)
        if b > 1:
            break
        places.append(b)
    return places


def _ordered(table: Incidence) -> tuple[int, ...] | None:
    """The concepts in an order in which every point is monotone, if there is one: an end of
    it is farthest from any concept, and the others follow by distance from that end.
    """

    def far(f: int, g: int) -> int:
        return sum(table.label(f, x) != table.label(g, x) for x in table.cuts)

    end = max(table.distinct, key=lambda f: far(table.distinct[0], f))
    order = tuple(sorted(table.distinct, key=lambda f: far(end, f)))
    return order if _monotone(table, order) else None


def _monotone(table: Incidence, order: tuple[int, ...]) -> bool:
    return all(
        sum(table.label(f, x) != table.label(g, x) for f, g in pairwise(order)) <= 1
        for x in table.cuts
    )


def _protocol(
    table: Incidence, error: Fraction, order: tuple[int, ...], places: list[Fraction]
) -> PrivateProtocol:
    chance = {table.rows[f]: p for f, p in zip(order, places, strict=False)}
    ends = [_answer(table, error, order, places, x) for x in range(table.points)]
    return PrivateProtocol(
        digest=table.digest,
        error=error,
        bits=1,
        alice=tuple((1 - chance[row], chance[row]) for row in table.rows),
        bob=(tuple(first for first, _ in ends), tuple(second for _, second in ends)),
    )


def _answer(
    table: Incidence, error: Fraction, order: tuple[int, ...], places: list[Fraction], x: int
) -> tuple[Fraction, Fraction]:
    """Chances of answering 1 to the two messages at point ``x``."""
    labels = [table.label(f, x) for f in order]
    if len(set(labels)) == 1:
        return Fraction(labels[0]), Fraction(labels[0])
    a = places[labels.index(labels[-1]) - 1]
    if a >= error:
        first, second = Fraction(0), error / a
    else:
        first, second = (error - a) / (1 - a), Fraction(1)
    return (first, second) if labels[-1] else (1 - first, 1 - second)
