"""Packings of hypotheses in the metric of disagreement (label privacy, infinite classes)."""

from __future__ import annotations

from fractions import Fraction

from tacit.bounds.formula import ln, numbers
from tacit.bounds.lower.applies import ALL, privacy
from tacit.bounds.lower.packing import Budget, everything, packed
from tacit.core import (
    LOWER_BOUNDS,
    BadInput,
    Claim,
    Condition,
    LowerBound,
    Relation,
    SampleBound,
    Speaks,
    Status,
    Task,
    theorem,
)
from tacit.core.numbers import exact, positive, probability, whole
from tacit.domains.references import Reference
from tacit.exact.balls import Ball, ball, below
from tacit.problems.reals.halfspaces import Halfspaces
from tacit.problems.reals.real_boxes import RealBoxes, RealIntervals
from tacit.problems.reals.real_thresholds import RealThresholds

PROOF = "bounds/lower/packing.proof.md"

THEOREM_5 = Claim(
    paper="CH11",
    locator="Theorem 5",
    statement="proper private learning of K packed thresholds on [0,1] needs "
    "(1/eps) ln((K-1)(1-beta)/beta) records, and K is unbounded: no number suffices for all "
    "distributions",
    proof=PROOF,
)
LEMMA_11 = Claim(
    paper="CH11",
    locator="Lemma 11",
    statement="with m < ln(|P|/2 - 1)/(8 eps s) records, half of an s-packing P of a ball of "
    "radius 4s is missed by s/2 with probability at least 1/2 (printed: at most)",
    proof=PROOF,
)
THEOREM_10 = Claim(
    paper="CH11",
    locator="Theorem 10",
    statement="label-private proper learning with alpha < D/(144*31 V ln(186/D)) and "
    "eps <= ln(2^(d'-1) - 1)/(32*31 V ln(31/alpha)) fails with probability 1/8 below "
    "ln(2^(d-1) - 1)/(32 eps alpha) records, d the doubling dimension at scale 12 alpha",
    status=Status.CITED,
)
THEOREM_12 = Claim(
    paper="CH11",
    locator="Theorem 12",
    statement="label-private proper learning needs (1/eps) ln((|P|-1)(1-beta)/beta) records, P a "
    "2 alpha-packing of the class",
    proof=PROOF,
)
SECTION_5_2 = Claim(
    paper="CH11",
    locator="Section 5.2",
    statement="halfspaces through the origin of R^d under the uniform law need n with "
    "(P-1) phi(n) <= beta, K ~ Bin(n, 4 alpha), P = 2 (2 cos(2 pi alpha))^(d-2): label-private "
    "learning, about d/(alpha eps)",
    proof=PROOF,
)
SMALL_INTERVALS = Claim(
    paper="own",
    locator="small intervals, in the place of CH11 Theorem 10",
    statement="intervals and boxes under the uniform law need n with (P-1) phi(n) <= beta, "
    "K ~ Bin(n, 2 alpha), P = ceil(1/alpha) - 1: about ln(1/(alpha beta))/(2 alpha eps), whatever "
    "the answer, for label privacy too",
    proof=PROOF,
)
LEMMA_25 = Claim(
    paper="CH11",
    locator="Lemma 25",
    statement="a ball of radius r < 1 of halfspaces in R^n has an r/2-packing of size "
    "2 (2 cos(pi r/2))^(n-2), 2^(n-1) for small r; the printed 2^(n-2) is false for large r",
    proof=PROOF,
)


