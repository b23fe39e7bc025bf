"""What improper answers must look like if few records are to suffice."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from tacit.bounds.lower import representations
from tacit.bounds.upper import selection
from tacit.core import BadInput, Claim, SampleBound, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.exact.balls import above, ball, ceiling
from tacit.problems.points.points_lower import rare_point
from tacit.problems.thresholds.thresholds_lower import rare_pair

PROOF = "problems/finite/shapes_lower.proof.md"

THEOREM_4_11 = Claim(
    paper="BBKN13",
    locator="Theorem 4.11",
    statement="a pure private learner of points whose answers have at most z ones with probability "
    "1/2 needs n with k n + n_R(kz + ceil(4/alpha), rho = 3 alpha/4, b/2) >= the bound for proper "
    "points at (alpha, b), for every b",
    proof=PROOF,
)
THEOREM_5_4 = Claim(
    paper="BBKN13",
    locator="Theorem 5.4",
    statement="the same for thresholds and answers with at most z switches: "
    "k n + n_R(kz + 2, rho = alpha/2, b/2) >= the bound for proper thresholds at (alpha, b)",
    proof=PROOF,
)
THEOREM_5_8 = Claim(
    paper="BBKN13",
    locator="Theorem 5.8",
    statement="a private independent noise learner of thresholds has noise mu <= alpha + t and its "
    "proper core fails with probability at most b = beta + 4 mu, so it needs "
    "(1/eps) ln((|C|-1)(1-b)/b) records",
    proof=PROOF,
)

_FAILURES = tuple(Fraction(1, 10**power) for power in range(1, 13))


@theorem(
    THEOREM_4_11,
    kind="lower",
    setting="points; answers of weight at most z; accuracy alpha/2, failure 1/4; pure; records",
    formula=r"kn+n_R(kz+\lceil4/\alpha\rceil,\tfrac{3\alpha}4,\tfrac b2)\ge n_{3.9}(\alpha,b),"
    r"\ k=\lceil\ln(b/2)/\ln\tfrac34\rceil",
)
def light_answers(*, bits: int, weight: int, alpha: Fraction, epsilon: Fraction) -> SampleBound:
    """Records needed by a learner of points that answers with few ones.

    Its answers' ones would be candidates for a proper learner, which needs many records.
    """
    alpha, size = probability(alpha, name="alpha"), 1 << whole(bits, name="bits", least=1)
    weight = whole(weight, name="weight", least=1)
    fixed = -(-4 * alpha.denominator // alpha.numerator)
    return _best(
        claim=THEOREM_4_11,
        proper=lambda b: rare_point(size=size, alpha=alpha, beta=b, epsilon=epsilon).n,
        candidates=lambda copies: copies * weight + fixed,
        alpha=alpha,
        rho=3 * alpha / 4,
        epsilon=epsilon,
    )


@theorem(
    THEOREM_5_4,
    kind="lower",
    setting="thresholds; answers with at most z switches; accuracy alpha/2, failure 1/4; pure",
    formula=r"kn+n_R(kz+2,\tfrac\alpha2,\tfrac b2)\ge n_{\rm pair}(\alpha,b)",
)
def few_switches(*, bits: int, switches: int, alpha: Fraction, epsilon: Fraction) -> SampleBound:
    """Records needed by a learner of thresholds that answers with few switches."""
    alpha, size = probability(alpha, name="alpha"), 1 << whole(bits, name="bits", least=1)
    switches = whole(switches, name="switches", least=1)
    return _best(
        claim=THEOREM_5_4,
        proper=lambda b: rare_pair(domain_size=size, alpha=alpha, beta=b, epsilon=epsilon).n,
        candidates=lambda copies: copies * switches + 2,
        alpha=alpha,
        rho=alpha / 2,
        epsilon=epsilon,
    )


def _best(
    *,
    claim: Claim,
    proper: Callable[[Fraction], int],
    candidates: Callable[[int], int],
    alpha: Fraction,
    rho: Fraction,
    epsilon: Fraction,
) -> SampleBound:
    best, choice = 1, _FAILURES[0]
    for b in _FAILURES:
        copies = _copies(b)
        final = selection.realizable(
            size=candidates(copies), alpha=alpha, beta=b / 2, epsilon=epsilon, rho=rho
        )
        n = -(-(proper(b) - final.n) // copies)
        if n > best:
            best, choice = n, b
    return SampleBound(
        n=best, claim=claim, terms={"being proper in the end": float(best)}, choices={"b": choice}
    )


def _copies(b: Fraction) -> int:
    # Enough answers of success 1/4 that all fail with probability at most b/2.
    return ceiling(lambda: ball(b / 2).log() / ball(Fraction(3, 4)).log())


@theorem(
    THEOREM_5_8,
    kind="lower",
    setting="thresholds; independent noise learners; pure; records",
    formula=r"n\ge\tfrac1\epsilon\ln\tfrac{(|C|-1)(1-b)}b,\ b=\beta+4(\alpha+t),\ "
    r"t=\sqrt{\ln\tfrac1{1-\beta}/2^{d+1}}",
)
def independent_noise(
    *, bits: int, alpha: Fraction, beta: Fraction, epsilon: Fraction
) -> SampleBound:
    """Records needed by a learner that flips every value of a proper answer independently.

    >>> independent_noise(bits=64, alpha=Fraction(1, 1000), beta=Fraction(1, 5),
    ...                   epsilon=Fraction(1)).n
    46
    """
    alpha, beta = probability(alpha, name="alpha"), probability(beta, name="beta")
    size = 1 << whole(bits, name="bits", least=1)
    spread = above(lambda: (-ball(1 - beta).log() / (2 * size)).sqrt())
    b = beta + 4 * (alpha + spread)
    if b >= 1 or 2 * (alpha + spread) > 1:
        raise BadInput("this bound needs beta + 4 alpha below 1")
    return representations.minimal(
        size=size + 1, beta=b, epsilon=positive(epsilon, name="epsilon"), claim=THEOREM_5_8
    )
