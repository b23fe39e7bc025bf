"""Points, proper: many distributions that look alike but allow one answer each."""

from __future__ import annotations

from fractions import Fraction

from tacit.bounds.lower import representations
from tacit.bounds.lower.applies import privacy
from tacit.bounds.lower.packing import Budget, packed, spread_out
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
from tacit.problems.points.points import Points

COROLLARY_3_8 = Claim(
    paper="BBKN13",
    locator="Corollary 3.8",
    statement="proper private learning of points needs (1/eps) ln((|C|-1)(1-beta)/beta) records",
    proof="bounds/lower/packing.proof.md",
)
LEMMA_3_9 = Claim(
    paper="BBKN13",
    locator="Lemma 3.9",
    statement="proper private learning of points needs n with (|C|-2) phi(n) <= beta, "
    "K ~ Bin(n, alpha): about (1/(alpha eps)) ln(|C|(1-beta)/beta), four times the printed proof",
    proof="bounds/lower/packing.proof.md",
)

SCATTERED = Claim(
    paper="own",
    locator="points, scattered zeros",
    statement="learning points over T values in any way needs n with phi(n) <= (floor(alpha (T-2)/"
    "(1-alpha)) + 1)/(T-1), K ~ Bin(n, alpha + (1-alpha)/(T-1)): about ln(1/alpha)/(alpha eps)",
    proof="bounds/lower/packing.proof.md",
)


@theorem(
    COROLLARY_3_8,
    kind="lower",
    setting="points; proper; realizable and agnostic; pure or approximate; records",
    formula=r"n\ge\frac1\epsilon\ln\frac{(|C|-1)(1-\beta)}{\beta}",
)
def one_point_each(
    *,
    size: int,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Every distribution is a single point, so all records differ; any ``alpha`` below 1.

    >>> one_point_each(size=2**64, beta=Fraction(1, 10), epsilon=Fraction(1)).n
    47
    """
    return representations.minimal(
        size=size,
        beta=beta,
        epsilon=epsilon,
        delta=delta,
        relation=relation,
        claim=COROLLARY_3_8,
    )


@theorem(
    LEMMA_3_9,
    kind="lower",
    setting="points; proper; realizable and agnostic; pure or approximate; records",
    formula=r"(|C|-2)\,\varphi(n)\le\beta,\quad \varphi(n)=\mathbb{E}[e^{-\epsilon K}]"
    r"\text{ less mass }\beta\text{ of the smallest }K,\ K\sim\mathrm{Bin}(n,\alpha)",
)
def rare_point(
    *,
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """The target has probability just above ``alpha``, the rest sits on one other point.

    >>> rare_point(size=2**64, alpha=Fraction(1, 10), beta=Fraction(1, 10),
    ...            epsilon=Fraction(1)).n
    520
    """
    n = packed(
        alternatives=whole(size, name="size", least=1) - 2,
        p=probability(alpha, name="alpha"),
        beta=probability(beta, name="beta"),
        budget=Budget.of(epsilon=epsilon, delta=delta, relation=relation),
    )
    return SampleBound(n=n, claim=LEMMA_3_9, terms={"telling rare points apart": float(n)})


@theorem(
    SCATTERED,
    kind="lower",
    setting="points; any answer; realizable and agnostic; pure or approximate; records",
    formula=r"\varphi(n)\le\tfrac{\lfloor\alpha(T-2)/(1-\alpha)\rfloor+1}{T-1},\quad "
    r"K\sim\mathrm{Bin}(n,\alpha+\tfrac{1-\alpha}{T-1})",
)
def scattered_zeros(
    *,
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """The target has probability just above ``alpha``, zeros are spread over all other values.

    An answer with few mistakes among the zeros can be 1 on few values, so it is good for few
    targets.

    >>> scattered_zeros(size=2**64, alpha=Fraction(1, 100), beta=Fraction(1, 10),
    ...                 epsilon=Fraction(1)).n
    542
    """
    size = whole(size, name="size", least=1)
    alpha, beta = probability(alpha, name="alpha"), probability(beta, name="beta")
    budget = Budget.of(epsilon=epsilon, delta=delta, relation=relation)
    n = 1
    if size > 3:
        values = size - 1
        room = Fraction(int(alpha * (values - 1) / (1 - alpha)) + 1, values)
        p = alpha + (1 - alpha) / values
        n = spread_out(room=room, p=p, beta=beta, budget=budget)
    return SampleBound(n=n, claim=SCATTERED, terms={"telling rare points apart": float(n)})


def _scattered_zeros(task: Task) -> SampleBound:
    accuracy = task.accuracy
    size = task.concept_class.size or 0
    return scattered_zeros(size=size, alpha=accuracy.alpha, beta=accuracy.beta, **privacy(task))


def _rare_point(task: Task) -> SampleBound:
    accuracy = task.accuracy
    size = task.concept_class.size or 0
    return rare_point(size=size, alpha=accuracy.alpha, beta=accuracy.beta, **privacy(task))


def _one_point_each(task: Task) -> SampleBound:
    size = task.concept_class.size or 0
    return one_point_each(size=size, beta=task.accuracy.beta, **privacy(task))


LOWER_BOUNDS.add(
    LowerBound(
        name="rare point",
        applies=Speaks(classes=(Points,), proper=True),
        claim=LEMMA_3_9,
        records=_rare_point,
    )
)
LOWER_BOUNDS.add(
    LowerBound(
        name="one point each",
        applies=Speaks(classes=(Points,), proper=True),
        claim=COROLLARY_3_8,
        records=_one_point_each,
    )
)
LOWER_BOUNDS.add(
    LowerBound(
        name="scattered zeros",
        applies=Speaks(classes=(Points,)),
        claim=SCATTERED,
        records=_scattered_zeros,
    )
)
