"""Thresholds, proper: two neighbouring values of probability just above ``alpha``."""

from __future__ import annotations

from fractions import Fraction

from tacit.bounds.lower import representations
from tacit.bounds.lower.applies import privacy
from tacit.bounds.lower.packing import Budget, packed
from tacit.core import (
    LOWER_BOUNDS,
    Claim,
    LowerBound,
    Relation,
    SampleBound,
    Speaks,
    Task,
    theorem,
)
from tacit.core.numbers import probability, whole
from tacit.problems.thresholds.thresholds import Thresholds

LEMMA_5_2 = Claim(
    paper="BBKN13",
    locator="Lemma 5.2",
    statement="proper private learning of thresholds, alpha < 1/2, needs "
    "(1/eps) ln((|C|-1)(1-beta)/beta) records",
    proof="bounds/lower/packing.proof.md",
)
RARE_PAIR = Claim(
    paper="own",
    locator="thresholds, rare pair",
    statement="proper private learning of thresholds over T values, alpha < 1/2, needs n with "
    "(T-2) phi(n) <= beta, K ~ Bin(n, 2 alpha): Lemma 5.2 of BBKN13 with a factor 1/(2 alpha)",
    proof="bounds/lower/packing.proof.md",
)


@theorem(
    LEMMA_5_2,
    kind="lower",
    setting="thresholds; proper; alpha < 1/2; realizable and agnostic; records",
    formula=r"n\ge\frac1\epsilon\ln\frac{(|C|-1)(1-\beta)}{\beta}",
)
def one_border_each(
    *,
    size: int,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Half the distribution on each side of the border, so all records differ.

    >>> one_border_each(size=2**64 + 1, beta=Fraction(1, 10), epsilon=Fraction(1)).n
    47
    """
    return representations.minimal(
        size=size, beta=beta, epsilon=epsilon, delta=delta, relation=relation, claim=LEMMA_5_2
    )


@theorem(
    RARE_PAIR,
    kind="lower",
    setting="thresholds; proper; alpha < 1/2; realizable and agnostic; records",
    formula=r"(T-2)\,\varphi(n)\le\beta,\quad K\sim\mathrm{Bin}(n,2\alpha)",
)
def rare_pair(
    *,
    domain_size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """The borders ``1, ..., T-1``, each pinned by one rare value on either side.

    >>> rare_pair(domain_size=2**64, alpha=Fraction(1, 10), beta=Fraction(1, 10),
    ...           epsilon=Fraction(1)).n
    258
    """
    n = packed(
        alternatives=whole(domain_size, name="domain_size", least=1) - 2,
        p=2 * probability(alpha, name="alpha"),
        beta=probability(beta, name="beta"),
        budget=Budget.of(epsilon=epsilon, delta=delta, relation=relation),
    )
    return SampleBound(n=n, claim=RARE_PAIR, terms={"telling rare pairs apart": float(n)})


def _rare_pair(task: Task) -> SampleBound:
    accuracy = task.accuracy
    size = task.concept_class.domain.size
    return rare_pair(domain_size=size, alpha=accuracy.alpha, beta=accuracy.beta, **privacy(task))


def _one_border_each(task: Task) -> SampleBound:
    size = task.concept_class.size or 0
    return one_border_each(size=size, beta=task.accuracy.beta, **privacy(task))


LOWER_BOUNDS.add(
    LowerBound(
        name="rare pair",
        applies=Speaks(classes=(Thresholds,), proper=True, alpha=Fraction(1, 2)),
        claim=RARE_PAIR,
        records=_rare_pair,
    )
)
LOWER_BOUNDS.add(
    LowerBound(
        name="one border each",
        applies=Speaks(classes=(Thresholds,), proper=True, alpha=Fraction(1, 2)),
        claim=LEMMA_5_2,
        records=_one_border_each,
    )
)
