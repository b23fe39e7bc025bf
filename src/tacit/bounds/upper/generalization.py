"""Learning without privacy: the papers' VC bounds.

They are kept as the papers state them (corrected), for comparison: the bounds that the
planner uses need no VC term at all.
"""

from __future__ import annotations

from fractions import Fraction

from tacit.bounds.formula import largest, ln, numbers, total
from tacit.core import Claim, SampleBound, Status, theorem
from tacit.core.numbers import whole
from tacit.exact.balls import ball

_CITED = Status.CITED

BBKN_2_4 = Claim(
    paper="BBKN13",
    locator="Theorem 2.4",
    statement="max{(4/alpha) log2(2/beta), (8 VC/alpha) log2(13/alpha)} records suffice to "
    "learn without privacy",
    status=_CITED,
)
BNS_8 = Claim(
    paper="BNS19",
    locator="Theorem 8",
    statement="with (64/alpha)(VC ln(64/alpha) + ln(8/beta)) records no concept of error above "
    "alpha has empirical error at most alpha/2",
    status=_CITED,
)
BNS_9 = Claim(
    paper="BNS19",
    locator="Theorem 9",
    statement="with (64/alpha^2)(VC ln(6/alpha) + ln(8/beta)) records no error exceeds its "
    "empirical value by more than alpha",
    status=_CITED,
)


ONE_SIDED = Claim(
    paper="own",
    locator="learning without privacy, one region",
    statement="points and thresholds are learned without privacy from ln(1/beta)/-ln(1-alpha) "
    "records: an answer that is wrong in one region of mass above alpha saw no record there",
    proof="bounds/upper/selection.proof.md",
)
CONSISTENT = Claim(
    paper="own",
    locator="learning without privacy, a consistent concept",
    statement="a concept without mistakes among |C| errs by at most alpha from "
    "ln((|C|-1)/beta)/-ln(1-alpha) records on",
    proof="bounds/upper/selection.proof.md",
)


@theorem(
    ONE_SIDED,
    kind="upper",
    setting="no privacy; points or thresholds; realizable; proper",
    formula=r"n=\frac{\ln(1/\beta)}{-\ln(1-\alpha)}",
)
def one_region(*, alpha: Fraction, beta: Fraction) -> SampleBound:
    """Records to learn points or thresholds when nothing is private.

    >>> one_region(alpha=Fraction(1, 10), beta=Fraction(1, 20)).n
    29
    """
    alpha, beta = numbers(alpha=alpha, beta=beta)
    parts = {"confidence": lambda: -ln(beta) / -ln(1 - alpha)}
    return largest(claim=ONE_SIDED, parts=parts)


@theorem(
    CONSISTENT,
    kind="upper",
    setting="no privacy; any finite class; realizable; proper",
    formula=r"n=\frac{\ln((|C|-1)/\beta)}{-\ln(1-\alpha)}",
)
def consistent(*, size: int, alpha: Fraction, beta: Fraction) -> SampleBound:
    """Records to learn a finite class when nothing is private.

    >>> consistent(size=8, alpha=Fraction(1, 3), beta=Fraction(1, 3)).n
    8
    """
    alpha, beta = numbers(alpha=alpha, beta=beta)
    wrong = max(1, whole(size, name="size", least=1) - 1)
    parts = {"size of the class": lambda: ln(wrong / beta) / -ln(1 - alpha)}
    return largest(claim=CONSISTENT, parts=parts)


@theorem(
    BBKN_2_4,
    kind="upper",
    setting="no privacy; realizable",
    formula=r"\max\{\tfrac4\alpha\log_2\tfrac2\beta,\ "
    r"\tfrac{8\,VC}{\alpha}\log_2\tfrac{13}\alpha\}",
)
def without_privacy(*, vc: int, alpha: Fraction, beta: Fraction) -> SampleBound:
    """Records to learn a class of VC dimension ``vc`` when nothing is private.

    >>> without_privacy(vc=1, alpha=Fraction(1, 10), beta=Fraction(1, 20)).n
    562
    """
    alpha, beta = numbers(alpha=alpha, beta=beta)
    vc = whole(vc, name="vc", least=0)
    return largest(
        claim=BBKN_2_4,
        parts={
            "confidence": lambda: 4 / ball(alpha) * ln(2 / beta) / ln(2),
            "VC dimension": lambda: 8 * vc / ball(alpha) * ln(13 / alpha) / ln(2),
        },
    )


@theorem(
    BNS_8,
    kind="upper",
    setting="realizable; uniform convergence",
    formula=r"\tfrac{64}{\alpha}(VC\ln\tfrac{64}{\alpha}+\ln\tfrac8\beta)",
)
def realizable_convergence(*, vc: int, alpha: Fraction, beta: Fraction) -> SampleBound:
    """Records after which empirical error ``alpha/2`` vouches for error ``alpha``."""
    alpha, beta = numbers(alpha=alpha, beta=beta)
    vc = whole(vc, name="vc", least=0)
    return total(
        claim=BNS_8,
        parts={
            "VC dimension": lambda: 64 * vc / ball(alpha) * ln(64 / alpha),
            "confidence": lambda: 64 / ball(alpha) * ln(8 / beta),
        },
    )


@theorem(
    BNS_9,
    kind="upper",
    setting="agnostic; uniform convergence, one-sided",
    formula=r"\tfrac{64}{\alpha^2}(VC\ln\tfrac6\alpha+\ln\tfrac8\beta)",
)
def agnostic_convergence(*, vc: int, alpha: Fraction, beta: Fraction) -> SampleBound:
    """Records after which every error is at most ``alpha`` above its empirical value."""
    alpha, beta = numbers(alpha=alpha, beta=beta)
    vc = whole(vc, name="vc", least=0)
    return total(
        claim=BNS_9,
        parts={
            "VC dimension": lambda: 64 * vc / ball(alpha) ** 2 * ln(6 / alpha),
            "confidence": lambda: 64 / ball(alpha) ** 2 * ln(8 / beta),
        },
    )
