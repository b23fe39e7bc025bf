"""Parities under the uniform distribution: the records stay, only labels change."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tacit.bounds.lower.applies import ALL, privacy
from tacit.bounds.lower.packing import Budget, everything, scaled_phi
from tacit.bounds.matrices import by_rank
from tacit.bounds.search import greatest
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
from tacit.exact.balls import ball, below
from tacit.problems.parities.parities import Parities

CLAIM = Claim(
    paper="BNS19",
    locator="Theorem 55",
    statement="k parities of d bits under the uniform distribution, alpha < 1/4, need n with "
    "sum_r M(r) phi_r(n) <= beta, K ~ Bin(n, 1-2^-r), M(r) the d x k matrices of rank r; "
    "printed: Omega(kd/eps)",
    proof="bounds/lower/packing.proof.md",
)

EQUATIONS = Claim(
    paper="own",
    locator="parities, too few equations",
    statement="learning a parity of d bits to within alpha < 1/4 under the uniform distribution "
    "needs d - log2(1/(1-beta)) records, with or without privacy, for any number of tasks",
    proof="bounds/lower/packing.proof.md",
)

_RANKS = 40
_MOST_CELLS = 1 << 16
"""Matrices of more cells are not counted by their rank: the numbers would be too long."""


@theorem(
    EQUATIONS,
    kind="lower",
    setting="parities; uniform distribution or any; alpha < 1/4; any answer; any privacy",
    formula=r"n\ge d-\log_2\tfrac1{1-\beta}",
)
def equations(*, bits: int, alpha: Fraction, beta: Fraction) -> SampleBound:
    """Fewer equations than bits leave several parities, and no answer is close to two.

    >>> equations(bits=64, alpha=Fraction(1, 10), beta=Fraction(1, 10)).n
    64
    """
    if 4 * probability(alpha, name="alpha") >= 1:
        raise BadInput("this bound needs alpha below 1/4")
    bits = whole(bits, name="bits", least=1)
    beta = probability(beta, name="beta")
    # 2^(n-d) >= 1 - beta, in whole numbers.
    n = bits
    while n > 1 and Fraction(1, 1 << (bits - n + 1)) >= 1 - beta:
        n -= 1
    return SampleBound(n=n, claim=EQUATIONS, terms={"equations": float(n)})


@theorem(
    CLAIM,
    kind="lower",
    setting="k parities; uniform distribution; alpha < 1/4; any answer; every relation",
    formula=r"\sum_{r}M_{d,k}(r)\,\varphi_r(n)\le\beta,\quad K\sim\mathrm{Bin}(n,1-2^{-r})",
)
def relabelled(
    *,
    bits: int,
    k: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Two vectors of parities whose difference has rank ``r`` agree on a record with
    probability ``2**-r``; then even its labels stay.

    >>> relabelled(bits=64, k=1, alpha=Fraction(1, 10), beta=Fraction(1, 10),
    ...            epsilon=Fraction(1)).n
    100
    """
    if 4 * probability(alpha, name="alpha") >= 1:
        raise BadInput("this bound needs alpha below 1/4")
    return _relabelled(
        whole(bits, name="bits", least=1),
        whole(k, name="k", least=1),
        probability(beta, name="beta"),
        Budget.of(epsilon=epsilon, delta=delta, relation=relation),
    )


@lru_cache(maxsize=1024)
def _relabelled(bits: int, k: int, beta: Fraction, budget: Budget) -> SampleBound:
    # Fewer tasks are part of more: with delta a larger family may prove less.
    n = 1
    for tasks in sorted({1, 2, 3, min(k, 10), k} & set(range(1, k + 1))):
        n = max(n, everything(alternatives=(1 << (bits * tasks)) - 1, beta=beta, budget=budget))
        if min(bits, tasks) <= _RANKS and bits * tasks <= _MOST_CELLS:
            n = max(n, _by_rank(bits, tasks, beta, budget))
    return SampleBound(n=n, claim=CLAIM, terms={"telling vectors apart": float(n)})


def _by_rank(bits: int, k: int, beta: Fraction, budget: Budget) -> int:
    counts = by_rank(rows=bits, columns=k)
    # The greatest ranks hold nearly all vectors; leaving out the rest only weakens the bound.
    used = [(r, counts[r]) for r in range(max(1, len(counts) - 4), len(counts))]
    room = beta + budget.lost() * sum(count for _, count in used)
    scales = [(r, _log_below(count / room)) for r, count in used]

    def too_few(n: int) -> bool:
        total = sum(
            scaled_phi(
                n=n, p=1 - Fraction(1, 1 << r), beta=beta, epsilon=budget.epsilon, log_scale=s
            )
            for r, s in scales
        )
        return total > 1

    return greatest(too_few) + 1


def _log_below(value: Fraction) -> Fraction:
    return below(lambda: ball(value).log())


def _bits(task: Task) -> int:
    size = task.concept_class.size or 0
    return size.bit_length() - 1 if size and size & (size - 1) == 0 else 0


ALL_PARITIES = Condition("all parities of some number of bits", lambda task: _bits(task) >= 1)


def _records(task: Task) -> SampleBound:
    accuracy = task.accuracy
    return relabelled(
        bits=_bits(task), k=task.k, alpha=accuracy.alpha, beta=accuracy.beta, **privacy(task)
    )


LOWER_BOUNDS.add(
    LowerBound(
        name="relabelled parities",
        applies=Speaks(
            classes=(Parities,),
            alpha=Fraction(1, 4),
            relations=ALL,
            marginals=("uniform",),
            further=(ALL_PARITIES,),
        ),
        claim=CLAIM,
        records=_records,
    )
)


LOWER_BOUNDS.add(
    LowerBound(
        name="too few equations",
        applies=Speaks(
            classes=(Parities,),
            alpha=Fraction(1, 4),
            relations=ALL,
            marginals=("any", "uniform"),
            further=(ALL_PARITIES,),
        ),
        claim=EQUATIONS,
        records=lambda task: equations(bits=_bits(task), **task.asked("alpha", "beta")),
    )
)
