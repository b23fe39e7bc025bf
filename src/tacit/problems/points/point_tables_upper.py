"""Synthetic tables that answer every point query: records that suffice."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tacit.bounds.formula import ln, numbers
from tacit.bounds.search import least
from tacit.core import Claim, Relation, SampleBound, theorem
from tacit.core.numbers import whole
from tacit.exact.balls import Ball, ball, ceiling, certainly_less
from tacit.exact.geometric_tails import at_least
from tacit.mechanisms.calibration import noise_scale, printed_private, release_threshold

PROOF = "problems/points/point_tables_upper.proof.md"

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
PRINTED = Claim(
    paper="BNS19",
    locator="Proposition 30",
    statement="the printed algorithm is private once P[Z >= m] <= delta, m the whole numbers "
    "between alpha n/4 and alpha n/2, and its table answers all points within alpha",
    proof=PROOF,
)


def _fails(
    *, n: int, alpha: Fraction, scale: Fraction, missed_from: int, bins: Fraction | None = None
) -> Ball:
    """The chance that a heavy bin is missed, or that noise in an occupied bin is too large.

    Without ``bins`` every record may have a bin of its own. The largest ``n`` with the same
    ``half`` is then taken, so that the chance falls with ``n`` and never rises in between.
    """
    half = int((alpha * n - 1) / 2) + 1
    most = Fraction(-(-(2 * half + 1) // alpha)) if bins is None else bins
    missed = at_least(scale, missed_from) / ball(alpha)
    return missed + 2 * ball(most) * at_least(scale, half)


def _settled(*, n: int, alpha: Fraction, scale: Fraction) -> bool:
    """Whether the chance of ``_fails`` falls from ``n`` on: one more step of ``half`` beats
    the bins that it brings.
    """
    half = int((alpha * n - 1) / 2) + 1
    return half > 2 * scale + 2


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
    scale = noise_scale(epsilon=epsilon, relation=Relation.REPLACE_ONE)
    threshold = release_threshold(epsilon=epsilon, delta=delta, relation=Relation.REPLACE_ONE)

    def enough(n: int) -> bool:
        margin = int(alpha * n) + 2 - threshold
        return (
            margin > 1
            and _settled(n=n, alpha=alpha, scale=scale)
            and certainly_less(
                lambda: _fails(n=n, alpha=alpha, scale=scale, missed_from=margin),
                lambda: ball(beta),
            )
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
    scale = noise_scale(epsilon=epsilon, relation=Relation.REPLACE_ONE)

    def silent() -> Ball:
        # The least threshold that no empty bin reaches, but with probability beta / 4.
        q = (-1 / ball(scale)).exp()
        return ball(scale) * (ln(Fraction(4 * size) / beta) - (1 + q).log())

    threshold = max(1, ceiling(silent))

    def enough(n: int) -> bool:
        margin = int(alpha * n) + 2 - threshold
        return (
            margin > 1
            and _settled(n=n, alpha=alpha, scale=scale)
            and certainly_less(
                lambda: _fails(n=n, alpha=alpha, scale=scale, missed_from=margin),
                lambda: ball(3 * beta / 4),
            )
        )

    n = least(enough)
    hidden = threshold / float(alpha)
    return SampleBound(
        n=n,
        claim=PURE,
        terms={"empty bins, size of the domain": hidden, "noise": max(0.0, n - hidden)},
        choices={"epsilon": epsilon, "threshold": threshold},
    )


@theorem(
    PRINTED,
    kind="upper",
    setting="synthetic table for points; approximate; substitution; any domain",
    formula=r"\lfloor\tfrac{\alpha n}2\rfloor-\lfloor\tfrac{\alpha n}4\rfloor\ge m_\delta,\quad"
    r"\frac{1}{\alpha}P[Z\ge \lfloor\tfrac{\alpha n}2\rfloor]+\frac8\alpha P[Z\ge h]\le\beta",
)
def printed(*, alpha: Fraction, beta: Fraction, epsilon: Fraction, delta: Fraction) -> SampleBound:
    """Records for a table within ``alpha`` by the algorithm as it is printed.

    >>> printed(alpha=Fraction(1, 10), beta=Fraction(1, 20), epsilon=Fraction(1),
    ...         delta=Fraction(1, 10**6)).n
    1120
    """
    return _printed(*numbers(alpha=alpha, beta=beta, epsilon=epsilon, delta=delta))


@lru_cache(maxsize=4096)
def _printed(alpha: Fraction, beta: Fraction, epsilon: Fraction, delta: Fraction) -> SampleBound:
    scale = noise_scale(epsilon=epsilon, relation=Relation.REPLACE_ONE)

    def enough(n: int) -> bool:
        # A count above alpha n stays above alpha n / 2 unless the noise takes the difference.
        margin = int(alpha * n / 2)
        return margin > 0 and certainly_less(
            lambda: _fails(n=n, alpha=alpha, scale=scale, missed_from=margin, bins=4 / alpha),
            lambda: ball(beta),
        )

    private = printed_private(alpha=alpha, epsilon=epsilon, delta=delta)
    accurate = least(enough)
    return SampleBound(
        n=max(private, accurate),
        claim=PRINTED,
        terms={"privacy": float(private), "noise": float(accurate)},
        printed=ceiling(
            lambda: (8 * ln(1 / (2 * delta)) / ball(alpha * epsilon) + 4 / ball(alpha)).max(
                4 * ln(4 / (alpha * beta)) / ball(alpha * epsilon)
            )
        ),
        choices={"epsilon": epsilon, "delta": delta},
    )
