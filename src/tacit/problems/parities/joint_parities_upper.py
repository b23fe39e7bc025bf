r"""Parities under the uniform distribution: select all ``k`` at once, pure privacy.

Score a vector of ``k`` parities by the records on which *any* of them is wrong. Two
vectors whose difference has rank ``r`` over the field of two elements disagree on a
uniform record with probability ``1 - 2**-r``, so wrong vectors are counted by rank.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tacit.bounds.formula import numbers
from tacit.bounds.matrices import by_rank
from tacit.bounds.search import least
from tacit.bounds.upper.selection import check_selector
from tacit.core import Claim, Relation, SampleBound, theorem
from tacit.core.numbers import whole
from tacit.exact.balls import Ball, ball, certainly_less
from tacit.mechanisms.calibration import spread

CLAIM = Claim(
    paper="own",
    locator="joint parities",
    statement="k parities of d bits under the uniform distribution are found exactly once "
    "sum_r M(r) (1 - (1-2^-r)(1-e^-rate))^n <= beta, M(r) the d x k matrices of rank r",
    proof="bounds/upper/selection.proof.md",
)


_RANKS = 40


@theorem(
    CLAIM,
    kind="upper",
    setting="k parities; uniform distribution; realizable; pure; all relations",
    formula=r"\sum_{r\ge1}M_{d,k}(r)\,\bigl(1-(1-2^{-r})(1-e^{-\lambda})\bigr)^n\le\beta",
)
def exact_recovery(
    *,
    bits: int,
    k: int,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
    selector: str = "exponential",
) -> SampleBound:
    """Records to find ``k`` parities of ``bits`` bits exactly; hence for every ``alpha``.

    >>> exact_recovery(bits=64, k=1, beta=Fraction(1, 10), epsilon=Fraction(1)).n
    214
    """
    beta, epsilon = numbers(beta=beta, epsilon=epsilon)
    return _exact_recovery(
        bits=whole(bits, name="bits", least=1),
        k=whole(k, name="k", least=1),
        beta=beta,
        epsilon=epsilon,
        relation=relation,
        selector=check_selector(selector),
    )


@lru_cache(maxsize=1024)
def _exact_recovery(
    *, bits: int, k: int, beta: Fraction, epsilon: Fraction, relation: Relation, selector: str
) -> SampleBound:
    rate = epsilon / spread(relation)
    counts = _counts(bits, k)
    room = 2 * beta if selector == "permute-and-flip" else beta

    def wrong(n: int) -> Ball:
        hit = -ball(-rate).expm1()
        total = ball(0)
        for rank, count in enumerate(counts[1:], start=1):
            total += count * (1 - hit * ball(1 - Fraction(1, 1 << rank))) ** n
        return total

    n = least(lambda m: certainly_less(lambda: wrong(m), lambda: ball(room)))
    return SampleBound(
        n=n,
        claim=CLAIM,
        terms={"choice among vectors": float(n)},
        choices={"epsilon": epsilon, "selector": selector},
    )


def _counts(bits: int, k: int) -> tuple[int, ...]:
    # Beyond this rank two vectors disagree on all but 2^-40 of the records, so all of them
    # are counted at that rank: a little more than the truth.
    if min(bits, k) <= _RANKS:
        return by_rank(rows=bits, columns=k)
    return (*by_rank(rows=bits, columns=k, most=_RANKS), 1 << (bits * k))
