"""Exact privacy on tiny domains: enumerate neighbours and outputs, compare the laws."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from typing import TypeVar

import flint

from tacit.core import Relation
from tacit.exact.balls import Ball, at, ball

Record = tuple[int, int]
Law = Mapping[Hashable, Ball]
R = TypeVar("R", bound=Hashable)

_BITS = 256


def neighbours(
    records: Sequence[R], n: int, relation: Relation
) -> Iterator[tuple[tuple[R, ...], tuple[R, ...]]]:
    """Ordered pairs of neighbouring data sets of ``n`` (or ``n`` and ``n - 1``) records.

    ``records`` lists every possible record. Mechanisms see multisets, so the record that
    differs may be taken to be the last one. For ``LABEL`` a record is ``(x, y)``.
    """
    for rest in product(records, repeat=n - 1):
        if tuple(sorted(rest)) != rest:  # type: ignore[type-var]
            continue
        match relation:
            case Relation.REPLACE_ONE:
                for one, other in product(records, repeat=2):
                    if one != other:
                        yield (*rest, one), (*rest, other)
            case Relation.LABEL:
                for one, other in product(records, repeat=2):
                    if one != other and one[0] == other[0]:  # type: ignore[index]
                        yield (*rest, one), (*rest, other)
            case Relation.ADD_REMOVE:
                for one in records:
                    yield (*rest, one), rest
                    yield rest, (*rest, one)


def divergence(p: Law, q: Law, epsilon: Fraction) -> Ball:
    """The hockey-stick divergence ``sum max(P - exp(epsilon) Q, 0)``, as a ball."""
    with at(_BITS):
        factor = ball(epsilon).exp()
        total = ball(0)
        for output in set(p) | set(q):
            gap = p.get(output, ball(0)) - factor * q.get(output, ball(0))
            total += gap.max(ball(0))
        return total


def exact_epsilon(p: Law, q: Law) -> Ball:
    """``max ln P/Q`` over outputs; infinite if some output is possible on one side only."""
    with at(_BITS):
        worst = ball(0)
        for output, mass in p.items():
            if mass.is_zero():
                continue
            other = q.get(output, ball(0))
            if not other > 0:
                return flint.arb("inf")
            worst = worst.max((mass / other).log())
        return worst


def exact_delta(
    law: Callable[[tuple[R, ...]], Law],
    records: Sequence[R],
    n: int,
    *,
    epsilon: Fraction,
    relation: Relation,
) -> Ball:
    """The least ``delta`` for which ``law`` is ``(epsilon, delta)``-DP on these data sets."""
    laws: dict[tuple[R, ...], Law] = {}
    with at(_BITS):
        worst = ball(0)
        for left, right in neighbours(records, n, relation):
            for data in (left, right):
                if data not in laws:
                    laws[data] = law(data)
            worst = worst.max(divergence(laws[left], laws[right], epsilon))
        return worst
