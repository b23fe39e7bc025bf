r"""Frequent values: how often one must occur, or by how much it must lead."""

from __future__ import annotations

from fractions import Fraction

from tacit.core import Claim, Relation, SampleBound, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.exact.balls import ball, ceiling
from tacit.exact.geometric_tails import reach
from tacit.mechanisms.calibration import release_threshold, spread

FREQUENT = Claim(
    paper="B20",
    locator="Theorem 15",
    statement="a lead of ln((R-1)(1-beta)/beta) / rate suffices to select the most frequent of R "
    "values; constants ours",
    proof="problems/points/frequent_item.proof.md",
)
STABLE = Claim(
    paper="B20",
    locator="Theorem 15",
    statement="a value that occurs T - 1 + r(2/epsilon, beta) times is in the stability histogram "
    "with probability 1 - beta; constants ours",
    proof="mechanisms/stability.proof.md",
)
TESTED = Claim(
    paper="BNS19",
    locator="Proposition 22",
    statement="the gap test returns a candidate that leads by T - 1 + r(2/epsilon, beta) with "
    "probability 1 - beta; constants corrected",
    proof="mechanisms/gap_test.proof.md",
)


def lead(*, wrong: int, beta: Fraction, rate: Fraction) -> int:
    """The least whole lead ``t >= 0`` with ``w / (1 + w) <= beta``, ``w = wrong exp(-rate t)``:
    by this much the best of ``wrong + 1`` candidates must lead to be selected.
    """
    odds = wrong * (1 - beta) / beta
    return 0 if odds <= 1 else max(0, ceiling(lambda: ball(odds).log() / ball(rate)))


@theorem(
    FREQUENT,
    kind="upper",
    setting="most frequent value; pure; all relations; every data set",
    formula=r"\mathrm{GAP} = \tfrac{w}{\epsilon}\ln\tfrac{(R-1)(1-\beta)}{\beta}",
)
def frequent_gap(
    *,
    size: int,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """By how many records the most frequent of ``size`` values must lead.

    >>> frequent_gap(size=2**64, beta=Fraction(1, 20), epsilon=Fraction(1)).n
    95
    """
    beta = probability(beta, name="beta")
    rate = positive(epsilon, name="epsilon") / spread(relation)
    wrong = whole(size, name="size", least=1) - 1
    return SampleBound(n=lead(wrong=wrong, beta=beta, rate=rate), claim=FREQUENT)


@theorem(
    STABLE,
    kind="upper",
    setting="a released count; approximate; all relations; every data set",
    formula=r"c = T - 1 + r(w/\epsilon, \beta)",
)
def stable_count(
    *,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """How often a value must occur to be in the stability histogram.

    >>> stable_count(beta=Fraction(1, 20), epsilon=Fraction(1), delta=Fraction(1, 10**6)).n
    33
    """
    epsilon = positive(epsilon, name="epsilon")
    delta, beta = probability(delta, name="delta"), probability(beta, name="beta")
    threshold = release_threshold(epsilon=epsilon, delta=delta, relation=relation)
    spare = reach(spread(relation) / epsilon, beta)
    terms = {"privacy": float(threshold), "confidence": float(spare - 1)}
    return SampleBound(n=threshold - 1 + spare, claim=STABLE, terms=terms)


@theorem(
    TESTED,
    kind="upper",
    setting="best candidate; approximate; all relations; every data set",
    formula=r"\mathrm{gap} = T - 1 + r(w/\epsilon,\beta),\quad T = w + r(w/\epsilon,\delta)",
)
def winning_gap(
    *,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """By how much the best candidate must lead to pass the gap test.

    >>> winning_gap(beta=Fraction(1, 20), epsilon=Fraction(1), delta=Fraction(1, 10**6)).n
    34
    """
    epsilon = positive(epsilon, name="epsilon")
    delta, beta = probability(delta, name="delta"), probability(beta, name="beta")
    moved = spread(relation)
    threshold = moved + reach(moved / epsilon, delta)
    spare = reach(moved / epsilon, beta)
    terms = {"privacy": float(threshold), "confidence": float(spare - 1)}
    return SampleBound(n=threshold - 1 + spare, claim=TESTED, terms=terms)
