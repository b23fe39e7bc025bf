"""Synthetic tables that answer every point query: records that suffice."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tacit.bounds.formula import ln, numbers
from tacit.bounds.search import least
from tacit.bounds.upper.histograms import release_threshold
from tacit.core import Claim, Relation, SampleBound, theorem
from tacit.core.numbers import whole
from tacit.exact.balls import Ball, ball, ceiling, certainly_less
from tacit.exact.geometric_tails import at_least

PROOF = "bounds/upper/point_tables.proof.md"

STABLE = Claim(
    paper="BNS19",
    locator="Proposition 30",
    statement="a table made from a stability histogram answers all points within alpha; "
    "n from exact tails, constants ours",
    proof=PROOF,
)
PURE = Claim(
    paper="own",
    locator="pure point tables",
    statement="a table made from the bins of a pure noisy histogram that reach a threshold answers "
    "all points within alpha; n from exact tails",
    proof=PROOF,
)


def _scale(epsilon: Fraction) -> Fraction:
    # Tables need the public number of records, so only substitutions are considered.
    return 2 / epsilon


def _fails(*, n: int, alpha: Fraction, scale: Fraction, threshold: int) -> Ball:
    """The chance that a heavy bin is missed, or that noise in an occupied bin is too large."""
    heavy = int(alpha * n) + 1
    half = int((alpha * n - 1) / 2) + 1
    missed = at_least(scale, heavy + 1 - threshold) / ball(alpha)
    return missed + 2 * n * at_least(scale, half)


@theorem(
    STABLE,
    kind="upper",
    setting="synthetic table for points; approximate; substitution; any domain",
    formula=r"\frac{1}{\alpha}P[Z\ge m+1-T]+2nP[Z\ge h]\le\beta,\quad"
    r"m=\lfloor\alpha n\rfloor+1,\ h=\lfloor(\alpha n-1)/2\rfloor+1",
)
def stable(*, alpha: Fraction, beta: Fraction, epsilon: Fraction, delta: Fraction) -> SampleBound:
    """Records for a table within ``alpha`` on every point, over any domain.

    >>> stable(alpha=Fraction(1, 10), beta=Fraction(1, 20), epsilon=Fraction(1),
    ...        delta=Fraction(1, 10**6)).n
    390
    """
    return _stable(*numbers(alpha=alpha, beta=beta, epsilon=epsilon, delta=delta))


@lru_cache(maxsize=4096)
def _stable(alpha: Fraction, beta: Fraction, epsilon: Fraction, delta: Fraction) -> SampleBound:
    scale = _scale(epsilon)
    threshold = release_threshold(epsilon=epsilon, delta=delta, relation=Relation.REPLACE_ONE)

    def enough(n: int) -> bool:
        return int(alpha * n) + 1 > threshold and certainly_less(
            lambda: _fails(n=n, alpha=alpha, scale=scale, threshold=threshold),
            lambda: ball(beta),
        )

    n = least(enough)
    hidden = threshold / float(alpha)
    return SampleBound(
        n=n,
        claim=STABLE,
        terms={"hiding rare values": hidden, "noise": max(0.0, n - hidden)},
        choices={"epsilon": epsilon, "delta": delta},
    )


@theorem(
    PURE,
    kind="upper",
    setting="synthetic table for points; pure; substitution",
    formula=r"|X|P[Z\ge\tau]\le\tfrac\beta4,\ \frac{1}{\alpha}P[Z\ge m+1-\tau]+2nP[Z\ge h]"
    r"\le\tfrac{3\beta}4",
)
def pure(*, domain_size: int, alpha: Fraction, beta: Fraction, epsilon: Fraction) -> SampleBound:
    """Records for a table within ``alpha`` on every point of a finite domain, purely.

    >>> pure(domain_size=2**64, alpha=Fraction(1, 10), beta=Fraction(1, 10),
    ...      epsilon=Fraction(1)).n
    1030
    """
    size = whole(domain_size, name="domain_size", least=1)
    return _pure(size, *numbers(alpha=alpha, beta=beta, epsilon=epsilon))


@lru_cache(maxsize=4096)
def _pure(size: int, alpha: Fraction, beta: Fraction, epsilon: Fraction) -> SampleBound:
    scale = _scale(epsilon)

    def silent() -> Ball:
        # The least threshold that no empty bin reaches, but with probability beta / 4.
        q = (-1 / ball(scale)).exp()
        return ball(scale) * (ln(Fraction(4 * size) / beta) - (1 + q).log())

    threshold = max(1, ceiling(silent))

    def enough(n: int) -> bool:
        return int(alpha * n) + 1 > threshold and certainly_less(
            lambda: _fails(n=n, alpha=alpha, scale=scale, threshold=threshold),
            lambda: ball(3 * beta / 4),
        )

    n = least(enough)
    hidden = threshold / float(alpha)
    return SampleBound(
        n=n,
        claim=PURE,
        terms={"empty bins, size of the domain": hidden, "noise": max(0.0, n - hidden)},
        choices={"epsilon": epsilon, "threshold": threshold},
    )
