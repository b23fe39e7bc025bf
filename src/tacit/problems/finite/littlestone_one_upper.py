r"""Littlestone dimension 1: records for the stability learner."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tacit.bounds.binomial import noisy_below
from tacit.bounds.search import least
from tacit.bounds.upper.histograms import stable_count
from tacit.core import Claim, Relation, SampleBound, theorem
from tacit.core.numbers import positive, probability
from tacit.mechanisms.calibration import release_threshold, spread

CLAIM = Claim(
    paper="own",
    locator="Littlestone dimension 1",
    statement="a class of Littlestone dimension 1 is learned once P[Bin(n, alpha) + noise < T] is "
    "at most beta: each record that contradicts the standard optimal rule votes for the one "
    "concept that remains",
    proof="problems/finite/littlestone_one.proof.md",
)


@theorem(
    CLAIM,
    kind="upper",
    setting="any class of Littlestone dimension 1; realizable; approximate; all relations",
    formula=r"P[\mathrm{Bin}(n,\alpha)+\mathrm{DLap}(w/\epsilon) < T]\le\beta,\quad "
    r"T = 1 + r(w/\epsilon,\delta)",
)
def stable(
    *,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records to learn any class of Littlestone dimension 1, whatever its size.

    >>> stable(alpha=Fraction(1, 10), beta=Fraction(1, 20), epsilon=Fraction(1),
    ...        delta=Fraction(1, 10**6)).n
    388
    """
    return _stable(
        alpha=probability(alpha, name="alpha"),
        beta=probability(beta, name="beta"),
        epsilon=positive(epsilon, name="epsilon"),
        delta=probability(delta, name="delta"),
        relation=relation,
    )


@lru_cache(maxsize=1024)
def _stable(
    *, alpha: Fraction, beta: Fraction, epsilon: Fraction, delta: Fraction, relation: Relation
) -> SampleBound:
    # A flipped label brings a vote or takes it away, like a record that comes or goes.
    votes = Relation.REPLACE_ONE if relation is Relation.REPLACE_ONE else Relation.ADD_REMOVE
    scale = spread(votes) / epsilon
    threshold = release_threshold(epsilon=epsilon, delta=delta, relation=votes)
    n = least(lambda m: noisy_below(n=m, p=alpha, scale=scale, threshold=threshold) <= beta)
    sure = stable_count(beta=beta, epsilon=epsilon, delta=delta, relation=votes)
    terms = {name: part / float(alpha) for name, part in sure.terms.items()}
    return SampleBound(n=n, claim=CLAIM, terms=terms, choices={"threshold": threshold})
