"""Synthetic tables: a planted value must show, whatever it is."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from tacit.bounds.lower.applies import privacy
from tacit.bounds.lower.packing import Budget, everything
from tacit.core import (
    LOWER_BOUNDS,
    BadInput,
    Claim,
    LowerBound,
    Relation,
    SampleBound,
    Speaks,
    Task,
    theorem,
)
from tacit.core.numbers import probability, whole
from tacit.problems.points.points import Points
from tacit.problems.thresholds.thresholds import Thresholds

CLAIM = Claim(
    paper="BBKN13",
    locator="Theorem 7.2",
    statement="answering all points (or all thresholds) within alpha < 1/2 needs n with "
    "floor(2 alpha n) + 1 >= (1/eps) ln((|X|-1)(1-beta)/beta); the planted mass is 2 alpha, "
    "not 3 alpha",
    proof="bounds/lower/packing.proof.md",
)


@theorem(
    CLAIM,
    kind="lower",
    setting="sanitizers for points or thresholds; any answers; pure or approximate; records",
    formula=r"\lfloor2\alpha n\rfloor+1\ge\tfrac1\epsilon\ln\tfrac{(|X|-1)(1-\beta)}\beta",
)
def planted_value(
    *,
    domain_size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """``floor(2 alpha n) + 1`` records sit on one value, the rest on another fixed one.

    For thresholds the fixed one is the greatest value: answers stay below ``alpha`` up to
    the planted value and exceed it from there on.

    >>> planted_value(domain_size=2**64, alpha=Fraction(1, 10), beta=Fraction(1, 10),
    ...               epsilon=Fraction(1)).n
    230
    """
    alpha = probability(alpha, name="alpha")
    if 2 * alpha >= 1:
        raise BadInput("this bound needs alpha below 1/2")
    changed = everything(
        alternatives=whole(domain_size, name="domain_size", least=1) - 1,
        beta=probability(beta, name="beta"),
        budget=Budget.of(epsilon=epsilon, delta=delta, relation=relation),
    )
    n = max(1, ceil((changed - 1) / (2 * alpha)))
    return SampleBound(n=n, claim=CLAIM, terms={"telling planted values apart": float(n)})


def _records(task: Task) -> SampleBound:
    accuracy = task.accuracy
    size = task.concept_class.domain.size
    return planted_value(
        domain_size=size, alpha=accuracy.alpha, beta=accuracy.beta, **privacy(task)
    )


LOWER_BOUNDS.add(
    LowerBound(
        name="planted value",
        applies=Speaks(classes=(Points, Thresholds), goal="sanitize", alpha=Fraction(1, 2)),
        claim=CLAIM,
        records=_records,
    )
)
