r"""Thresholds with delta: records that grow with the logarithm of the number of bits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil, exp, log, sqrt

import numpy as np

from tacit.bounds.search import least
from tacit.bounds.split import best_shares
from tacit.bounds.tails import SLACK, binomial
from tacit.bounds.upper.histograms import lead
from tacit.core import Claim, Relation, SampleBound, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.exact.geometric_tails import reach
from tacit.mechanisms.calibration import spread

CLAIM = Claim(
    paper="own",
    locator="Theorem 2 of problems/thresholds/stable_cut.proof.md",
    statement="proper thresholds, realizable, (epsilon, delta): n records suffice once "
    "2 P[Bin(n, alpha) <= W] <= beta_0, W = B + 2g + h - 2: about "
    "(1/alpha)(sqrt(4 ln(D/beta)) + sqrt(2 ln(1/(4 delta beta))) + sqrt(2 ln(2/beta)))^2/epsilon, "
    "D the bits of a cut",
    proof="problems/thresholds/stable_cut.proof.md",
)

_UNITS = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """The public numbers of ``StableCut``: none depends on the number of records.

    ``scale``   share of epsilon for the choice of a scale, ``block`` for that of a block,
                ``cut`` for the last choice.
    ``high``    (A) and ``low`` (B): mistakes that a cut of the chosen scale may make, and that
                every coarser one makes.
    ``most``    (W) the mistakes of the answer, at most.
    """

    scale: Fraction
    block: Fraction
    cut: Fraction
    high: int
    low: int
    most: int


def shape(
    *,
    bits: int,
    epsilons: tuple[Fraction, Fraction, Fraction],
    betas: tuple[Fraction, Fraction, Fraction],
    delta: Fraction,
    relation: Relation,
) -> Shape:
    """The numbers for cuts of ``bits`` bits and these shares of epsilon and beta."""
    first, second, third = epsilons
    moved = spread(relation)
    # A scale of negative score is drawn with probability at most betas[0].
    g = max(0, lead(wrong=max(bits, 1), beta=betas[0], rate=first / 2) - 1)
    limit = moved + reach(moved / second, delta)
    low = max(1, limit - 1 + reach(moved / second, betas[1]))
    high = low + 2 * g - 1
    h = max(1, lead(wrong=2, beta=betas[2], rate=third / moved))
    return Shape(scale=first, block=second, cut=third, high=high, low=low, most=high + h - 1)


def _records(most: int, alpha: Fraction, beta: Fraction) -> int:
    def suffices(n: int) -> bool:
        window = binomial(n, alpha)
        below = window.weights[: max(0, most + 1 - window.start)]
        return Fraction(2 * (float(np.sum(below)) * SLACK + window.missing)) <= beta

    return least(suffices)


def _rough(
    bits: int, delta: float, moved: int
) -> Callable[[tuple[float, ...], tuple[float, ...]], float]:
    # The mistakes W as a smooth function of the shares, and what they cost in records.
    def cost(e: tuple[float, ...], b: tuple[float, ...]) -> float:
        g = 2 / e[0] * log(max(1.01, bits * (1 - b[1]) / b[1])) - 0.5
        noise = (
            moved
            / e[1]
            * (
                log(1 / (delta * (1 + exp(-e[1] / moved))))
                + log(1 / (b[2] * (1 + exp(-e[1] / moved))))
            )
        )
        h = moved / e[2] * log(max(1.01, 2 * (1 - b[3]) / b[3]))
        w = noise + moved + 2 * max(g, 0) + h
        tail = log(2 / b[0])
        return w + sqrt(2 * w * tail) + tail

    return cost


@theorem(
    CLAIM,
    kind="upper",
    setting="thresholds; proper; realizable; approximate; all relations",
    formula=r"2P[\mathrm{Bin}(n,\alpha)\le W]\le\beta_0,\quad W=B+2g+h-2",
)
def stable_cut(
    *,
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records for a threshold of error at most ``alpha`` among ``size``; ``choices`` has the
    shape that ``StableCut`` must use.
    """
    return _stable_cut(
        whole(size, name="size", least=1),
        probability(alpha, name="alpha"),
        probability(beta, name="beta"),
        positive(epsilon, name="epsilon"),
        probability(delta, name="delta"),
        relation,
    )


