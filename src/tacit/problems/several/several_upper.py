"""Several concepts from the same records."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from math import comb

from tacit.bounds.formula import ln, numbers
from tacit.bounds.search import least
from tacit.bounds.upper import selection
from tacit.core import BadInput, Claim, Relation, SampleBound, theorem
from tacit.core.numbers import exact, probability, whole
from tacit.exact.balls import Ball, ball, below, ceiling
from tacit.problems.finite import finite_tables_upper as finite_tables
from tacit.problems.finite.sanitizers_upper import table
from tacit.problems.points import hashed_upper as hashing
from tacit.problems.points import point_tables_upper as point_tables
from tacit.problems.several.shares import equal_share, share

PROOF = "problems/several/several_upper.proof.md"

BNS_34 = Claim(
    paper="BNS19",
    locator="Corollary 34",
    statement="k selections from the class, each at eps/k (pure), at its share of the zCDP budget "
    "k e^2/8 <= rho, or at the range that adaptive composition allows, and failure beta/k",
    proof=PROOF,
)
BNS_33 = Claim(
    paper="BNS19",
    locator="Corollary 33",
    statement="k points, improper: k selections among hashes, each at eps/k (pure) or by zCDP, and "
    "failure beta/k",
    proof=PROOF,
)
BNS_31 = Claim(
    paper="BNS19",
    locator="Theorem 31",
    statement="k concepts, proper and agnostic: the better of k selections from the class and one "
    "sanitized table followed by k selections among the concepts that differ on it",
    proof=PROOF,
)
BNS_35 = Claim(
    paper="BNS19",
    locator="Lemma 35",
    statement="k concepts, proper and agnostic: a table that answers all symmetric differences "
    "within alpha/4, made by listing or by a fitted histogram, then k selections among one "
    "concept for each way to divide its values",
    proof=PROOF,
)
BNS_37 = Claim(
    paper="BNS19",
    locator="Corollary 37",
    statement="k points, agnostic: sanitize at alpha/12, keep the fewer than 12/alpha values of "
    "frequency above alpha/12 and the zero function, select at alpha/4, generalise at alpha/4 "
    "twice",
    proof=PROOF,
)
BNS_38 = Claim(
    paper="BNS19",
    locator="Corollary 38",
    statement="k thresholds, proper and agnostic: as Corollary 37 with a table for thresholds; "
    "explicit sanitizers stand in for the log* one",
    proof=PROOF,
)


def one_of(
    epsilon: Fraction, delta: Fraction | int, k: int, beta: Fraction
) -> tuple[Fraction, Fraction, int]:
    """What one of ``k`` selections may spend and how often it may fail."""
    (epsilon,) = numbers(epsilon=epsilon)
    k = whole(k, name="k", least=1)
    lost = probability(delta, name="delta", zero="allowed")
    return equal_share(epsilon=epsilon, delta=lost, k=k), exact(beta, name="beta") / k, k


@theorem(
    BNS_34,
    kind="upper",
    setting="k concepts of a finite class; proper; realizable or agnostic; pure or approximate",
    formula=r"n_A(|C|,\alpha,\beta/k,\epsilon'),\quad\epsilon'=\max\{\epsilon/k,\sqrt{8\rho/k}\}",
)
def direct_sum(
    *,
    size: int,
    k: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
    setting: str = "agnostic",
) -> SampleBound:
    """Records to learn ``k`` concepts of a class, one selection each."""
    each, failure, _ = one_of(epsilon, delta, k, beta)
    bound = selection.agnostic if setting == "agnostic" else selection.realizable
    inner = bound(size=size, alpha=alpha, beta=failure, epsilon=each, relation=relation)
    return SampleBound(n=inner.n, claim=BNS_34, terms=inner.terms, choices=inner.choices)


@theorem(
    BNS_33,
    kind="upper",
    setting="k points; improper; realizable or agnostic; pure or approximate",
    formula=r"n_{\rm hash}(\alpha,\beta/k,\epsilon')",
)
def hashed_points(
    *,
    k: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
    setting: str = "agnostic",
) -> SampleBound:
    """Records to learn ``k`` point functions over any domain, one hash selection each."""
    each, failure, _ = one_of(epsilon, delta, k, beta)
    bound = hashing.agnostic if setting == "agnostic" else hashing.realizable
    inner = bound(alpha=alpha, beta=failure, epsilon=each, relation=relation)
    return SampleBound(n=inner.n, claim=BNS_33, terms=inner.terms, choices=inner.choices)


def _sanitized(
    *,
    claim: Claim,
    cells: Callable[[SampleBound], int],
    vc: int,
    deviation: Callable[[Fraction, Fraction], int],
    share_of_alpha: int,
    sanitize: Callable[[Fraction, Fraction, Fraction, Fraction], SampleBound],
    k: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction,
    most: int | None = None,
) -> SampleBound:
    # alpha/4 for what the table hides, alpha/4 for the selections, alpha/4 for each of two
    # deviations; a third of beta for each.
    alpha, beta, epsilon = numbers(alpha=alpha, beta=beta, epsilon=epsilon)
    each = share(epsilon=epsilon / 2, delta=delta / 2, k=k)
    tabled = sanitize(alpha / share_of_alpha, beta / 3, epsilon / 2, delta / 2)
    seen = cells(tabled)
    candidates = sum(comb(seen, i) for i in range(vc + 1))
    if most is not None:
        candidates = min(candidates, most)
    parts = {
        "table": tabled.n,
        "selections": ceiling(lambda: 8 / ball(each * alpha) * ln(3 * k * candidates / beta)),
        "generalisation": deviation(alpha / 4, beta / (3 * k)),
    }
    return SampleBound(
        n=max(parts.values()),
        claim=claim,
        terms={name: float(part) for name, part in parts.items()},
        choices={"epsilon": each, "cells": seen},
    )


def _deviation(*, vc: int, alpha: Fraction, beta: Fraction) -> int:
    # Two-sided uniform deviation: 8 (2em/d)^d exp(-alpha^2 m / 32) <= beta (Vapnik, Chervonenkis).
    def enough(m: int) -> bool:
        def margin() -> Ball:
            growth = vc * (1 + (2 * ball(m) / vc).log())
            return ball(beta).log() - ln(8) - growth + ball(alpha) ** 2 * m / 32

        return 2 * m >= vc and below(margin) >= 0

    return least(enough)


def _ordered_deviation(pieces: int) -> Callable[[Fraction, Fraction], int]:
    """Records after which the errors of all ordered concepts deviate by less than ``alpha``.

    Such an error is a sum of ``pieces`` values of two distribution functions, each within
    ``alpha/pieces`` everywhere but with probability ``2 exp(-2 n (alpha/pieces)^2)``
    (Dvoretzky, Kiefer, Wolfowitz; constant by Massart).
    """

    def records(alpha: Fraction, beta: Fraction) -> int:
        return ceiling(lambda: ln(4 / beta) / (2 * ball(alpha / pieces) ** 2))

    return records


@theorem(
    BNS_37,
    kind="upper",
    setting="k points; a point or nothing; agnostic; approximate; records",
    formula=r"\max\{n_{\rm hist}(\tfrac\alpha{12}),\tfrac{8}{\alpha\epsilon'}\ln\tfrac{3k|H|}\beta,"
    r"n_{\rm dev}(\tfrac\alpha4)\}",
)
def sanitized_points(
    *, k: int, alpha: Fraction, beta: Fraction, epsilon: Fraction, delta: Fraction
) -> SampleBound:
    """Records to learn ``k`` point functions over any domain, by a point or nothing each."""
    alpha, delta = numbers(alpha=alpha, delta=delta)
    k = whole(k, name="k", least=1)

    def sanitize(a: Fraction, b: Fraction, e: Fraction, d: Fraction) -> SampleBound:
        return point_tables.stable(alpha=a, beta=b, epsilon=e, delta=d)

    return _sanitized(
        claim=BNS_37,
        cells=lambda _table: int(12 / alpha),
        vc=1,
        deviation=_ordered_deviation(4),
        share_of_alpha=12,
        sanitize=sanitize,
        k=k,
        alpha=alpha,
        beta=beta,
        epsilon=epsilon,
        delta=delta,
    )


@theorem(
    BNS_38,
    kind="upper",
    setting="k thresholds; proper; agnostic; pure or approximate; records",
    formula=r"\max\{n_{\rm table}(\tfrac\alpha8),\tfrac{8}{\alpha\epsilon'}\ln\tfrac{3k|H|}\beta,"
    r"n_{\rm dev}(\tfrac\alpha4)\}",
)
def sanitized_thresholds(
    *,
    domain_size: int,
    k: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
) -> SampleBound:
    """Records to learn ``k`` thresholds properly from one sanitized table."""
    (alpha,) = numbers(alpha=alpha)
    lost = probability(delta, name="delta", zero="allowed")

    def sanitize(a: Fraction, b: Fraction, e: Fraction, _d: Fraction) -> SampleBound:
        return table(queries="thresholds", domain_size=domain_size, alpha=a, beta=b, epsilon=e)

    # Two thresholds that agree on the table differ by at most two of its errors.
    return _sanitized(
        claim=BNS_38,
        cells=lambda table: int(table.choices["rows"]),
        vc=1,
        deviation=_ordered_deviation(2),
        share_of_alpha=8,
        sanitize=sanitize,
        k=whole(k, name="k", least=1),
        alpha=alpha,
        beta=beta,
        epsilon=epsilon,
        delta=lost,
    )


@theorem(
    BNS_31,
    kind="upper",
    setting="k concepts of a finite class; proper; agnostic; pure or approximate; records",
    formula=r"\min\{\text{Corollary 34},\ \text{table of Theorem 24 and selections}\}",
)
def several(
    *,
    size: int,
    domain_size: int,
    vc: int,
    k: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
) -> SampleBound:
    """The better of the two routes; the table pays once what each selection pays ``k`` times."""
    size, vc = whole(size, name="size", least=1), whole(vc, name="vc", least=1)
    k, lost = whole(k, name="k", least=1), probability(delta, name="delta", zero="allowed")
    direct = direct_sum(size=size, k=k, alpha=alpha, beta=beta, epsilon=epsilon, delta=lost)

    def sanitize(a: Fraction, b: Fraction, e: Fraction, _d: Fraction) -> SampleBound:
        return table(
            queries="symmetric differences",
            domain_size=domain_size,
            alpha=a,
            beta=b,
            epsilon=e,
            count=size * size,
        )

    other = _sanitized(
        claim=BNS_31,
        cells=lambda table: int(table.choices["rows"]),
        vc=vc,
        deviation=lambda a, b: _deviation(vc=vc, alpha=a, beta=b),
        share_of_alpha=4,
        sanitize=sanitize,
        k=k,
        alpha=alpha,
        beta=beta,
        epsilon=epsilon,
        delta=lost,
    )
    best = min((direct, other), key=lambda bound: bound.n)
    return SampleBound(n=best.n, claim=BNS_31, terms=best.terms, choices=best.choices)


@theorem(
    BNS_35,
    kind="upper",
    setting="k concepts of a listed class; proper; agnostic; pure or approximate; records",
    formula=r"\max\{n_{\rm table}(C\oplus C,\tfrac\alpha4),"
    r"\tfrac{8}{\alpha\epsilon'}\ln\tfrac{3k\min(|C|,S)}\beta,n_{\rm dev}(\tfrac\alpha4)\}",
)
def sanitized_class(
    *,
    size: int,
    domain_size: int,
    vc: int,
    differences: int,
    width: int,
    k: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
) -> SampleBound:
    """Records to learn ``k`` concepts of a listed class from one table that can be made.

    ``differences`` counts the different symmetric differences of two concepts; each, or its
    complement, is 1 on at most ``width`` values. ``choices["table"]`` is the bound of the
    sanitizer that asks for fewer records, ``choices["sanitizer"]`` its name.

    >>> sanitized_class(size=4, domain_size=3, vc=2, differences=4, width=1, k=10,
    ...                 alpha=Fraction(3, 10), beta=Fraction(1, 10), epsilon=Fraction(1)).n
    3782
    """
    (alpha,) = numbers(alpha=alpha)
    size, vc = whole(size, name="size", least=1), whole(vc, name="vc", least=1)
    values = whole(domain_size, name="domain_size", least=1)
    lost = probability(delta, name="delta", zero="allowed")
    tables: dict[str, SampleBound] = {}

    def sanitize(a: Fraction, b: Fraction, e: Fraction, _d: Fraction) -> SampleBound:
        tables["fitted-histogram"] = finite_tables.fitted(
            size=differences, domain_size=values, width=width, alpha=a, beta=b, epsilon=e
        )
        with suppress(BadInput):  # too many tables to list
            tables["blr-enumerated"] = finite_tables.enumerated(
                size=differences, domain_size=values, alpha=a, beta=b, epsilon=e
            )
        return min(tables.values(), key=lambda bound: bound.n)

    def deviation(a: Fraction, b: Fraction) -> int:
        # Hoeffding for each concept, added up, or the dimension: whichever is less.
        listed = ceiling(lambda: ln(2 * size / b) / (2 * ball(a) ** 2))
        return min(listed, _deviation(vc=vc, alpha=a, beta=b))

    bound = _sanitized(
        claim=BNS_35,
        cells=lambda table: min(values, int(table.choices.get("rows", values))),
        vc=vc,
        most=size,
        deviation=deviation,
        share_of_alpha=4,
        sanitize=sanitize,
        k=whole(k, name="k", least=1),
        alpha=alpha,
        beta=beta,
        epsilon=epsilon,
        delta=lost,
    )
    name = min(tables, key=lambda name: tables[name].n)
    return replace(bound, choices={**bound.choices, "sanitizer": name, "table": tables[name]})
