r"""Several proper points, pure: list the frequent values once, then select for each task."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import expm1, inf, log, log1p, sqrt

from tacit.bounds.search import least
from tacit.bounds.tails import noisy_short
from tacit.core import BadInput, Claim, Relation, SampleBound, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.exact.balls import Ball, above, ball, ceiling
from tacit.mechanisms.calibration import noise_scale, spread

CLAIM = Claim(
    paper="own",
    locator="Theorem 2 of problems/points/listed_points.proof.md",
    statement="k proper points, realizable, pure: n records suffice once P[some value of mass "
    "theta is not listed] + 1/(g |X|) + k ((2 + n/T) M^n + floor(1/(alpha-theta)) M'^n) <= beta, "
    "so that k and ln|X| are added and not multiplied",
    proof="problems/points/listed_points.proof.md",
)

_SHARES = 256
_RADII = range(4, 64, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """What the learner is run with: its parts of epsilon, and what its bound is about.

    ``listing``    the epsilon of the list, ``choosing`` that of all selections together.
    ``threshold``  noisy counts from here on are listed.
    ``theta``      values of this mass are meant to be listed.
    ``light``      a random value is meant to have at most this mass.
    """

    listing: Fraction
    choosing: Fraction
    threshold: int
    theta: Fraction
    light: Fraction


@theorem(
    CLAIM,
    kind="upper",
    setting="k points; proper; realizable; pure; whole records",
    formula=r"\lfloor\tfrac1\theta\rfloor P[\mathrm{Bin}(n,\theta)+\mathrm{DLap}<T]"
    r"+\tfrac1{\gamma|X|}+k\left((2+\tfrac nT)M^n+\lfloor\tfrac1{\alpha-\theta}\rfloor M'^n\right)"
    r"\le\beta",
)
def listed_points(
    *,
    size: int,
    k: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records for ``k`` points at once, each of error at most ``alpha``, purely private.

    >>> listed_points(size=2**1000, k=100, alpha=Fraction(1, 10), beta=Fraction(1, 10),
    ...               epsilon=Fraction(1)).n <= 75560
    True
    """
    return _bound(
        whole(size, name="size", least=2),
        whole(k, name="k", least=1),
        probability(alpha, name="alpha"),
        probability(beta, name="beta"),
        positive(epsilon, name="epsilon"),
        relation,
    )


def threshold(*, size: int, epsilon: Fraction, relation: Relation) -> int:
    """The least threshold that on average at most one empty value reaches by noise."""
    scale = noise_scale(epsilon=epsilon, relation=relation)

    def needed() -> Ball:
        # P(Z >= t) = q^t / (1 + q)
        return (ball(size).log() - (1 + (-1 / ball(scale)).exp()).log()) * ball(scale)

    return max(1, ceiling(needed))


@lru_cache(maxsize=1024)
def _bound(
    size: int, k: int, alpha: Fraction, beta: Fraction, epsilon: Fraction, relation: Relation
) -> SampleBound:
    best: tuple[int, Listed] | None = None
    for light in (alpha / (1 << halvings) for halvings in (24, 12, 6)):
        if beta <= 2 / (light * size):
            continue
        way = _rough(size, k, alpha, beta, epsilon, relation, light)
        n = least(
            lambda n, way=way: (
                failure(  # type: ignore[misc]
                    n, way, size=size, k=k, alpha=alpha, relation=relation
                )
                <= beta
            ),
            most=None if best is None else best[0],
        )
        if best is None or n < best[0]:
            best = n, way
    if best is None:
        raise BadInput("the domain is too small for a point at random to be light")
    n, way = best
    with_list = float(way.threshold / way.theta)
    return SampleBound(
        n=n,
        claim=CLAIM,
        terms={"frequent values are listed": with_list, "choices": float(n)},
        choices={
            "listing": way.listing,
            "choosing": way.choosing,
            "threshold": way.threshold,
            "theta": way.theta,
            "light": way.light,
        },
    )


def failure(
    n: int, way: Listed, *, size: int, k: int, alpha: Fraction, relation: Relation
) -> Fraction:
    """Not below the chance that some task's point errs by more than ``alpha``."""
    scale = noise_scale(epsilon=way.listing, relation=relation)
    short = noisy_short(n=n, p=way.theta, scale=scale, limit=way.threshold)
    missed = int(1 / way.theta) * Fraction(short)
    rate = way.choosing / (spread(relation) * k)
    rest = alpha - way.theta

    def wrong() -> Ball:
        down, up = (-ball(rate)).expm1(), ball(rate).expm1()
        listed = ball(2 + Fraction(n, way.threshold)) * (n * (ball(alpha) * down).log1p()).exp()
        others = ball(rest) * down + ball(way.light) * up
        return k * (listed + int(1 / rest) * (n * others.log1p()).exp())

    return missed + 1 / (way.light * size) + above(wrong)


def _rough(
    size: int,
    k: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation,
    light: Fraction,
) -> Listed:
    """The parameters that seem to need the fewest records; the bound itself is certified."""
    log_size = log(size)
    w, a, b, e = spread(relation), float(alpha), float(beta) / 4, float(epsilon)

    def records(share: float, theta: float) -> tuple[float, float]:
        scale = w / (share * e)
        wanted = scale * (log_size + log(1 / (theta * b)))
        listing = ((2.5 + sqrt(6.25 + 4 * wanted)) / 2) ** 2 / theta
        rate = (1 - share) * e / (w * k)
        far = -log1p(max(-1 + 1e-12, (a - theta) * expm1(-rate) + float(light) * expm1(rate)))
        if far <= 0:
            return listing, inf
        near = -log1p(a * expm1(-rate))
        count = log(k / b)
        many = log(2 + listing / (scale * log_size))
        return listing, max((count + many) / near, (count + log(1 / (a - theta))) / far)

    best: tuple[float, int, Fraction] | None = None
    for part in _RADII:
        theta = alpha * Fraction(part, 64)
        if theta + light > alpha:
            continue
        low, high = 1, _SHARES - 1
        while high - low > 1:
            middle = (low + high) // 2
            listing, choosing = records(middle / _SHARES, float(theta))
            low, high = (middle, high) if listing > choosing else (low, middle)
        n = max(records(high / _SHARES, float(theta)))
        if best is None or n < best[0]:
            best = n, high, theta
    assert best is not None
    _, part, theta = best
    first = epsilon * Fraction(part, _SHARES)
    return Listed(
        listing=first,
        choosing=epsilon - first,
        threshold=threshold(size=size, epsilon=first, relation=relation),
        theta=theta,
        light=light,
    )
