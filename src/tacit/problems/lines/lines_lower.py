"""Lines in the plane over a prime field: one answer is good for few lines."""

from __future__ import annotations

from fractions import Fraction

from tacit.bounds.lower.applies import privacy
from tacit.bounds.lower.packing import Budget, everything_at
from tacit.core import (
    LOWER_BOUNDS,
    BadInput,
    Claim,
    Condition,
    LowerBound,
    Relation,
    SampleBound,
    Speaks,
    Task,
    theorem,
)
from tacit.core.numbers import probability, whole
from tacit.problems.lines.lines import Lines

CLAIM = Claim(
    paper="FX14",
    locator="Theorem 2",
    statement="lines over Z_p have Littlestone dimension 2 but need (1/eps) ln(p (1-beta)/kappa) "
    "records, kappa = (2 alpha + 1/p)/(1 - 4 alpha - 1/p)^2; short proof by pairwise "
    "independence",
    proof="bounds/lower/packing.proof.md",
)


def share(*, p: int, alpha: Fraction) -> Fraction:
    """At most this share of the non-vertical lines has a given hypothesis as a good answer.

    A line's distribution is half uniform on the line, half uniform on the plane. A good
    answer covers a share of at least ``1 - 2 alpha`` of the line and at most ``2 alpha + 1/p``
    of the plane; Chebyshev's inequality for the ``p`` pairwise independent points of a
    random line bounds how often both hold.
    """
    room = 1 - 4 * alpha - Fraction(1, p)
    if room <= 0:
        raise BadInput("this bound needs alpha below (1 - 1/p)/4")
    return (2 * alpha + Fraction(1, p)) / room**2 / p


@theorem(
    CLAIM,
    kind="lower",
    setting="lines over Z_p; any answer; alpha < (1-1/p)/4; pure or approximate; records",
    formula=r"n\ge\tfrac1\epsilon\ln\tfrac{p(1-\beta)}{\kappa},\quad"
    r"\kappa=\tfrac{2\alpha+1/p}{(1-4\alpha-1/p)^2}",
)
def random_line(
    *,
    p: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records needed to learn the lines of ``Z_p x Z_p`` in any way.

    >>> random_line(p=2**61 - 1, alpha=Fraction(1, 20), beta=Fraction(1, 10),
    ...             epsilon=Fraction(1)).n
    45
    """
    beta = probability(beta, name="beta")
    room = share(p=whole(p, name="p", least=2), alpha=probability(alpha, name="alpha"))
    n = 1
    if room < 1:
        budget = Budget.of(epsilon=epsilon, delta=delta, relation=relation)
        n = everything_at(room=room, beta=beta, budget=budget)
    return SampleBound(n=n, claim=CLAIM, terms={"telling lines apart": float(n)})


def _prime(task: Task) -> int:
    family = task.concept_class
    return family.p if isinstance(family, Lines) else 1


LOW_ALPHA = Condition(
    "alpha below (1 - 1/p)/4",
    lambda task: 4 * task.accuracy.alpha < 1 - Fraction(1, _prime(task)),
)


def _records(task: Task) -> SampleBound:
    accuracy = task.accuracy
    return random_line(p=_prime(task), alpha=accuracy.alpha, beta=accuracy.beta, **privacy(task))


LOWER_BOUNDS.add(
    LowerBound(
        name="random line",
        applies=Speaks(classes=(Lines,), further=(LOW_ALPHA,)),
        claim=CLAIM,
        records=_records,
    )
)
