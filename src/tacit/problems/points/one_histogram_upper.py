"""Several points from one histogram: records that suffice for any number of tasks."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tacit.bounds.formula import numbers
from tacit.bounds.search import least
from tacit.bounds.tails import SLACK, binomial
from tacit.core import Claim, Relation, SampleBound, theorem
from tacit.exact.balls import ball, ceiling
from tacit.mechanisms.calibration import release_threshold, spread

PROOF = "problems/several/several_upper.proof.md"

BNS_40 = Claim(
    paper="BNS19",
    locator="Theorem 40",
    statement="k points, realizable, approximate: a stability histogram on pairs of value and "
    "label vector, whatever k is; n from its exact tails",
    proof=PROOF,
)


@theorem(
    BNS_40,
    kind="upper",
    setting="k points; improper (a point or nothing); realizable; approximate; records",
    formula=r"\tfrac1\alpha\bigl(\Pr[\mathrm{Bin}(n,\alpha)<T+s]+q^{s}\bigr)\le\beta",
)
def one_histogram(
    *,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records to learn any number of point functions from one stability histogram.

    Values of probability above ``alpha`` are fewer than ``1/alpha``; each must be seen
    ``T + s`` times and keep its place under the noise.

    >>> one_histogram(alpha=Fraction(1, 10), beta=Fraction(1, 20), epsilon=Fraction(1),
    ...               delta=Fraction(1, 10**6)).n
    578
    """
    return _one_histogram(*numbers(alpha=alpha, beta=beta, epsilon=epsilon, delta=delta), relation)


@lru_cache(maxsize=1024)
def _one_histogram(
    alpha: Fraction, beta: Fraction, epsilon: Fraction, delta: Fraction, relation: Relation
) -> SampleBound:
    threshold = release_threshold(epsilon=epsilon, delta=delta, relation=relation)
    rate = epsilon / spread(relation)
    # Half of beta pays for the noise: P(Z <= -s) = q^s / (1+q) for each heavy value.
    spare = ceiling(lambda: (2 / ball(alpha * beta) / (1 + ball(-rate).exp())).log() / ball(rate))
    needed = threshold + max(0, spare) - 1

    def enough(n: int) -> bool:
        return seldom(n, alpha, needed) <= alpha * beta / 2

    n = least(enough)
    return SampleBound(
        n=n,
        claim=BNS_40,
        terms={"hiding rare values": threshold / float(alpha), "noise": spare / float(alpha)},
        choices={"threshold": threshold, "epsilon": epsilon},
    )


def seldom(n: int, alpha: Fraction, needed: int) -> Fraction:
    """At least the probability that an event of probability ``alpha`` occurs less than
    ``needed`` times in ``n``; 1 if that is not seldom.
    """
    if n * alpha <= needed:
        return Fraction(1)
    window = binomial(n, alpha)
    low = max(0, min(len(window.weights), needed - window.start))
    return Fraction(float(window.weights[:low].sum()) * SLACK + window.missing)
