"""Records that suffice for a synthetic table that answers every threshold, and its rows."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb, lgamma, log

from tacit.bounds.formula import ln, numbers
from tacit.bounds.search import least
from tacit.bounds.upper import weights
from tacit.core import BadInput, Claim, SampleBound, theorem
from tacit.core.numbers import exact, whole
from tacit.exact.balls import Ball, ball, below, ceiling, certainly_less
from tacit.exact.geometric_tails import reach
from tacit.problems.finite import sanitizers_upper as sanitizers
from tacit.problems.thresholds import interior_point_upper as interior_point

PROOF = "problems/thresholds/threshold_tables_upper.proof.md"

TREE = Claim(
    paper="own",
    locator="tree tables",
    statement="a table read off noisy counts of a B-ary tree, grown where counts are high, answers "
    "every threshold within alpha; n from the supremum of the noise over all prefixes",
    proof=PROOF,
)
QUANTILES = Claim(
    paper="own",
    locator="quantile tables",
    statement="a table of 2^H cut points, each an exponential-mechanism median of a part, answers "
    "every threshold within alpha if n (alpha - 2^(-H-1)) >= H (ln(|X| n 2^H / beta) / e + 1) + 1",
    proof=PROOF,
)
STABLE_QUANTILES = Claim(
    paper="own",
    locator="stable quantile tables",
    statement="a table of 2^H cut points, each an interior point of the middle W records of a "
    "part, answers every threshold within alpha if n (alpha - 2^(-H-1)) >= H (W+1)/2 + 1",
    proof=PROOF,
)

PLACE_BITS = 64
"""Positions of records are counted in so many bits."""

FULL_BITS = 18
"""Up to so many bits the tree is grown in full; beyond, only where noisy counts are high."""

MOST_ROWS = 512
"""So many rows at most are selected at once."""

_GROWTH = 32
"""A node that holds less than a 32nd part of the error is not divided."""


def rows_for(
    *, domain_size: int, n: int, alpha: Fraction, beta: Fraction, epsilon: Fraction
) -> int:
    """How many rows to select from ``n`` records: more than planned for if that is proved finer.

    Floats propose. With the planned number of records or more, a proposal that is not certain
    to answer within ``alpha`` gives way to the planned rows; with fewer nothing is promised.
    """
    planned = selected(domain_size=domain_size, alpha=alpha, beta=beta, epsilon=epsilon)
    rate, size = 2 / float(epsilon), log(domain_size)

    def error(rows: int) -> float:
        tables = rows * max(size, log(rows)) - lgamma(rows + 1)
        return 1 / (2 * rows) + (rate * (tables + log(1 / float(beta))) + 1) / max(1, n)

    rows = min(range(1, MOST_ROWS + 1), key=error)
    if n < planned.n or rows == planned.choices["rows"]:
        return rows
    slack = alpha - Fraction(1, 2 * rows)
    tables = comb(domain_size + rows - 1, rows)
    enough = slack > 0 and certainly_less(
        lambda: ball(2) / ball(epsilon) * (ln(tables) - ln(beta)) + 1, lambda: ball(n * slack)
    )
    return rows if enough else int(planned.choices["rows"])


def selected(
    *, domain_size: int, alpha: Fraction, beta: Fraction, epsilon: Fraction
) -> SampleBound:
    """Records for a selected table (``sanitizers.table``), of a size that can be drawn."""
    bound = sanitizers.table(
        queries="thresholds", domain_size=domain_size, alpha=alpha, beta=beta, epsilon=epsilon
    )
    if bound.choices["rows"] > MOST_ROWS:
        raise BadInput(f"would have to select a table of more than {MOST_ROWS} rows")
    return bound


def divided_from(*, n: int, alpha: Fraction, least_count: int) -> int:
    """The noisy count from which a node of the tree is divided; a public number."""
    return max(least_count, -(-(alpha * n).numerator // ((alpha * n).denominator * _GROWTH)))


@theorem(
    TREE,
    kind="upper",
    setting="synthetic table for thresholds; pure or approximate; substitution",
    formula=r"\alpha n\ge E+\tfrac12(\theta+z),\quad \theta=\max(\theta_0,\lceil\alpha n/32\rceil),"
    r"\ \frac{32h}\alpha P[Z>z]\le\tfrac\beta{16}",
)
def tree(
    *,
    bits: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
) -> SampleBound:
    """Records for a table read off a noisy tree, within ``alpha`` on every threshold.

    >>> tree(bits=16, alpha=Fraction(1, 10), beta=Fraction(1, 20), epsilon=Fraction(1)).n
    4186
    """
    alpha, beta, epsilon = numbers(alpha=alpha, beta=beta, epsilon=epsilon)
    return _tree(
        whole(bits, name="bits", least=1), alpha, beta, epsilon, exact(delta, name="delta")
    )


@lru_cache(maxsize=1024)
def _tree(
    bits: int, alpha: Fraction, beta: Fraction, epsilon: Fraction, delta: Fraction
) -> SampleBound:
    full = bits <= FULL_BITS
    share = beta if full else 15 * beta / 16
    inner = weights.tree(bits=bits, alpha=alpha, beta=share, epsilon=epsilon, delta=delta)
    branching, levels = inner.choices["branching"], inner.choices["levels"]
    choices = {"branching": branching, "levels": levels, "epsilon": epsilon}
    if delta:
        rho = weights.concentrated(epsilon=epsilon, delta=delta)
        choices["rho"] = rho
        variance = levels / rho
    if full:
        return SampleBound(n=inner.n, claim=TREE, terms=inner.terms, choices=choices)
    doubt = alpha * beta / (16 * _GROWTH * levels)
    if delta:
        beyond = ceiling(lambda: (-2 * ball(variance) * ln(doubt)).sqrt())
        silent = ceiling(lambda: (2 * ball(variance) * (ln(2 * branching) + 2)).sqrt())
    else:
        scale = 2 * levels / epsilon
        beyond = reach(scale, doubt)
        silent = ceiling(lambda: ball(scale) * (ln(2 * branching) + 2))
    noise = alpha * inner.n
    half = Fraction(1, 2)
    grown = (noise + beyond * half + half) / (alpha * (1 - Fraction(1, 2 * _GROWTH)))
    least_grown = (noise + (beyond + silent) * half) / alpha
    n = max(-(-grown // 1), -(-least_grown // 1))
    return SampleBound(
        n=int(n),
        claim=TREE,
        terms={"noise on the nodes": float(inner.n), "undivided nodes": float(n - inner.n)},
        choices=choices | {"least_count": silent},
    )


@theorem(
    QUANTILES,
    kind="upper",
    setting="synthetic table for thresholds; pure or approximate; substitution",
    formula=r"n(\alpha-2^{-H-1})\ge H\bigl(\tfrac1{\epsilon'}\ln\tfrac{|X|n2^H}\beta+1\bigr)+1,"
    r"\quad \epsilon'=\tfrac\epsilon{2H}\ \text{or}\ \sqrt{2\rho/H}",
)
def quantiles(
    *,
    domain_size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
) -> SampleBound:
    """Records for a table of private quantiles, within ``alpha`` on every threshold.

    >>> quantiles(domain_size=2**64, alpha=Fraction(1, 10), beta=Fraction(1, 20),
    ...           epsilon=Fraction(1)).n
    28175
    """
    alpha, beta, epsilon = numbers(alpha=alpha, beta=beta, epsilon=epsilon)
    size = whole(domain_size, name="domain_size", least=1)
    return _quantiles(size, alpha, beta, epsilon, exact(delta, name="delta"))


@lru_cache(maxsize=1024)
def _quantiles(
    size: int, alpha: Fraction, beta: Fraction, epsilon: Fraction, delta: Fraction
) -> SampleBound:
    rho = weights.concentrated(epsilon=epsilon, delta=delta) if delta else None
    best: tuple[int, int, Fraction] | None = None
    first = next(depth for depth in range(1, 10**6) if Fraction(1, 2 << depth) < alpha)
    for depth in range(first, first + 8):
        step = call_epsilon(depth=depth, epsilon=epsilon, rho=rho)
        n = _quantile_records(size, alpha, beta, depth, step)
        if best is None or n < best[0]:
            best = n, depth, step
    assert best is not None
    n, depth, step = best
    choices = {"depth": depth, "call": step, "epsilon": epsilon}
    cuts = float(n * Fraction(1, 2 << depth) / alpha)
    return SampleBound(
        n=n,
        claim=QUANTILES,
        terms={"choice of the cuts": n - cuts, "room between cuts": cuts},
        choices=choices if rho is None else choices | {"rho": rho},
    )


def call_epsilon(*, depth: int, epsilon: Fraction, rho: Fraction | None) -> Fraction:
    """What one median may cost, so that all ``depth`` levels together keep the budget."""
    if rho is None:
        return epsilon / (2 * depth)
    return below(lambda: (2 * ball(rho) / depth).sqrt(), bits=64)


def _quantile_records(
    size: int, alpha: Fraction, beta: Fraction, depth: int, step: Fraction
) -> int:
    slack = alpha - Fraction(1, 2 << depth)

    def needed(n: int) -> Ball:
        wrong = ln(Fraction(size * n << depth) / beta)
        return depth * (wrong / ball(step) + 1) + 1

    return least(lambda n: certainly_less(lambda: needed(n), lambda: ball(n * slack)))


@theorem(
    STABLE_QUANTILES,
    kind="upper",
    setting="synthetic table for thresholds; approximate; substitution",
    formula=r"n(\alpha-2^{-H-1})\ge H\tfrac{W+1}2+1,\quad W\ \text{records for an interior point }"
    r"\text{of}\ d+64\ \text{bits at}\ \tfrac\epsilon{2H},\tfrac\delta{2H},\tfrac\beta{2^H}",
)
def stable_quantiles(
    *, bits: int, alpha: Fraction, beta: Fraction, epsilon: Fraction, delta: Fraction
) -> SampleBound:
    """Records for a table of interior points, within ``alpha`` on every threshold.

    >>> stable_quantiles(bits=1000, alpha=Fraction(1, 10), beta=Fraction(1, 20),
    ...                  epsilon=Fraction(1), delta=Fraction(1, 10**6)).n
    108227
    """
    alpha, beta, epsilon, delta = numbers(alpha=alpha, beta=beta, epsilon=epsilon, delta=delta)
    return _stable_quantiles(whole(bits, name="bits", least=1), alpha, beta, epsilon, delta)


@lru_cache(maxsize=1024)
def _stable_quantiles(
    bits: int, alpha: Fraction, beta: Fraction, epsilon: Fraction, delta: Fraction
) -> SampleBound:
    best: SampleBound | None = None
    first = next(depth for depth in range(1, 10**6) if Fraction(1, 2 << depth) < alpha)
    for depth in range(first, first + 4):
        share = delta / (2 * depth)
        inner = interior_point.stable_prefix(
            bits=bits + PLACE_BITS,
            beta=beta / (1 << depth),
            epsilon=epsilon / (2 * depth),
            delta=share,
        )
        slack = alpha - Fraction(1, 2 << depth)
        n = int(-(-(Fraction(depth * (inner.n + 1), 2) + 1) // slack))
        if best is None or n < best.n:
            choices = dict(inner.choices) | {"depth": depth, "window": inner.n, "delta": share}
            cuts = float(n * Fraction(1, 2 << depth) / alpha)
            terms = {"middle records": n - cuts, "room between cuts": cuts}
            best = SampleBound(n=n, claim=STABLE_QUANTILES, terms=terms, choices=choices)
    assert best is not None
    return best
