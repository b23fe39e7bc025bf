"""Synthetic tables for any finite class of queries: records that suffice."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb, log, sqrt

from tacit.bounds.formula import ln, numbers
from tacit.bounds.upper import weights
from tacit.core import BadInput, Claim, SampleBound, theorem
from tacit.core.numbers import exact, whole
from tacit.exact.balls import Ball, above, ball, below, ceiling

PROOF = "problems/finite/finite_tables_upper.proof.md"

WEIGHTS = Claim(
    paper="BNS19",
    locator="Theorem 25",
    statement="a table rounded from averaged multiplicative weights answers all queries within "
    "alpha; the step is 4, a 32nd of alpha pays for whole numbers, constants ours",
    proof=PROOF,
)
ENUMERATED = Claim(
    paper="BNS19",
    locator="Theorem 24",
    statement="selecting one of all tables of m rows answers all queries within alpha if n (alpha "
    "- a_m) >= (2/eps)(ln C(|X|+m-1, m) + ln(1/beta)) + 1, a_m the lesser of |X|/(4m) and "
    "sqrt(ln(2|C|)/(2m))",
    proof=PROOF,
)

FITTED = Claim(
    paper="own",
    locator="fitted histograms",
    statement="a table fitted to a histogram with geometric noise on every bin answers all queries "
    "within alpha once (2t/n + sqrt((alpha/4)^2 + (t/n)^2)) <= (31/32) alpha, t the largest noise "
    "on a query",
    proof=PROOF,
)

MOST_TABLES = 1 << 17
"""So many tables at most are listed one by one."""

_WHOLE = 64


@theorem(
    WEIGHTS,
    kind="upper",
    setting="synthetic table for a finite class; pure or approximate; substitution",
    formula=r"\tfrac an+\sqrt{\tfrac{\ln|X|}{2T}+(\tfrac bn)^2}\le\tfrac{31}{32}\alpha,"
    r"\quad n\ge\tfrac{128}\alpha",
)
def weighted(
    *,
    size: int,
    domain_size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
) -> SampleBound:
    """Records for a table by multiplicative weights, within ``alpha`` on ``size`` queries.

    >>> weighted(size=256, domain_size=256, alpha=Fraction(1, 10), beta=Fraction(1, 20),
    ...          epsilon=Fraction(1), delta=Fraction(1, 10**6)).n
    76542
    """
    alpha, beta, epsilon = numbers(alpha=alpha, beta=beta, epsilon=epsilon)
    count = whole(size, name="size", least=1)
    domain = whole(domain_size, name="domain_size", least=1)
    return _weighted(count, domain, alpha, beta, epsilon, exact(delta, name="delta"))


@lru_cache(maxsize=1024)
def _weighted(
    size: int, domain: int, alpha: Fraction, beta: Fraction, epsilon: Fraction, delta: Fraction
) -> SampleBound:
    inner = weights.multiplicative_weights(
        size=size,
        domain_size=max(2, domain),
        alpha=alpha * (1 - Fraction(2, _WHOLE)),
        beta=beta,
        epsilon=epsilon,
        delta=delta,
    )
    choices = dict(inner.choices)
    if delta:
        choices["rho"] = weights.concentrated(epsilon=epsilon, delta=delta)
    # A 64th of alpha pays for scores in whole records, another for whole rows and for floats.
    return SampleBound(
        n=max(inner.n, int(-(-2 * _WHOLE // alpha))),
        claim=WEIGHTS,
        terms=inner.terms,
        choices=choices,
    )


def weighted_rows(*, domain_size: int, alpha: Fraction, n: int) -> int:
    """So many rows that rounding costs at most a 128th of ``alpha``."""
    return max(n, int(-(-_WHOLE // 2 * domain_size // alpha)))


@theorem(
    ENUMERATED,
    kind="upper",
    setting="synthetic table for a finite class over a tiny domain; pure; substitution",
    formula=r"n(\alpha-a_m)\ge\tfrac2\epsilon\bigl(\ln\tbinom{|X|+m-1}m+\ln\tfrac1\beta\bigr)+1,"
    r"\quad a_m=\min\bigl(\tfrac{|X|}{4m},\sqrt{\tfrac{\ln2|C|}{2m}}\bigr)",
)
def enumerated(
    *, size: int, domain_size: int, alpha: Fraction, beta: Fraction, epsilon: Fraction
) -> SampleBound:
    """Records for the best of all tables of a few rows, listed one by one.

    >>> enumerated(size=8, domain_size=3, alpha=Fraction(1, 10), beta=Fraction(1, 20),
    ...            epsilon=Fraction(1)).n
    252
    """
    alpha, beta, epsilon = numbers(alpha=alpha, beta=beta, epsilon=epsilon)
    count = whole(size, name="size", least=1)
    return _enumerated(count, whole(domain_size, name="domain_size", least=1), alpha, beta, epsilon)


@lru_cache(maxsize=1024)
def _enumerated(
    size: int, domain: int, alpha: Fraction, beta: Fraction, epsilon: Fraction
) -> SampleBound:
    best: tuple[float, int] | None = None
    rows = 1
    while (tables := comb(domain + rows - 1, rows)) <= MOST_TABLES and rows <= 1 << 12:
        room = float(alpha) - min(domain / (4 * rows), sqrt(log(2 * size) / (2 * rows)))
        if room > 0:
            cost = (2 / float(epsilon) * (log(tables) - log(beta)) + 1) / room
            best = min(best, (cost, rows)) if best else (cost, rows)
        rows += 1
    if best is None:
        raise BadInput(f"has more than {MOST_TABLES} tables to list at this alpha")
    rows = best[1]
    random = above(lambda: (ln(2 * size) / (2 * rows)).sqrt())
    slack = alpha - min(Fraction(domain, 4 * rows), random)
    if slack <= 0:
        raise BadInput("no table of a practical size answers within this alpha")
    tables = comb(domain + rows - 1, rows)

    def records() -> object:
        return (2 / ball(epsilon) * (ln(tables) - ln(beta)) + 1) / ball(slack)

    return SampleBound(
        n=ceiling(records),
        claim=ENUMERATED,
        terms={"choice of the table": best[0]},
        choices={"rows": rows, "epsilon": epsilon},
    )


@theorem(
    FITTED,
    kind="upper",
    setting="synthetic table for a finite class over a listed domain; pure; substitution",
    formula=r"2\tfrac tn+\sqrt{\tfrac{\alpha^2}{16}+\tfrac{t^2}{n^2}}\le\tfrac{31}{32}\alpha,\quad"
    r"t=\tfrac2\epsilon\min_u\tfrac1u\bigl(\ln\tfrac{2|Q|}\beta-w\ln(1-u^2)\bigr)",
)
def fitted(
    *, size: int, domain_size: int, width: int, alpha: Fraction, beta: Fraction, epsilon: Fraction
) -> SampleBound:
    """Records for a table fitted to a noisy histogram, within ``alpha`` on ``size`` queries.

    ``width``: each query, or its complement, is 1 on at most so many values.

    >>> fitted(size=256, domain_size=256, width=128, alpha=Fraction(1, 10),
    ...        beta=Fraction(1, 20), epsilon=Fraction(1)).n
    4793
    """
    alpha, beta, epsilon = numbers(alpha=alpha, beta=beta, epsilon=epsilon)
    count = whole(size, name="size", least=1)
    domain = whole(domain_size, name="domain_size", least=1)
    return _fitted(count, domain, whole(width, name="width", least=0), alpha, beta, epsilon)


@lru_cache(maxsize=1024)
def _fitted(
    size: int, domain: int, width: int, alpha: Fraction, beta: Fraction, epsilon: Fraction
) -> SampleBound:
    spread = log(2 * size / float(beta))

    def estimate(u: Fraction) -> float:
        return (spread - width * log(1 - float(u) ** 2)) / float(u)

    # Every u gives a valid bound; floats propose a good one.
    best = min((Fraction(step, 400) for step in range(1, 400)), key=estimate)
    noise = ceiling(
        lambda: (
            2 / ball(epsilon * best) * (ln(Fraction(2 * size) / beta) - width * ln(1 - best * best))
        )
    )
    # The positive y with 2y + sqrt(1/16 + y^2) = 31/32, rounded down.
    share = below(lambda: (4 * ball(Fraction(31, 32)) - _root()) / 6)
    rounds = ceiling(lambda: 8 * ln(max(2, domain)) / ball(alpha * alpha))
    return SampleBound(
        n=max(1, int(-(-noise // (alpha * share)))),
        claim=FITTED,
        terms={"noise on the bins": float(noise / (alpha * share))},
        choices={"noise": noise, "rounds": rounds, "epsilon": epsilon},
    )


def _root() -> Ball:
    # From (31/32 - 2y)^2 = 1/16 + y^2: 3y^2 - 4cy + c^2 - 1/16 = 0.
    c = ball(Fraction(31, 32))
    return (16 * c * c - 12 * (c * c - ball(Fraction(1, 16)))).sqrt()
