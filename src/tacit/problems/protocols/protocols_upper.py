r"""From protocols to records and back (FX14 Theorem 7).

A protocol that errs by ``e`` on every concept and value comes, under one draw of its coins,
within ``rho`` of a concept except with probability ``e / rho`` (Markov), whatever the
distribution; ``k`` copies all fail with probability ``(e / rho)^k``. FX14 use one copy of a
protocol with error ``rho * failure`` instead, which costs more rules.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tacit.bounds.upper import selection
from tacit.core import BadInput, Claim, Relation, SampleBound, theorem
from tacit.core.numbers import exact, positive, probability, whole

_COPIES = range(1, 25)
_SHARES = tuple(Fraction(1, 1 << i) * f for i in range(8) for f in (Fraction(3, 4), Fraction(1, 2)))

THEOREM_7 = Claim(
    paper="FX14",
    locator="Theorem 7",
    statement="k copies of a one-way protocol with M messages and error e represent to within "
    "rho except with probability (e/rho)^k, so n_R or n_A with |H| = k M at failure "
    "beta - (e/rho)^k records suffice",
    proof="problems/protocols/protocol.proof.md",
)


@theorem(
    THEOREM_7,
    kind="upper",
    setting="any class with a one-way protocol; realizable and agnostic; pure; all relations",
    formula=r"\min_{k,\rho} n_R(kM,\alpha,\beta-(e/\rho)^k,\rho)",
)
def protocol_records(
    *,
    messages: int,
    error: Fraction | int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
    setting: str = "realizable",
) -> SampleBound:
    """Records to learn whatever a protocol computes; ``choices["copies"]`` of its coins."""
    return _protocol_records(
        messages=whole(messages, name="messages", least=1),
        error=exact(error, name="error"),
        alpha=probability(alpha, name="alpha"),
        beta=probability(beta, name="beta"),
        epsilon=positive(epsilon, name="epsilon"),
        relation=relation,
        setting=setting,
    )


@lru_cache(maxsize=1024)
def _protocol_records(
    *,
    messages: int,
    error: Fraction,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation,
    setting: str,
) -> SampleBound:
    bound = selection.realizable if setting == "realizable" else selection.agnostic
    best: SampleBound | None = None
    for copies in _COPIES if error else (1,):
        for share in _SHARES if error else (Fraction(0),):
            rho = share * alpha
            miss = (error / rho) ** copies if error else Fraction(0)
            if miss >= beta:
                continue
            inner = bound(
                size=copies * messages,
                alpha=alpha,
                beta=beta - miss,
                epsilon=epsilon,
                relation=relation,
                rho=rho,
            )
            if best is None or inner.n < best.n:
                choices = {"copies": copies, "rho": rho, **inner.choices}
                best = SampleBound(n=inner.n, claim=THEOREM_7, terms=inner.terms, choices=choices)
    if best is None:
        raise BadInput("the protocol errs too much for this alpha and beta: repeat it first")
    return best