@lru_cache(maxsize=512)
def _stable_cut(
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction,
    relation: Relation,
) -> SampleBound:
    bits = max(1, (size - 1).bit_length())
    rough = _rough(bits, float(delta), spread(relation))
    total, chance = float(epsilon), float(beta)
    e, b = (133, 133, 134), (100, 100, 100, 100)
    for _ in range(3):
        chances = tuple(chance * part / _UNITS for part in b)
        e = best_shares(  # type: ignore[assignment]
            lambda s, c=chances: rough(tuple(total * p / _UNITS for p in s), c),  # type: ignore[misc]
            parts=3,
            units=_UNITS,
        )
        shares = tuple(total * part / _UNITS for part in e)
        b = best_shares(  # type: ignore[assignment]
            lambda s, x=shares: rough(x, tuple(chance * p / _UNITS for p in s)),  # type: ignore[misc]
            parts=4,
            units=_UNITS,
        )
    moved = spread(relation)
    near = range(-8, 9, 2)
    # Whole numbers jump: rank shares around the smooth optimum by the mistakes they allow.
    tried = [
        (_mistakes(parts, sampling, b, bits, total, chance, float(delta), moved), sampling, parts)
        for sampling in {min(max(1, b[0] + more), _UNITS - 3) for more in (-16, -8, 0, 8, 16, 24)}
        for parts in ((e[0] + one, e[1] + two, e[2] - one - two) for one in near for two in near)
        if min(parts) > 0
    ]
    best: dict[int, tuple[int, tuple[int, int, int]]] = {}
    for most, sampling, parts in sorted(tried):
        best[most] = (sampling, parts)  # the last has most of beta left for sampling
    found = [
        _exactly(*best[most], b, bits, epsilon, beta, delta, relation) for most in sorted(best)[:4]
    ]
    n, shaped = min(
        ((_records(one.most, alpha, left) if size > 1 else 1, one) for left, one in found),
        key=lambda pair: pair[0],
    )
    return _found(n, shaped, alpha)


def _mistakes(
    parts: tuple[int, int, int],
    sampling: int,
    b: tuple[int, ...],
    bits: int,
    total: float,
    chance: float,
    delta: float,
    moved: int,
) -> int:
    # W in floats: it ranks, and `shape` computes.
    e = [total * part / _UNITS for part in parts]
    rest = (_UNITS - sampling) / sum(b[1:])
    c = [chance * part * rest / _UNITS for part in b[1:]]
    g = max(0, ceil(2 / e[0] * log(max(1.0, bits * (1 - c[0]) / c[0]))) - 1)
    damped = 1 + exp(-e[1] / moved)
    limit = moved + max(1, ceil(-moved / e[1] * log(delta * damped)))
    low = max(1, limit - 1 + max(1, ceil(-moved / e[1] * log(c[1] * damped))))
    h = max(1, ceil(moved / e[2] * log(max(1.0, 2 * (1 - c[2]) / c[2]))))
    return low + 2 * g + h - 2


def _exactly(
    sampling: int,
    parts: tuple[int, int, int],
    b: tuple[int, ...],
    bits: int,
    epsilon: Fraction,
    beta: Fraction,
    delta: Fraction,
    relation: Relation,
) -> tuple[Fraction, Shape]:
    """What is left of beta for sampling, and the shape of these shares."""
    rest = Fraction(_UNITS - sampling, sum(b[1:]))
    first, second, third = (epsilon * part / _UNITS for part in parts)
    one, two, three = (beta * part * rest / _UNITS for part in b[1:])
    found = shape(
        bits=bits,
        epsilons=(first, second, third),
        betas=(one, two, three),
        delta=delta,
        relation=relation,
    )
    return beta * sampling / _UNITS, found


def _found(n: int, found: Shape, alpha: Fraction) -> SampleBound:
    terms = {"mistakes that privacy allows": float(found.most / alpha)}
    return SampleBound(n=n, claim=CLAIM, terms=terms, choices={"shape": found})
