"""What improper answers must look like if few records are to suffice."""

from __future__ import annotations

from fractions import Fraction

from tacit.bounds.lower.packing import Budget, spread_out
from tacit.core import BadInput, Claim, Relation, SampleBound, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.exact.balls import above, ball
from tacit.problems.thresholds.thresholds_lower import rare_pair

PROOF = "problems/finite/shapes_lower.proof.md"

THEOREM_4_11 = Claim(
    paper="BBKN13",
    locator="Theorem 4.11",
    statement="a pure private learner of points with accuracy alpha/2 and failure 1/4 whose "
    "answers have at most z ones with probability 1/2 needs n with (2^d - 1) phi(n) <= z, "
    "failure 3/4, K ~ Bin(n, alpha/2); direct, without the reduction to proper learners",
    proof=PROOF,
)
THEOREM_5_4 = Claim(
    paper="BBKN13",
    locator="Theorem 5.4",
    statement="the same for thresholds and answers with at most z switches: "
    "(2^d - 3) phi(n) <= z, failure 3/4, K ~ Bin(n, alpha)",
    proof=PROOF,
)
THEOREM_5_8 = Claim(
    paper="BBKN13",
    locator="Theorem 5.8",
    statement="a private independent noise learner of thresholds has noise mu <= alpha + t and its "
    "proper core fails with probability at most b = beta + 4 mu, so it needs as many records as "
    "proper thresholds at (alpha, b)",
    proof=PROOF,
)

_EITHER = Fraction(3, 4)
"""Not good (1/4) or not of the shape (1/2)."""


@theorem(
    THEOREM_4_11,
    kind="lower",
    setting="points; answers of weight at most z; accuracy alpha/2, failure 1/4; pure; records",
    formula=r"(2^d-1)\,\varphi_{3/4}(n)\le z,\quad K\sim\mathrm{Bin}(n,\alpha/2)",
)
def light_answers(*, bits: int, weight: int, alpha: Fraction, epsilon: Fraction) -> SampleBound:
    """Records needed by a learner of points that answers with few ones.

    >>> light_answers(bits=64, weight=1, alpha=Fraction(1, 10), epsilon=Fraction(1)).n
    748
    """
    size = 1 << whole(bits, name="bits", least=1)
    return _few(
        room=Fraction(whole(weight, name="weight", least=1), size - 1),
        p=probability(alpha, name="alpha") / 2,
        epsilon=epsilon,
        claim=THEOREM_4_11,
    )


@theorem(
    THEOREM_5_4,
    kind="lower",
    setting="thresholds; answers with at most z switches; accuracy alpha/2, failure 1/4; pure",
    formula=r"(2^d-3)\,\varphi_{3/4}(n)\le z,\quad K\sim\mathrm{Bin}(n,\alpha)",
)
def few_switches(*, bits: int, switches: int, alpha: Fraction, epsilon: Fraction) -> SampleBound:
    """Records needed by a learner of thresholds that answers with few switches.

    >>> few_switches(bits=64, switches=1, alpha=Fraction(1, 10), epsilon=Fraction(1)).n
    375
    """
    size = 1 << whole(bits, name="bits", least=2)
    return _few(
        room=Fraction(whole(switches, name="switches", least=1), size - 3),
        p=probability(alpha, name="alpha"),
        epsilon=epsilon,
        claim=THEOREM_5_4,
    )


def _few(*, room: Fraction, p: Fraction, epsilon: Fraction, claim: Claim) -> SampleBound:
    budget = Budget.of(epsilon=epsilon, relation=Relation.REPLACE_ONE)
    n = spread_out(room=room, p=p, beta=_EITHER, budget=budget)
    return SampleBound(n=n, claim=claim, terms={"telling targets apart": float(n)})


@theorem(
    THEOREM_5_8,
    kind="lower",
    setting="thresholds; independent noise learners; pure; records",
    formula=r"(2^d-3)\,\varphi_b(n)\le b,\ K\sim\mathrm{Bin}(n,2\alpha),\ b=\beta+4(\alpha+t),\ "
    r"t=\sqrt{\ln\tfrac1{1-\beta}/2^{d+1}}",
)
def independent_noise(
    *, bits: int, alpha: Fraction, beta: Fraction, epsilon: Fraction
) -> SampleBound:
    """Records needed by a learner that flips every value of a proper answer independently.

    >>> independent_noise(bits=64, alpha=Fraction(1, 1000), beta=Fraction(1, 20),
    ...                   epsilon=Fraction(1)).n
    27513
    """
    alpha, beta = probability(alpha, name="alpha"), probability(beta, name="beta")
    size = 1 << whole(bits, name="bits", least=1)
    spread = above(lambda: (-ball(1 - beta).log() / (2 * size)).sqrt())
    b = beta + 4 * (alpha + spread)
    if b >= 1 or 2 * (alpha + spread) > 1:
        raise BadInput("this bound needs beta + 4 alpha below 1")
    inner = rare_pair(
        domain_size=size, alpha=alpha, beta=b, epsilon=positive(epsilon, name="epsilon")
    )
    return SampleBound(n=inner.n, claim=THEOREM_5_8, terms=inner.terms)
