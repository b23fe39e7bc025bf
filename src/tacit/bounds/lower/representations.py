"""Classes in which every concept is the only good answer somewhere, and their size."""

from __future__ import annotations

from fractions import Fraction

from tacit.bounds.lower.packing import Budget, everything, everything_at, spread_out
from tacit.core import BadInput, Claim, Relation, SampleBound, theorem
from tacit.core.numbers import probability, whole
from tacit.exact.balls import above, ball

THEOREM_3_6 = Claim(
    paper="BBKN13",
    locator="Theorem 3.6",
    statement="learning with an alpha-minimal representation of size |H| needs "
    "(1/eps) ln((|H|-1)(1-beta)/beta) records",
    proof="bounds/lower/packing.proof.md",
)
LEMMA_3_10 = Claim(
    paper="BBKN13",
    locator="Lemma 3.10",
    statement="every class that alpha-represents the points of d bits, alpha < 1/2, has at "
    "least d hypotheses",
    proof="bounds/lower/packing.proof.md",
)
FX14_6_LOWER = Claim(
    paper="FX14",
    locator="Theorem 6 (lower)",
    statement="if every random representation of error a and failure b has at least s hypotheses, "
    "learning to alpha <= a needs n with phi(n) <= 1 - b^(1/T), T = ceil(s/2) - 1, "
    "K ~ Bin(n, alpha/a): about ln(s)/eps a/alpha records",
    proof="bounds/lower/packing.proof.md",
)


@theorem(
    THEOREM_3_6,
    kind="lower",
    setting="alpha-minimal representations; realizable and agnostic; pure or approximate; records",
    formula=r"n\ge\frac1\epsilon\ln\frac{(|H|-1)(1-\beta)}{\beta}",
)
def minimal(
    *,
    size: int,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
    claim: Claim = THEOREM_3_6,
) -> SampleBound:
    """``size`` hypotheses, each the only good answer for some concept and distribution.

    >>> minimal(size=1000, beta=Fraction(1, 10), epsilon=Fraction(1, 2)).n
    19
    """
    n = everything(
        alternatives=whole(size, name="size", least=1) - 1,
        beta=probability(beta, name="beta"),
        budget=Budget.of(epsilon=epsilon, delta=delta, relation=relation),
    )
    return SampleBound(n=n, claim=claim, terms={"telling concepts apart": float(n)})


@theorem(
    LEMMA_3_10,
    kind="fact",
    setting="points of d bits; alpha < 1/2",
    formula=r"|H|\ge d",
)
def representation_size(*, bits: int) -> int:
    """Two points that the class separates must be separated by the representation.

    >>> representation_size(bits=64)
    64
    """
    return whole(bits, name="bits", least=1)


@theorem(
    FX14_6_LOWER,
    kind="lower",
    setting="any class; random representations; any answer; pure or approximate; records",
    formula=r"\varphi(n)\le1-b^{1/T},\ T=\lceil s/2\rceil-1,\ K\sim\mathrm{Bin}(n,\alpha/a)",
)
def random_representation(
    *,
    size: int,
    error: Fraction,
    failure: Fraction,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records needed where every random representation has ``size`` hypotheses or more.

    ``error`` and ``failure`` are those of the representation (a quarter each in the paper), as
    ``tacit dims --only probabilistic`` computes and certifies them.

    >>> quarter = dict(error=Fraction(1, 4), failure=Fraction(1, 4))
    >>> asked = dict(beta=Fraction(1, 10), epsilon=Fraction(1))
    >>> [random_representation(size=2**16, alpha=alpha, **quarter, **asked).n
    ...  for alpha in (Fraction(1, 4), Fraction(1, 40))]
    [10, 117]
    """
    size = whole(size, name="size", least=1)
    error, failure = probability(error, name="error"), probability(failure, name="failure")
    alpha, beta = probability(alpha, name="alpha"), probability(beta, name="beta")
    if alpha > error:
        raise BadInput("alpha must be at most the error of the representation")
    runs = (size + 1) // 2 - 1
    n = 1
    if runs > 0:
        budget = Budget.of(epsilon=epsilon, delta=delta, relation=relation)
        # A little more room than the truth: a lower bound rounds down.
        room = above(lambda: 1 - (ball(failure).log() / runs).exp())
        p = alpha / error
        if p == 1:
            n = everything_at(room=room, beta=beta, budget=budget)
        else:
            n = spread_out(room=room, p=p, beta=beta, budget=budget)
    return SampleBound(n=n, claim=FX14_6_LOWER, terms={"a learner is a representation": float(n)})
