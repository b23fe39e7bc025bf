"""Synthetic data and answers to all queries of a class, within ``alpha`` at once."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, comb, lgamma, log

from tacit.bounds.formula import ln, numbers, total
from tacit.bounds.search import least
from tacit.core import BadInput, Claim, Relation, SampleBound, theorem
from tacit.core.numbers import whole
from tacit.exact.balls import Ball, above, ball, ceiling, certainly_less
from tacit.mechanisms.calibration import spread

PROOF = "problems/finite/sanitizers_upper.proof.md"

BLR = Claim(
    paper="BBKN13",
    locator="Theorem 7.1",
    statement="selecting a table of m rows answers all queries within alpha if n (alpha - a_m) >= "
    "(2/eps)(ln C(|X|+m-1, m) + ln(1/beta)) + 1, a_m the error of the best such table",
    proof=PROOF,
)
BNS_24 = Claim(paper="BNS19", locator="Theorem 24", statement=BLR.statement, proof=PROOF)
HISTOGRAM = Claim(
    paper="own",
    locator="pure histogram",
    statement="two-sided geometric noise on all bins, reported from a threshold on, answers all "
    "points within alpha if ((|X|+n) q^m + q^s/alpha)/(1+q) <= beta, m = floor(alpha n) + 1",
    proof=PROOF,
)

_SHARES = {
    "points": lambda m: Fraction(1, m),
    "thresholds": lambda m: Fraction(1, 2 * m),
}


def _blr(
    *,
    claim: Claim,
    queries: str,
    domain_size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    count: int | None,
) -> SampleBound:
    alpha, beta, epsilon = numbers(alpha=alpha, beta=beta, epsilon=epsilon)
    size = whole(domain_size, name="domain_size", least=1)
    rows = _rows(queries, size, float(alpha), float(beta), float(epsilon), count)
    share = _share(queries, rows, count)
    if share >= alpha:
        raise BadInput("no table of a practical size answers within this alpha")
    tables = comb(size + rows - 1, rows)
    slack = alpha - share
    return total(
        claim=claim,
        parts={
            "choice of the table": lambda: 2 * ln(tables) / ball(epsilon * slack),
            "confidence": lambda: 2 * ln(1 / beta) / ball(epsilon * slack),
            "rounding": lambda: 1 / ball(slack),
        },
        choices={"rows": rows, "epsilon": epsilon},
    )


def _share(queries: str, rows: int, count: int | None) -> Fraction:
    # The error of the best table with this many rows.
    if queries in _SHARES:
        return _SHARES[queries](rows)
    size = count or 1
    return above(lambda: (ln(2 * size) / (2 * rows)).sqrt())


def _rows(
    queries: str, size: int, alpha: float, beta: float, epsilon: float, count: int | None
) -> int:
    # Each number of rows gives a valid bound; floats propose a good one.
    if queries in _SHARES:
        base = 1 / (2 * alpha) if queries == "thresholds" else 1 / alpha
        shares = {m: float(_SHARES[queries](m)) for m in range(1, int(20 * base) + 20)}
    else:
        base = log(2 * (count or 1)) / (2 * alpha**2)
        shares = {
            m: (log(2 * (count or 1)) / (2 * m)) ** 0.5
            for m in range(int(base) + 1, int(6 * base) + 20, max(1, int(base / 50)))
        }

    def cost(m: int) -> float:
        tables = m * log(size + m) - lgamma(m + 1)
        return (2 / epsilon * (tables + log(1 / beta)) + 1) / (alpha - shares[m])

    fitting = [m for m, share in shares.items() if share < alpha]
    if not fitting:
        raise BadInput("no table of a practical size answers within this alpha")
    return min(fitting, key=cost)


@theorem(
    BLR,
    kind="upper",
    setting="sanitizer for points, thresholds or any finite class; pure; records",
    formula=r"n(\alpha-a_m)\ge\tfrac2\epsilon\bigl(\ln\tbinom{|X|+m-1}{m}+\ln\tfrac1\beta\bigr)+1",
)
def table(
    *,
    queries: str,
    domain_size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    count: int | None = None,
) -> SampleBound:
    """Records to publish a table that answers every query of a class within ``alpha``.

    ``queries`` is ``"points"``, ``"thresholds"``, or anything else with ``count`` queries.

    >>> table(queries="thresholds", domain_size=2**64, alpha=Fraction(1, 10),
    ...       beta=Fraction(1, 20), epsilon=Fraction(1)).n
    17281
    """
    return _blr(
        claim=BLR,
        queries=queries,
        domain_size=domain_size,
        alpha=alpha,
        beta=beta,
        epsilon=epsilon,
        count=count,
    )


@theorem(
    BNS_24,
    kind="upper",
    setting="sanitizer for a finite class; pure; records",
    formula=r"a_m=\sqrt{\ln(2|C|)/(2m)}\ \text{in BBKN13 Theorem 7.1}",
)
def finite_class_table(
    *, size: int, domain_size: int, alpha: Fraction, beta: Fraction, epsilon: Fraction
) -> SampleBound:
    """The same for any class of ``size`` concepts."""
    return _blr(
        claim=BNS_24,
        queries="finite",
        domain_size=domain_size,
        alpha=alpha,
        beta=beta,
        epsilon=epsilon,
        count=whole(size, name="size", least=1),
    )


@theorem(
    HISTOGRAM,
    kind="upper",
    setting="sanitizer for points; pure; all record relations; answers, not a table",
    formula=r"\frac{(|X|+n)q^{m}+q^{s}/\alpha}{1+q}\le\beta,\quad m=\lfloor\alpha n\rfloor+1,\ "
    r"q=e^{-\epsilon/w}",
)
def pure_histogram(
    *,
    domain_size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records to answer every point query within ``alpha`` with pure privacy.

    >>> pure_histogram(domain_size=2**64, alpha=Fraction(1, 10), beta=Fraction(1, 10),
    ...                epsilon=Fraction(1)).n
    920
    """
    alpha, beta, epsilon = numbers(alpha=alpha, beta=beta, epsilon=epsilon)
    size = whole(domain_size, name="domain_size", least=1)
    rate = epsilon / spread(relation)

    def noise() -> Ball:
        return 1 + ball(-rate).exp()

    # A quarter of beta pays for heavy bins that fall below the reporting threshold.
    margin = ceiling(lambda: (4 / ball(alpha * beta) / noise()).log() / ball(rate))

    def enough(n: int) -> bool:
        m = int(alpha * n) + 1
        return certainly_less(
            lambda: ball(size + n) * (-ball(rate) * m).exp() / noise(),
            lambda: ball(3 * beta / 4),
        )

    n = max(least(enough), ceil((margin + 1) / alpha))
    return SampleBound(
        n=n,
        claim=HISTOGRAM,
        terms={"noise on the bins": float(n)},
        choices={"threshold": int(alpha * n) + 2 - margin, "epsilon": epsilon},
    )
