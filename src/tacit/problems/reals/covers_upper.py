r"""Infinite classes over a public reference: select from a cover (CH11 section 4).

A cover of radius ``r`` under the reference is one of radius ``kappa r`` under every
marginal that is ``kappa``-smooth against it. So the master bounds of ``selection`` apply
with ``rho = kappa r``; the radius is chosen to need the fewest records. The bounds that
follow from the printed proofs stand beside them as ``printed``.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache, partial
from math import expm1, inf, log, log1p
from typing import Protocol

from tacit.bounds.formula import largest, ln, numbers
from tacit.bounds.search import greatest
from tacit.bounds.upper import selection
from tacit.core import BadInput, Claim, Relation, SampleBound, theorem
from tacit.exact.balls import Ball, ball
from tacit.mechanisms.calibration import spread

AGNOSTIC = Claim(
    paper="CH11",
    locator="Theorem 8",
    statement="if the marginal is kappa-smooth against a public reference, selecting from a cover "
    "of radius r < alpha/kappa comes within alpha of the best concept from n_A records at "
    "rho = kappa r; the printed proof has max{8 (L + ln(4/beta)) / alpha^2, "
    "8 (L + ln(2/beta)) / (epsilon alpha)}, L = d ln(16 kappa / alpha), d the doubling dimension",
    proof="problems/reals/covers_upper.proof.md",
)
REALIZABLE = Claim(
    paper="CH11",
    locator="Theorem 9",
    statement="if the marginal is kappa-smooth against a public reference and some concept makes "
    "no error, n_R records at rho = kappa r suffice; the printed proof has "
    "max{200 (L + ln(4/beta)) / alpha, 4 ln(4/beta) / alpha, "
    "40 (L + ln(2/beta)) / (3 epsilon alpha)}",
    proof="problems/reals/covers_upper.proof.md",
)


class Coverable(Protocol):
    """A class with an explicit family of covers under its reference."""

    def __hash__(self) -> int: ...

    @property
    def doubling(self) -> Fraction | int | None:
        """Not below the doubling dimension; ``None`` if that is infinite."""
        ...

    @property
    def runnable(self) -> int:
        """The most rules of a cover that can be run."""
        ...

    def cells(self, radius: Fraction) -> int:
        """The least fineness of a cover of this radius; 0 if there is none."""
        ...

    def cover_size(self, cells: int) -> int: ...

    def cover_radius(self, cells: int) -> Fraction: ...


@theorem(
    AGNOSTIC,
    kind="upper",
    setting="agnostic; pure; replace-one and label; a public reference; constants of the "
    "printed proof, corrected",
    formula=r"\max\{\tfrac{8}{\alpha^2}(L+\ln\tfrac4\beta),"
    r"\tfrac{8}{\epsilon\alpha}(L+\ln\tfrac2\beta)\},\ L=d\ln\tfrac{16\kappa}{\alpha}",
)
def theorem_8(
    *, doubling: Fraction, kappa: Fraction, alpha: Fraction, beta: Fraction, epsilon: Fraction
) -> SampleBound:
    """Records that suffice by the proof of CH11 Theorem 8.

    >>> theorem_8(doubling=Fraction(1), kappa=Fraction(1), alpha=Fraction(1, 10),
    ...           beta=Fraction(1, 20), epsilon=Fraction(1)).n
    7566
    """
    doubling, kappa, alpha, beta, epsilon = numbers(
        doubling=doubling, kappa=kappa, alpha=alpha, beta=beta, epsilon=epsilon
    )

    def size() -> Ball:
        return ball(doubling) * ln(16 * kappa / alpha)

    return largest(
        claim=AGNOSTIC,
        parts={
            "sampling": lambda: (size() + ln(4 / beta)) * ball(8 / alpha**2),
            "privacy": lambda: (size() + ln(2 / beta)) * ball(8 / (epsilon * alpha)),
        },
    )


@theorem(
    REALIZABLE,
    kind="upper",
    setting="realizable; pure; replace-one and label; a public reference; constants of the "
    "printed proof, corrected",
    formula=r"\max\{\tfrac{200}{\alpha}(L+\ln\tfrac4\beta),\tfrac4\alpha\ln\tfrac4\beta,"
    r"\tfrac{40}{3\epsilon\alpha}(L+\ln\tfrac2\beta)\},\ L=d\ln\tfrac{16\kappa}{\alpha}",
)
def theorem_9(
    *, doubling: Fraction, kappa: Fraction, alpha: Fraction, beta: Fraction, epsilon: Fraction
) -> SampleBound:
    """Records that suffice by the proof of CH11 Theorem 9.

    >>> theorem_9(doubling=Fraction(1), kappa=Fraction(1), alpha=Fraction(1, 10),
    ...           beta=Fraction(1, 20), epsilon=Fraction(1)).n
    18915
    """
    doubling, kappa, alpha, beta, epsilon = numbers(
        doubling=doubling, kappa=kappa, alpha=alpha, beta=beta, epsilon=epsilon
    )

    def size() -> Ball:
        return ball(doubling) * ln(16 * kappa / alpha)

    return largest(
        claim=REALIZABLE,
        parts={
            "sampling": lambda: (size() + ln(4 / beta)) * ball(200 / alpha),
            "comparator": lambda: ln(4 / beta) * ball(4 / alpha),
            "privacy": lambda: (size() + ln(2 / beta)) * ball(40 / (3 * epsilon * alpha)),
        },
    )


def public_reference(
    family: Coverable,
    *,
    setting: str,
    kappa: Fraction,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
    limited: bool = True,
) -> SampleBound:
    """Records to learn ``family`` from its best cover, for ``kappa``-smooth marginals.

    ``limited`` leaves out covers that are too large to be run. ``choices`` has the fineness
    ``cells`` of that cover, its ``size``, and the ``epsilon`` that the selection must spend.
    """
    kappa, alpha, beta, epsilon = numbers(kappa=kappa, alpha=alpha, beta=beta, epsilon=epsilon)
    return _public_reference(
        family,
        setting=setting,
        kappa=kappa,
        alpha=alpha,
        beta=beta,
        epsilon=epsilon,
        relation=relation,
        limited=limited,
    )


@lru_cache(maxsize=1024)
def _public_reference(
    family: Coverable,
    *,
    setting: str,
    kappa: Fraction,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation,
    limited: bool,
) -> SampleBound:
    realizable = setting == "realizable"
    options = list(_fineness(family, alpha / kappa, most=family.runnable if limited else None))
    if not options:
        raise BadInput(
            f"a cover fine enough for this alpha and kappa has more than {family.runnable} rules; "
            "choose a larger alpha, a smaller kappa or fewer columns"
        )
    rough = partial(
        _rough,
        family,
        realizable=realizable,
        kappa=kappa,
        alpha=alpha,
        beta=beta,
        epsilon=epsilon / spread(relation),
    )
    cells = min(options, key=rough)
    bound = (selection.realizable if realizable else selection.agnostic)(
        size=family.cover_size(cells),
        alpha=alpha,
        beta=beta,
        epsilon=epsilon,
        relation=relation,
        rho=kappa * family.cover_radius(cells),
    )
    printed = None
    if family.doubling is not None:
        by_hand = theorem_9 if realizable else theorem_8
        printed = by_hand(
            doubling=Fraction(family.doubling), kappa=kappa, alpha=alpha, beta=beta, epsilon=epsilon
        ).n
    return SampleBound(
        n=bound.n,
        claim=REALIZABLE if realizable else AGNOSTIC,
        terms=bound.terms,
        printed=printed,
        choices={
            **bound.choices,
            "cells": cells,
            "size": family.cover_size(cells),
            "kappa": kappa,
        },
    )


def _rough(
    family: Coverable,
    cells: int,
    *,
    realizable: bool,
    kappa: Fraction,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
) -> float:
    """About how many records a cover needs: to choose it; they are counted with balls."""
    rho, a, full = float(kappa * family.cover_radius(cells)), float(alpha), float(epsilon)
    if realizable:
        rate = min(full, log(a / rho) / 2)
        speed = -log1p(a * expm1(-rate) + rho * expm1(rate))
    else:
        rate = min(full, log((1 + a - rho) / (1 - a + rho)) / 2)
        speed = -log1p((expm1(-rate) + expm1(rate) - (a - rho) * (expm1(rate) - expm1(-rate))) / 2)
    confidence = log(beta.numerator) - log(beta.denominator)
    return (log(family.cover_size(cells)) - confidence) / speed if speed > 0 else inf


def _fineness(family: Coverable, radius: Fraction, *, most: int | None) -> Iterator[int]:
    # From the coarsest cover that can work, in steps of a few per cent.
    cells = first = family.cells(radius)
    while 0 < cells <= 128 * first and (most is None or family.cover_size(cells) <= most):
        if family.cover_radius(cells) < radius and family.cover_size(cells) > 1:
            yield cells
        if family.cover_radius(cells) < radius / 64:
            return
        cells += max(1, cells // 50)


def best_kappa(
    family: Coverable,
    *,
    records: int,
    setting: str,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> Fraction:
    """The largest smoothness, to within a tenth, that this many records can bear; least 1.

    The first step of CH11's A_1 and A_1r, with our bound in the place of theirs.
    """

    def bears(eighths: int) -> bool:
        try:
            bound = public_reference(
                family,
                setting=setting,
                kappa=_power(eighths),
                alpha=alpha,
                beta=beta,
                epsilon=epsilon,
                relation=relation,
            )
        except BadInput:
            return False
        return bound.n <= records

    return _power(greatest(bears))


def _power(eighths: int) -> Fraction:
    # 2^(eighths / 8), rounded down to eight binary digits.
    whole, rest = divmod(eighths, 8)
    return Fraction(int(256 * 2 ** (rest / 8)) << whole, 256)
