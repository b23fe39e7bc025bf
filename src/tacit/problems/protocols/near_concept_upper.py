r"""Agnostic learning by a representation: its size costs privacy, the VC dimension sampling."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tacit.bounds.formula import ln
from tacit.bounds.search import least
from tacit.core import BadInput, Claim, Relation, SampleBound, theorem
from tacit.core.numbers import exact, positive, probability, whole
from tacit.exact.balls import Ball, at, ball, certainly_less
from tacit.mechanisms.calibration import spread
from tacit.problems.finite import growth_functions

CLAIM = Claim(
    paper="own",
    locator="Theorem 2 of problems/protocols/near_concept.proof.md",
    statement="from a representation of M hypotheses and error rho, selecting h by "
    "min_c #{c(x) != h(x) or c(x) != y} comes within alpha of the best concept from "
    "O(ln M/(alpha epsilon) + (VC + ln(1/beta))/alpha^2) records up to logarithms: the bound of "
    "arXiv 2407.20640 with an algorithm, proof and constants of ours",
    proof="problems/protocols/near_concept.proof.md",
)
_PARTS = 4
_MOST_RECORDS = 1 << 60


@theorem(
    CLAIM,
    kind="upper",
    setting="any class with a representation; improper; agnostic; pure; all relations",
    formula=r"n(\alpha-\eta\sqrt\alpha)\ge\tfrac{w}{\epsilon}\ln\tfrac{4M}{\beta}"
    r"+\sqrt{2n\ln\Pi(n)}+\sqrt{2n\ln\tfrac4\beta}+k,\quad "
    r"\eta^2=\tfrac4n\ln\tfrac{16M\,\Pi(2n)}{\beta},\ k=\rho n+t",
)
def near_concept(
    *,
    hypotheses: int,
    rho: Fraction | int,
    vc: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    concepts: int | None = None,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records to come within ``alpha`` of the best of a class of VC dimension ``vc`` and, if that
    is known, of so many ``concepts``, by ``hypotheses`` of which one is within ``rho`` of each.

    >>> near_concept(hypotheses=2**200, rho=Fraction(1, 100), vc=1, alpha=Fraction(1, 10),
    ...              beta=Fraction(1, 20), epsilon=Fraction(1)).n
    36675
    """
    return _near_concept(
        whole(hypotheses, name="hypotheses", least=1),
        exact(rho, name="rho"),
        whole(vc, name="vc", least=0),
        concepts,
        probability(alpha, name="alpha"),
        probability(beta, name="beta"),
        positive(epsilon, name="epsilon") / spread(relation),
    )


@lru_cache(maxsize=1024)
def _near_concept(
    hypotheses: int,
    rho: Fraction,
    vc: int,
    concepts: int | None,
    alpha: Fraction,
    beta: Fraction,
    rate: Fraction,
) -> SampleBound:
    if not 0 <= rho < alpha:
        raise BadInput("rho must be at least 0 and below alpha")
    part = beta / _PARTS

    def growth(n: int) -> Ball:
        return ball(Fraction(growth_functions.sauer(vc)(n)))

    def together(n: int) -> Ball:
        """How far the mistakes of all concepts deviate from the best one's, by E1 of the proof."""
        by_growth = (2 * n * growth(n)).sqrt() + (2 * n * ln(1 / part)).sqrt()
        return (
            by_growth if concepts is None else by_growth.min((2 * n * ln(concepts / part)).sqrt())
        )

    def slack(n: int) -> Ball:
        """The square of eta, by E2 of the proof."""
        by_growth = 4 * (ln(hypotheses) + growth(2 * n) + ln(4 / part)) / n
        if concepts is None:
            return by_growth
        return by_growth.min(2 * (ln(hypotheses) + ln(concepts / part)) / n)

    def parts(n: int) -> dict[str, Ball]:
        confidence, mean = ln(1 / part), ball(rho * n)
        away = (confidence + (confidence**2 + 8 * mean * confidence).sqrt()) / 2
        return {
            "privacy": ln(hypotheses * (1 - part) / part) / ball(rate),
            "sampling": together(n),
            "hypotheses near concepts": n * (slack(n) * ball(alpha)).sqrt(),
            "representation": mean + away if rho else ball(0),
        }

    def holds(n: int) -> bool:
        return certainly_less(lambda: sum(parts(n).values(), ball(0)), lambda: ball(alpha * n))

    if not holds(_MOST_RECORDS):
        raise BadInput("this representation errs too much for alpha")
    n = least(holds, most=_MOST_RECORDS)
    with at(64):
        terms = {name: float(value) / float(alpha) for name, value in parts(n).items()}
    return SampleBound(n=n, claim=CLAIM, terms=terms)
