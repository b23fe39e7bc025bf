r"""Every kind of answer: a random branch of a shattered tree.

Take a mistake tree of depth ``d`` (for label privacy: ``d`` shattered values). A random
branch labels its nodes with fair coins, so whatever a fixed hypothesis says, its
mistakes along the branch are ``Bin(d, 1/2)``. Give each node probability just above
``alpha/(j+1)``: a good answer then makes at most ``j`` mistakes, so one answer is good for a
share ``P[Bin(d, 1/2) <= j]`` of the branches. The rest of the probability sits on a
value whose label all branches share. Optimised over ``j`` and over using fewer nodes.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb, expm1, log, log1p

from tacit.bounds.lower.applies import ALL, privacy
from tacit.bounds.lower.packing import Budget, everything_at, spread_out
from tacit.core import (
    LOWER_BOUNDS,
    Claim,
    Condition,
    Dimensioned,
    Learnable,
    LowerBound,
    Relation,
    SampleBound,
    Speaks,
    Task,
    theorem,
)
from tacit.core.numbers import probability, whole

CLAIM = Claim(
    paper="own",
    locator="shattered branch",
    statement="learning a class with Littlestone dimension d in any way needs n with "
    "phi(n) <= P[Bin(d', 1/2) <= j], K ~ Bin(n, d' alpha/(j+1)), for all j and d' < d; "
    "sharper than FX14 Corollary 11",
    proof="bounds/lower/shattered.proof.md",
)

_TRIED = 4  # choices that are computed exactly, the best by an estimate


@theorem(
    CLAIM,
    kind="lower",
    setting="Littlestone dimension d (records) or VC dimension d (labels); any answer; "
    "pure or approximate",
    formula=r"\varphi(n)\le\Pr[\mathrm{Bin}(d',\tfrac12)\le j],\quad "
    r"K\sim\mathrm{Bin}(n,\tfrac{d'\alpha}{j+1}),\ d'\le d-1",
)
def branch(
    *,
    dimension: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """``dimension`` is the Littlestone dimension, or the VC dimension for label privacy.

    >>> branch(dimension=64, alpha=Fraction(1, 10), beta=Fraction(1, 10), epsilon=Fraction(1)).n
    34
    """
    return _branch(
        whole(dimension, name="dimension", least=0),
        probability(alpha, name="alpha"),
        probability(beta, name="beta"),
        Budget.of(epsilon=epsilon, delta=delta, relation=relation),
    )


@lru_cache(maxsize=4096)
def _branch(dimension: int, alpha: Fraction, beta: Fraction, budget: Budget) -> SampleBound:
    best, choice = 1, {"depth": 0, "mistakes": 0}
    for trial in _trials(dimension, alpha, beta, budget):
        n = spread_out(room=trial.room, p=trial.p, beta=beta, budget=budget)
        if n > best:
            best, choice = n, {"depth": trial.depth, "mistakes": trial.mistakes}
    allowed = int(alpha * dimension)
    room = _shares(dimension)[allowed]
    n = everything_at(room=room, beta=beta, budget=budget)
    if n > best:
        best, choice = n, {"depth": dimension, "mistakes": allowed}
    return SampleBound(
        n=best, claim=CLAIM, terms={"telling branches apart": float(best)}, choices=choice
    )


@dataclass(frozen=True, slots=True)
class _Trial:
    depth: int
    mistakes: int
    p: Fraction
    room: Fraction


def _trials(dimension: int, alpha: Fraction, beta: Fraction, budget: Budget) -> list[_Trial]:
    # Every choice gives a valid bound; an estimate picks the few worth computing.
    shrink, lost = -expm1(-float(budget.epsilon)), budget.lost()
    found = []
    most = dimension - 1
    for depth in {most, 3 * most // 4, most // 2, 1}:
        if not 0 < depth <= most:
            continue
        for mistakes in range(int(depth * alpha), (depth + 1) // 2):
            p, room = depth * alpha / (mistakes + 1), _shares(depth)[mistakes]
            if p < 1 and room + lost < 1 - beta:
                n = _log_ratio(1 - beta, room + lost) / -log1p(-float(p) * shrink)
                found.append((n, _Trial(depth, mistakes, p, room)))
    found.sort(key=lambda pair: pair[0])
    return [trial for _, trial in found[-_TRIED:]]


def _log_ratio(above: Fraction, below: Fraction) -> float:
    # As a float, for numbers beyond a float's range too.
    return (
        log(above.numerator)
        + log(below.denominator)
        - log(above.denominator)
        - log(below.numerator)
    )


@lru_cache(maxsize=64)
def _shares(depth: int) -> list[Fraction]:
    # P[Bin(depth, 1/2) <= j] for all j.
    total, shares = 0, []
    for j in range(depth + 1):
        total += comb(depth, j)
        shares.append(Fraction(total, 1 << depth))
    return shares


def _dimension(task: Task) -> int:
    family = task.concept_class
    if task.privacy.relation is Relation.LABEL:
        known = family.vc if isinstance(family, Dimensioned) else 0
    else:
        known = family.littlestone if isinstance(family, Learnable) else 0
    size = family.size
    # No tree of different concepts is deeper than this, whatever a class says of itself.
    return known if size is None else min(known, size.bit_length() - 1)


def _unknown(task: Task) -> str:
    kind = "VC" if task.privacy.relation is Relation.LABEL else "Littlestone"
    return f"needs a class whose {kind} dimension is known"


KNOWN = Condition(
    "a class whose Littlestone dimension (VC dimension for label privacy) is known",
    lambda task: _dimension(task) >= 1,
    says=_unknown,
)


def _records(task: Task) -> SampleBound:
    accuracy = task.accuracy
    return branch(
        dimension=_dimension(task), alpha=accuracy.alpha, beta=accuracy.beta, **privacy(task)
    )


LOWER_BOUNDS.add(
    LowerBound(
        name="shattered branch",
        applies=Speaks(relations=ALL, further=(KNOWN,)),
        claim=CLAIM,
        records=_records,
    )
)
