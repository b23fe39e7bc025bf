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
    3
    """
    asked = _Asked(
        exact(rho, name="rho"),
        exact(miss, name="miss"),
        whole(hypotheses, name="hypotheses", least=1),
        probability(alpha, name="alpha"),
        probability(beta, name="beta"),
        positive(epsilon, name="epsilon"),
        relation,
        setting,
        protocol,
    )
    return _found(asked)


@dataclass(frozen=True, slots=True)
class _Asked:
    """What was found, and what is asked of it."""

    rho: Fraction
    miss: Fraction
    count: int
    alpha: Fraction
    beta: Fraction
    epsilon: Fraction
    relation: Relation
    setting: str
    protocol: bool

    def select(self, *, size: int, beta: Fraction, rho: Fraction) -> SampleBound:
        """Records to select from ``size`` hypotheses of which one errs by at most ``rho``."""
        bound = selection.realizable if self.setting == "realizable" else selection.agnostic
        return bound(
            size=size,
            alpha=self.alpha,
            beta=beta,
            epsilon=self.epsilon,
            relation=self.relation,
            rho=rho,
        )

    def direct(self) -> Iterator[_Way]:
        """Copies of what was found, as it is."""
        for copies in _COPIES if self.miss else (1,):
            failure = self.miss**copies if self.miss else Fraction(0)
            size = copies * self.count
            if self.protocol or self.rho >= self.alpha or failure >= self.beta or size > MOST_RULES:
                continue
            bound = self.select(size=size, beta=self.beta - failure, rho=self.rho)
            yield _Way(1, copies, bound)

    def majorities(self) -> Iterator[_Way]:
        """Majorities of more and more hypotheses, while they can be listed."""
        one = self.miss if self.protocol else self.rho + self.miss - self.rho * self.miss
        runs = 1
        while 2 * one < 1 and self.count**runs <= MOST_RULES:
            error = majority_error(runs=runs, error=one)
            with suppress(BadInput):  # this many runs do not reach alpha
                yield from self._majority(runs, error)
            runs += 2

    def _majority(self, runs: int, error: Fraction) -> Iterator[_Way]:
        size = self.count**runs
        if not self.miss:  # one set: some majority errs by at most this, whatever the law
            if error < self.alpha:
                yield _Way(runs, 1, self.select(size=size, beta=self.beta, rho=error))
            return
        bound = protocol_records(
            messages=size,
            error=error,
            alpha=self.alpha,
            beta=self.beta,
            epsilon=self.epsilon,
            relation=self.relation,
            setting=self.setting,
        )
        if bound.choices["copies"] * size <= MOST_RULES:
            yield _Way(runs, bound.choices["copies"], bound)


@lru_cache(maxsize=1024)
def _found(asked: _Asked) -> SampleBound:
    ways = [*asked.direct(), *asked.majorities()]
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
