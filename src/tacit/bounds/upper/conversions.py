r"""From errors on a sample to errors on its distribution, and back (BNS19 section 2.7)."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tacit.bounds.search import least
from tacit.core import BadInput, Claim, SampleBound, Status, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.exact.balls import Ball, above, ball, below, ceiling

TO_PAC = Claim(
    paper="BNS19",
    locator="Theorem 12",
    statement="a learner of error alpha/2 on every sample has error alpha on the distribution "
    "once 4 k G(2m) exp(-alpha m/16) <= beta (realizable), or error alpha above the best once "
    "4 k G(2m) exp(-alpha^2 m/128) <= beta (agnostic), G the growth function; agnostic case "
    "corrected",
    status=Status.CITED,
    proof="bounds/upper/conversions.proof.md",
)
TO_EMPIRICAL = Claim(
    paper="BNS19",
    locator="Theorem 28",
    statement="a PAC learner for n records becomes an empirical learner of the same privacy and "
    "accuracy for m = (e^epsilon - 1)/(e^(epsilon/n) - 1) records, about 1.72 n at epsilon 1; "
    "Lemma 29 corrected and sharpened",
    proof="mechanisms/amplification.proof.md",
)


@theorem(
    TO_EMPIRICAL,
    kind="upper",
    setting="any learner that is private under replace-one; pure or approximate",
    formula=r"m = \frac{e^{\epsilon}-1}{e^{\epsilon/n}-1}",
)
def to_empirical(*, n: int, epsilon: Fraction) -> SampleBound:
    """Records from which ``n`` draws with replacement cost no more than ``epsilon``.

    >>> to_empirical(n=1000, epsilon=Fraction(1)).n
    1718
    """
    n = whole(n, name="n", least=1)
    epsilon = positive(epsilon, name="epsilon")
    m = ceiling(lambda: ball(epsilon).expm1() / (ball(epsilon) / n).expm1())
    return SampleBound(n=max(n, m), claim=TO_EMPIRICAL, terms={"draws": float(n)}, printed=9 * n)


@theorem(
    TO_PAC,
    kind="upper",
    setting="any learner that is accurate on every sample; realizable or agnostic",
    formula=r"4 k \left(\tfrac{2em}{d}\right)^d e^{-\alpha m/16}\le\beta"
    r"\quad\text{or}\quad 4 k \left(\tfrac{2em}{d}\right)^d e^{-\alpha^2 m/128}\le\beta",
)
def to_pac(
    *, vc: int, alpha: Fraction, beta: Fraction, setting: str = "realizable", k: int = 1
) -> SampleBound:
    """Records at which every rule (of VC dimension ``vc``) that errs on at most ``alpha/2`` of
    them, or by that more than the best, errs by ``alpha`` on the distribution.

    >>> to_pac(vc=1, alpha=Fraction(1, 5), beta=Fraction(1, 20)).n
    1042
    """
    return _to_pac(
        vc=whole(vc, name="vc", least=0),
        alpha=probability(alpha, name="alpha"),
        beta=probability(beta, name="beta"),
        setting=setting,
        k=whole(k, name="k", least=1),
    )


@lru_cache(maxsize=4096)
def _to_pac(*, vc: int, alpha: Fraction, beta: Fraction, setting: str, k: int) -> SampleBound:
    if setting not in ("realizable", "agnostic"):
        raise BadInput("setting must be 'realizable' or 'agnostic'")
    rate = alpha / 16 if setting == "realizable" else alpha * alpha / 128

    def suffices(m: int) -> bool:
        def margin() -> Ball:
            growth = vc * (1 + (2 * ball(m) / vc).log()) if vc else ball(0)
            return ball(beta).log() - (4 * ball(k)).log() - growth + ball(rate) * m

        # Below 2 m = vc the growth bound does not hold, and the condition fails anyway.
        return 2 * m >= vc and below(margin) >= 0

    half = alpha / 2

    def printed() -> Ball:
        if setting == "realizable":
            parts = vc * ball(32 / half).log() + ball(8 / beta).log()
            return 32 / ball(half) * parts
        return 64 / ball(half * half) * (vc * ball(6 / half).log() + ball(8 * k / beta).log())

    n = least(suffices)
    growth = float(above(lambda: vc * (1 + (2 * ball(n) / max(vc, 1)).log()) / ball(rate)))
    return SampleBound(
        n=n,
        claim=TO_PAC,
        terms={"richness of the class": growth, "confidence": max(0.0, n - growth)},
        printed=ceiling(printed),
    )
