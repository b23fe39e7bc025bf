r"""Records to learn from a representation or protocol that was found (BBKN13 3.2, FX14 6 to 8)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from tacit.bounds.upper import selection
from tacit.core import BadInput, Claim, Relation, SampleBound, theorem
from tacit.core.numbers import exact, positive, probability, whole
from tacit.problems.protocols.communication_upper import majority_error
from tacit.problems.protocols.protocols_upper import protocol_records

__all__ = ["CLAIM", "found_records", "majority_error"]

CLAIM = Claim(
    paper="FX14",
    locator="Theorem 6",
    statement="from a representation of M hypotheses, error rho and failure b, selecting among "
    "copies of it (n_R or n_A at rho, |H| = k M, failure beta - b^k), or among majorities of t "
    "hypotheses as a protocol of error P[Bin(t, rho + b - rho b) >= t/2], learns the class",
    proof="problems/protocols/found.proof.md",
)

MOST_RULES = 1 << 16
_COPIES = range(1, 33)


@dataclass(frozen=True, slots=True)
class _Way:
    runs: int
    copies: int
    bound: SampleBound


@theorem(
    CLAIM,
    kind="upper",
    setting="any listed class with a representation or protocol; pure; all relations",
    formula=r"\min\{n(kM,\rho,\beta-b^k),\ n_{\rm protocol}(M^t,P[\mathrm{Bin}(t,e)\ge t/2])\}",
)
def found_records(
    *,
    rho: Fraction,
    miss: Fraction | int,
    hypotheses: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
    setting: str = "realizable",
    protocol: bool = False,
) -> SampleBound:
    """Records to learn from ``hypotheses`` of which one errs by at most ``rho`` except with
    probability ``miss``; of a ``protocol`` only the error ``miss`` at each input is known.

    >>> found_records(rho=Fraction(1, 20), miss=0, hypotheses=6, alpha=Fraction(1, 10),
    ...               beta=Fraction(1, 20), epsilon=Fraction(1)).choices["runs"]
    1
    """
    return _found(
        exact(rho, name="rho"),
        exact(miss, name="miss"),
        whole(hypotheses, name="hypotheses", least=1),
        probability(alpha, name="alpha"),
        probability(beta, name="beta"),
        positive(epsilon, name="epsilon"),
        relation,
        setting,
        protocol=protocol,
    )


@lru_cache(maxsize=1024)
def _found(
    rho: Fraction,
    miss: Fraction,
    count: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation,
    setting: str,
    *,
    protocol: bool,
) -> SampleBound:
    select = selection.realizable if setting == "realizable" else selection.agnostic

    def direct() -> Iterator[_Way]:
        for copies in _COPIES if miss else (1,):
            if protocol or rho >= alpha or miss**copies >= beta or copies * count > MOST_RULES:
                continue
            bound = select(
                size=copies * count,
                alpha=alpha,
                beta=beta - (miss**copies if miss else 0),
                epsilon=epsilon,
                relation=relation,
                rho=rho,
            )
            yield _Way(1, copies, bound)

    def majorities() -> Iterator[_Way]:
        one = miss if protocol else rho + miss - rho * miss
        runs = 1
        while 2 * one < 1 and count**runs <= MOST_RULES:
            error = majority_error(runs=runs, error=one)
            with suppress(BadInput):  # this many runs do not reach alpha
                yield from _from_protocol(runs, error)
            runs += 2

    def _from_protocol(runs: int, error: Fraction) -> Iterator[_Way]:
        if not miss:  # one set: some majority errs by at most this, whatever the law
            if error < alpha:
                bound = select(
                    size=count**runs,
                    alpha=alpha,
                    beta=beta,
                    epsilon=epsilon,
                    relation=relation,
                    rho=error,
                )
                yield _Way(runs, 1, bound)
            return
        bound = protocol_records(
            messages=count**runs,
            error=error,
            alpha=alpha,
            beta=beta,
            epsilon=epsilon,
            relation=relation,
            setting=setting,
        )
        if bound.choices["copies"] * count**runs <= MOST_RULES:
            yield _Way(runs, bound.choices["copies"], bound)

    ways = [*direct(), *majorities()]
    if not ways:
        raise BadInput(
            f"this representation errs too much for alpha: majorities of it that are good enough "
            f"are more than {MOST_RULES} rules; look for one of less error"
        )
    best = min(ways, key=lambda way: way.bound.n)
    return SampleBound(
        n=best.bound.n,
        claim=CLAIM,
        terms=best.bound.terms,
        choices={**best.bound.choices, "runs": best.runs, "copies": best.copies},
    )
