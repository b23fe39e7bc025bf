"""What telling two concepts apart costs: holds for every class, answer, relation and delta."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np

from tacit.bounds.lower.applies import ALL, privacy
from tacit.bounds.lower.packing import Budget, everything, packed
from tacit.bounds.search import greatest
from tacit.bounds.tails import SLACK, binomial
from tacit.core import (
    LOWER_BOUNDS,
    Claim,
    LowerBound,
    Relation,
    SampleBound,
    Speaks,
    Task,
    theorem,
)
from tacit.core.numbers import probability, whole

RARE_DIFFERENCE = Claim(
    paper="own",
    locator="two concepts",
    statement="a class of three or more concepts needs n with phi(n) <= beta, K ~ Bin(n, alpha); "
    "as eps grows this is ln(1/(2 beta)) / -ln(1-alpha)",
    proof="bounds/lower/packing.proof.md",
)
LABEL_VECTORS = Claim(
    paper="BNS19",
    locator="Theorem 52",
    statement="k-learning a class of three or more concepts needs n with (2^k-1) phi(n) <= beta, "
    "K ~ Bin(n, alpha): Theorem 52 with a factor 1/alpha; two concepts: "
    "(1/eps) ln((2^k-1)(1-beta)/beta)",
    proof="bounds/lower/packing.proof.md",
)
FAIR_COIN = Claim(
    paper="own",
    locator="two concepts, agnostic",
    statement="agnostic learning of two concepts needs n with P[Bin(n, (1+alpha)/2) < n/2] + "
    "P[= n/2]/2 <= beta, with or without privacy",
    proof="bounds/lower/packing.proof.md",
)

_CAP = 1 << 34  # records beyond which no search looks; a smaller bound is true too


@theorem(
    RARE_DIFFERENCE,
    kind="lower",
    setting="three or more concepts; any answer; any setting; every relation; pure or approximate",
    formula=r"\varphi(n)\le\beta,\quad K\sim\mathrm{Bin}(n,\alpha)",
)
def rare_difference(
    *,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Two concepts that agree on one value and differ on another of probability ``alpha``.

    Only labels differ between the two samples, so a relabelled record is one step under
    every relation but add/remove, where it is two.

    >>> rare_difference(alpha=Fraction(1, 10), beta=Fraction(1, 20), epsilon=Fraction(1)).n
    39
    """
    n = packed(
        alternatives=1,
        p=probability(alpha, name="alpha"),
        beta=probability(beta, name="beta"),
        budget=Budget.of(epsilon=epsilon, delta=delta, relation=relation),
    )
    return SampleBound(n=n, claim=RARE_DIFFERENCE, terms={"telling two concepts apart": float(n)})


@theorem(
    LABEL_VECTORS,
    kind="lower",
    setting="k concepts; any answer; any setting; every relation; pure or approximate",
    formula=r"(2^k-1)\,\varphi(n)\le\beta,\quad K\sim\mathrm{Bin}(n,\alpha);\quad "
    r"n\ge\tfrac1\epsilon\ln\tfrac{(2^k-1)(1-\beta)}\beta",
)
def label_vectors(
    *,
    k: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction | int = 0,
    relation: Relation = Relation.REPLACE_ONE,
    concepts: int = 3,
) -> SampleBound:
    """Each of ``k`` targets is one of two concepts: ``2**k`` label vectors on one value.

    >>> label_vectors(k=100, alpha=Fraction(1, 10), beta=Fraction(1, 10), epsilon=Fraction(1)).n
    788
    """
    alpha, beta = probability(alpha, name="alpha"), probability(beta, name="beta")
    alternatives = (1 << whole(k, name="k", least=1)) - 1
    budget = Budget.of(epsilon=epsilon, delta=delta, relation=relation)
    n = everything(alternatives=alternatives, beta=beta, budget=budget)
    if concepts >= 3:
        n = max(n, packed(alternatives=alternatives, p=alpha, beta=beta, budget=budget))
    return SampleBound(n=n, claim=LABEL_VECTORS, terms={"telling label vectors apart": float(n)})


@theorem(
    FAIR_COIN,
    kind="lower",
    setting="two or more concepts; agnostic; any answer; with or without privacy",
    formula=r"\Pr[\mathrm{Bin}(n,\tfrac{1+\alpha}2)<\tfrac n2]"
    r"+\tfrac12\Pr[\,\cdot=\tfrac n2]\le\beta",
)
def fair_coin(*, alpha: Fraction, beta: Fraction) -> SampleBound:
    """One value whose label is a coin of bias ``alpha`` one way or the other.

    >>> fair_coin(alpha=Fraction(1, 10), beta=Fraction(1, 20)).n
    269
    """
    return _fair_coin(probability(alpha, name="alpha"), probability(beta, name="beta"))


@lru_cache(maxsize=4096)
def _fair_coin(alpha: Fraction, beta: Fraction) -> SampleBound:
    def too_few(n: int) -> bool:
        return n <= _CAP and Fraction(_wrong(n, (1 + alpha) / 2)) > beta

    # An even number of flips is no better than one flip less, so odd numbers are judged.
    odd = greatest(lambda half: too_few(2 * half + 1), least=-1)
    n = 2 * odd + 3 if odd >= 0 else 1
    return SampleBound(n=n, claim=FAIR_COIN, terms={"telling two biases apart": float(n)})


def _wrong(n: int, p: Fraction) -> float:
    # Not above P[Bin(n, p) < n/2] for odd n.
    window = binomial(n, p)
    low = max(0, min(len(window.weights), n // 2 + 1 - window.start))
    return float(np.sum(window.weights[:low])) / SLACK


def _rare_difference(task: Task) -> SampleBound:
    accuracy = task.accuracy
    return rare_difference(alpha=accuracy.alpha, beta=accuracy.beta, **privacy(task))


def _fair_coin_for(task: Task) -> SampleBound:
    return fair_coin(alpha=task.accuracy.alpha, beta=task.accuracy.beta)


def _label_vectors(task: Task) -> SampleBound:
    accuracy, size = task.accuracy, task.concept_class.size
    return label_vectors(
        k=task.k,
        alpha=accuracy.alpha,
        beta=accuracy.beta,
        concepts=3 if size is None else size,
        **privacy(task),
    )


LOWER_BOUNDS.add(
    LowerBound(
        name="two concepts",
        applies=Speaks(relations=ALL, concepts=3),
        claim=RARE_DIFFERENCE,
        records=_rare_difference,
    )
)
LOWER_BOUNDS.add(
    LowerBound(
        name="label vectors",
        applies=Speaks(several=True, relations=ALL, concepts=2),
        claim=LABEL_VECTORS,
        records=_label_vectors,
    )
)
LOWER_BOUNDS.add(
    LowerBound(
        name="two biases",
        applies=Speaks(settings=("agnostic",), relations=ALL, concepts=2),
        claim=FAIR_COIN,
        records=_fair_coin_for,
    )
)
