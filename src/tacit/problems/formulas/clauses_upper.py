r"""DNF formulas of few terms through noisy counts of clauses (BBKN13 Observation 2.7).

``m`` clauses, of which one record makes ``B`` false; noise of scale ``w B / eps``, ``w`` the
spread of the relation. A clause is kept if its noisy count of positive records that
make it false is at most ``t``. See ``problems/formulas/clause_learner.proof.md``.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import comb

from tacit.core import Claim, Relation, SampleBound, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.exact.balls import Ball, ball, ceiling
from tacit.mechanisms.calibration import clause_sensitivity

OBSERVATION_2_7 = Claim(
    paper="BBKN13",
    locator="Observation 2.7",
    statement="k-term DNF formulas are learned efficiently by k-CNF formulas from noisy counts "
    "of clauses: n = (ln(2m/beta) + s t + ln E e^(sZ)) / -ln(1 - (alpha/m)(1 - e^-s)) records, "
    "m = C(v,k) 2^k",
    proof="problems/formulas/clause_learner.proof.md",
)

_TILTS = range(1, 16)


@theorem(
    OBSERVATION_2_7,
    kind="upper",
    setting="DNF of k terms; improper (k-CNF); realizable; pure; all relations",
    formula=r"n=\min_{s}\frac{\ln(2m/\beta)+st+\ln\mathbb{E}e^{sZ}}"
    r"{-\ln(1-\frac{\alpha}{m}(1-e^{-s}))},\quad m\,P[Z>t]\le\beta/2",
)
def k_term_dnf(
    *,
    variables: int,
    terms: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records to learn a DNF formula of ``terms`` terms over ``variables`` bits.

    >>> k_term_dnf(variables=4, terms=2, alpha=Fraction(1, 10), beta=Fraction(1, 20),
    ...            epsilon=Fraction(1)).n
    46795
    """
    return _k_term_dnf(
        variables=whole(variables, name="variables", least=1),
        terms=whole(terms, name="terms", least=1),
        alpha=probability(alpha, name="alpha"),
        beta=probability(beta, name="beta"),
        epsilon=positive(epsilon, name="epsilon"),
        relation=relation,
    )


@lru_cache(maxsize=256)
def _k_term_dnf(
    *,
    variables: int,
    terms: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation,
) -> SampleBound:
    width = min(terms, variables)
    clauses = comb(variables, width) << width
    moved = clause_sensitivity(variables=variables, terms=terms, relation=relation)
    scale = moved / epsilon

    def excess() -> Ball:
        # m r^(t+1)/(1+r) <= beta/2, r = exp(-1/scale)
        shrink = (-1 / ball(scale)).exp()
        return (ball(2 * clauses / beta) / (1 + shrink)).log() * ball(scale) - 1

    threshold = max(0, ceiling(excess))
    n = min(_records(i, clauses, threshold, scale, alpha, beta) for i in _TILTS)
    return SampleBound(
        n=n,
        claim=OBSERVATION_2_7,
        terms={"clauses": float(clauses), "noise": float(threshold * clauses / alpha)},
        choices={"threshold": threshold},
    )


def _records(
    tilt: int, clauses: int, threshold: int, scale: Fraction, alpha: Fraction, beta: Fraction
) -> int:
    s = Fraction(tilt, 16) / scale

    def needed() -> Ball:
        shrink, grow = (-1 / ball(scale)).exp(), ball(s).exp()
        moment = (1 - shrink) ** 2 / ((1 - shrink * grow) * (1 - shrink / grow))
        log_chance = ball(2 * clauses / beta).log() + ball(s * threshold) + moment.log()
        return log_chance / -(ball(alpha / clauses) * (-ball(s)).expm1()).log1p()

    return max(1, ceiling(needed))