@theorem(
    THEOREM_5,
    kind="lower",
    setting="thresholds on [0,1]; proper; pure or approximate; records",
    formula=r"n\ge\tfrac1\epsilon\ln\tfrac{(K-1)(1-\beta)}\beta\ \text{for every}\ K",
)
def packed_thresholds(
    *,
    packing: int,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records needed when ``packing`` distributions each allow thresholds of their own only."""
    n = everything(
        alternatives=whole(packing, name="packing", least=1) - 1,
        beta=probability(beta, name="beta"),
        budget=Budget.of(epsilon=epsilon, delta=delta, relation=relation),
    )
    return SampleBound(n=n, claim=THEOREM_5, terms={"telling thresholds apart": float(n)})


@theorem(
    THEOREM_12,
    kind="lower",
    setting="any class; proper; one marginal; label privacy (hence records too)",
    formula=r"n\ge\tfrac1\epsilon\ln\tfrac{(|P|-1)(1-\beta)}\beta",
)
def packed_hypotheses(
    *, packing: int, beta: Fraction, epsilon: Fraction, delta: Fraction | int = 0
) -> SampleBound:
    """Records needed when ``packing`` hypotheses are pairwise more than ``2 alpha`` apart.

    Only labels differ between their samples, so label privacy is bound as well.

    >>> packed_hypotheses(packing=1000, beta=Fraction(1, 10), epsilon=Fraction(1)).n
    10
    """
    n = everything(
        alternatives=whole(packing, name="packing", least=1) - 1,
        beta=probability(beta, name="beta"),
        budget=Budget.of(epsilon=epsilon, delta=delta, relation=Relation.LABEL),
    )
    return SampleBound(n=n, claim=THEOREM_12, terms={"telling hypotheses apart": float(n)})


@theorem(
    LEMMA_11,
    kind="lower",
    setting="any class; proper; fixed records; label privacy; failure 1/2",
    formula=r"m\ge\tfrac{\ln(|P|/2-1)}{8\epsilon s}",
)
def packed_ball(*, packing: int, scale: Fraction, epsilon: Fraction) -> SampleBound:
    """Records below which half of an ``s``-packing is missed by ``s/2``."""
    packing = whole(packing, name="packing", least=1)
    scale, epsilon = positive(scale, name="scale"), positive(epsilon, name="epsilon")
    n = 1
    if packing > 4:
        odds = Fraction(packing, 2) - 1
        n = max(1, -int(-below(lambda: ln(odds) / ball(8 * epsilon * scale)) // 1))
    return SampleBound(n=n, claim=LEMMA_11, terms={"telling hypotheses apart": float(n)})


@theorem(
    THEOREM_10,
    kind="lower",
    setting="VC dimension V, doubling dimension d; proper; label privacy; failure 1/8",
    formula=r"m\ge\tfrac{\ln(2^{d-1}-1)}{32\epsilon\alpha}",
)
def doubling(
    *,
    dimension: int,
    least_dimension: int,
    vc: int,
    diameter: Fraction,
    alpha: Fraction,
    epsilon: Fraction,
) -> SampleBound:
    """Records needed for failure below 1/8, if ``alpha`` and ``epsilon`` are small enough.

    ``dimension`` is the doubling dimension at scale ``12 alpha``, ``least_dimension`` the
    least one at all greater scales.
    """
    alpha, epsilon = numbers(alpha=alpha, epsilon=epsilon)
    diameter = exact(diameter, name="diameter")
    d, least = (
        whole(dimension, name="dimension", least=1),
        whole(least_dimension, name="d", least=1),
    )
    vc = whole(vc, name="vc", least=1)
    if d <= 2 or least <= 2 or not 0 < diameter <= 1:
        raise BadInput("Theorem 10 needs doubling dimensions above 2 and a diameter in (0, 1]")
    widest = below(lambda: ball(diameter) / (144 * 31 * vc * ln(186 / diameter)))
    gentlest = below(lambda: ln((1 << (least - 1)) - 1) / (32 * 31 * vc * ln(31 / alpha)))
    if alpha >= widest or epsilon > gentlest:
        raise BadInput("Theorem 10 speaks only of smaller alpha and epsilon")

    def records() -> Ball:
        return ln((1 << (d - 1)) - 1) / ball(32 * epsilon * alpha)

    n = max(1, -int(-below(records) // 1))
    return SampleBound(n=n, claim=THEOREM_10, terms={"telling hypotheses apart": float(n)})


@theorem(
    LEMMA_25,
    kind="fact",
    setting="halfspaces through the origin of R^n; uniform distribution on the sphere",
    formula=r"|P|\ge2\bigl(2\cos\tfrac{\pi r}2\bigr)^{n-2}",
)
def halfspace_packing(*, dimension: int, radius: Fraction) -> int:
    """Halfspaces within ``radius`` of a given one, pairwise more than half of it apart.

    >>> halfspace_packing(dimension=10, radius=Fraction(1, 100)), 2**8
    (512, 256)
    """
    dimension = whole(dimension, name="dimension", least=2)
    radius = probability(radius, name="radius")

    def size() -> Ball:
        return 2 * (2 * (ball(radius) / 2).cos_pi()) ** (dimension - 2)

    # A packing of size at least x has a whole number of members.
    return max(1, -int(-below(size) // 1))


@theorem(
    SECTION_5_2,
    kind="lower",
    setting="halfspaces through the origin; uniform law on the sphere; any answer; every relation",
    formula=r"(P-1)\,\varphi(n)\le\beta,\ K\sim\mathrm{Bin}(n,4\alpha),\ "
    r"P=2(2\cos2\pi\alpha)^{d-2}",
)
def packed_halfspaces(
    *,
    dimension: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.LABEL,
) -> SampleBound:
    """Records to learn halfspaces: those near a given one are many, and only labels differ.

    >>> packed_halfspaces(dimension=20, alpha=Fraction(1, 100), beta=Fraction(1, 10),
    ...                   epsilon=Fraction(1)).n > 300
    True
    """
    alpha = probability(alpha, name="alpha")
    if 4 * alpha >= 1:
        raise BadInput("this bound needs alpha below 1/4")
    n = packed(
        alternatives=halfspace_packing(dimension=dimension, radius=4 * alpha) - 1,
        p=4 * alpha,
        beta=probability(beta, name="beta"),
        budget=Budget.of(epsilon=epsilon, delta=delta, relation=relation),
    )
    return SampleBound(n=n, claim=SECTION_5_2, terms={"telling halfspaces apart": float(n)})


@theorem(
    SMALL_INTERVALS,
    kind="lower",
    setting="intervals and boxes over the reals; uniform law; any answer; every relation",
    formula=r"(P-1)\,\varphi(n)\le\beta,\ K\sim\mathrm{Bin}(n,2\alpha),\ P=\lceil1/\alpha\rceil-1",
)
def small_intervals(
    *,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.LABEL,
) -> SampleBound:
    """Records to learn intervals: short ones are many, and their labels differ on few records.

    >>> small_intervals(alpha=Fraction(1, 100), beta=Fraction(1, 20), epsilon=Fraction(1)).n
    486
    """
    alpha = probability(alpha, name="alpha")
    n = packed(
        alternatives=int(-(-1 // alpha)) - 2,
        p=min(2 * alpha, Fraction(1)),
        beta=probability(beta, name="beta"),
        budget=Budget.of(epsilon=epsilon, delta=delta, relation=relation),
    )
    return SampleBound(n=n, claim=SMALL_INTERVALS, terms={"telling intervals apart": float(n)})


_REALS = (RealThresholds, RealIntervals, RealBoxes)


def _uniform_possible(task: Task) -> bool:
    # Whether the uniform law is among those that a learner must cope with.
    marginal = task.marginal
    if isinstance(marginal, Reference):
        return marginal.name == "uniform"
    return marginal in ("any", "uniform")


UNIFORM = Condition(
    "any or the uniform distribution of features",
    _uniform_possible,
    says=lambda _task: "is about the uniform law",
)


def _cuts(task: Task) -> SampleBound:
    # Cuts pairwise more than 2 alpha apart on [0, 1]: ceil(1/(2 alpha)); boxes contain them.
    many = -(-1 // (2 * task.accuracy.alpha))
    found = everything(
        alternatives=int(many) - 1,
        beta=task.accuracy.beta,
        budget=Budget.of(**privacy(task)),
    )
    return SampleBound(n=found, claim=THEOREM_12, terms={"telling hypotheses apart": float(found)})


def _halfspaces(task: Task) -> SampleBound:
    dimension: int = task.concept_class.columns  # type: ignore[attr-defined]
    return packed_halfspaces(dimension=dimension, **task.asked("alpha", "beta"), **privacy(task))


def _impossible(task: Task) -> SampleBound:
    bound = packed_thresholds(packing=1 << 64, beta=task.accuracy.beta, **privacy(task))
    return SampleBound(n=bound.n, claim=THEOREM_5, terms=bound.terms, impossible=True)


LOWER_BOUNDS.add(
    LowerBound(
        name="packed hypotheses",
        applies=Speaks(
            classes=_REALS, alpha=Fraction(1, 2), relations=ALL, marginals=(), further=(UNIFORM,)
        ),
        claim=THEOREM_12,
        records=_cuts,
    )
)
LOWER_BOUNDS.add(
    LowerBound(
        name="small intervals",
        applies=Speaks(
            classes=(RealIntervals, RealBoxes),
            alpha=Fraction(1, 2),
            relations=ALL,
            marginals=(),
            further=(UNIFORM,),
        ),
        claim=SMALL_INTERVALS,
        records=lambda task: small_intervals(**task.asked("alpha", "beta"), **privacy(task)),
    )
)
LOWER_BOUNDS.add(
    LowerBound(
        name="packed halfspaces",
        applies=Speaks(
            classes=(Halfspaces,),
            alpha=Fraction(1, 4),
            relations=ALL,
            marginals=(),
            further=(UNIFORM,),
        ),
        claim=SECTION_5_2,
        records=_halfspaces,
    )
)
LOWER_BOUNDS.add(
    LowerBound(
        name="no number suffices",
        applies=Speaks(classes=(*_REALS, Halfspaces), pure=True, alpha=Fraction(1, 2)),
        claim=THEOREM_5,
        records=_impossible,
    )
)
