"""Tiny instances: on what a mechanism is followed to the end, and on what it is sampled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tacit.core.mechanism import SomeMechanism

Make = Callable[[Fraction], SomeMechanism]
Records = tuple[Any, ...]
Pairs = Sequence[tuple[Records, Records]]
# Less likely ways to an output are left out, unless a case says otherwise.
FAINT = Fraction(1, 1 << 44)
COARSE = Fraction(1, 1 << 26)  # the same for laws with many ways
DELTA = Fraction(1, 20)  # the delta of tiny instances: so large that it is seen in a small law
RARE = Fraction(1, 100)  # a smaller one, for instances that need it


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiny:
    """Drive one mechanism: exactly on a few records, and by sampling on more of them.

    ``make``        the mechanism for an epsilon, whose exact law can be followed.
    ``records``     every record there can be; ``n`` of them make a data set.
    ``sampled``     the same at a realistic size, if that is another; ``pairs`` are
                    neighbouring collections of records for it.
    ``only``        the neighbours that are compared exactly, if not all of them.
    ``form``        how records become data, where it is not as a sample or an array.
    ``unlabelled``  records are rows of a table without labels.
    ``order``       ``"matters"``, or ``"ignored"`` where the law does not depend on it.
    ``faint``       ways to an output that are less likely are not followed.
    ``tight``       where the claim is met nearly exactly somewhere, so that 1.25 times the
                    epsilon must be caught: how many runs show it; else 0.
    ``delta``       where epsilon is read off an event that states neither (zCDP).
    ``remark``      what a reader of the audit should know.
    """

    name: str = ""
    make: Make
    records: Sequence[object]
    n: int
    sampled: Make | None = None
    pairs: Pairs = ()
    only: Pairs | None = None
    form: Callable[[Records], object] | None = None
    unlabelled: bool = False
    order: str = "ignored"
    faint: Fraction = FAINT
    tight: int = 0
    delta: Fraction | None = None
    remark: str = ""

    def large(self, epsilon: Fraction) -> SomeMechanism:
        """The mechanism that is sampled."""
        return (self.sampled or self.make)(epsilon)

    def neighbours(self) -> Pairs:
        """The neighbouring collections of records that it is sampled on."""
        return self.pairs or self.only or ()

    def exactly(
        self,
        make: Make,
        *,
        records: Sequence[object],
        n: int,
        order: str = "ignored",
        only: Pairs | None = None,
        delta: Fraction | None = None,
        faint: Fraction = COARSE,
    ) -> Tiny:
        """The same where it is sampled; followed exactly at smaller public numbers."""
        return replace(
            self,
            make=make,
            records=records,
            n=n,
            order=order,
            only=only,
            delta=delta,
            faint=faint,
        )


def divided(
    first: object, second: object, *, n: int, at: Sequence[int], rest: Sequence[object] = ()
) -> Pairs:
    """``a`` records of one kind and ``n - a`` of another, against one fewer and one more.

    >>> divided("a", "b", n=2, at=(2,))
    [(('a', 'a'), ('a', 'b'))]
    """
    return [
        (
            (*[first] * a, *[second] * (n - a), *rest),
            (*[first] * (a - 1), *[second] * (n - a + 1), *rest),
        )
        for a in at
    ]


def labelled(
    values: Sequence[object], labels: Sequence[object] = (0, 1)
) -> list[tuple[object, object]]:
    """Every value with every label."""
    return [(value, label) for value in values for label in labels]


TWO_LABELS = ((0, 0), (0, 1), (1, 0), (1, 1))
"""What two tasks may say of a record."""
