r"""Points when only labels are private: the same records for every large domain."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

import numpy as np

from tacit.bounds.search import least
from tacit.bounds.tails import SLACK, binomial, fading, failure
from tacit.core import BadInput, Claim, SampleBound, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.exact.balls import above, ball
from tacit.mechanisms.calibration import round_down

LABEL_POINTS = Claim(
    paper="own",
    locator="Theorem 2 of problems/points/label_points.proof.md",
    statement="proper points, realizable, label privacy: n records suffice once "
    "E[G(n/(s K e^(epsilon K)))] <= beta, K ~ Bin(n, alpha - g), s = beta - 1/(g |X|), for some g",
    proof="problems/points/label_points.proof.md",
)


@theorem(
    LABEL_POINTS,
    kind="upper",
    setting="points; proper; realizable; pure; label privacy",
    formula=r"\mathbb{E}\,G\bigl(\tfrac{n}{s\,K\,e^{\epsilon K}}\bigr)\le\beta,\quad "
    r"K\sim\mathrm{Bin}(n,\alpha-\gamma),\ s=\beta-\tfrac1{\gamma|X|}",
)
def realizable(*, size: int, alpha: Fraction, beta: Fraction, epsilon: Fraction) -> SampleBound:
    """Records for a point of error at most ``alpha``, the same for every large domain.

    >>> realizable(size=2**64, alpha=Fraction(1, 10), beta=Fraction(1, 20),
    ...            epsilon=Fraction(1)).n
    118
    """
    return _realizable(
        whole(size, name="size", least=1),
        probability(alpha, name="alpha"),
        probability(beta, name="beta"),
        positive(epsilon, name="epsilon"),
    )


@lru_cache(maxsize=1024)
def _realizable(size: int, alpha: Fraction, beta: Fraction, epsilon: Fraction) -> SampleBound:
    best: tuple[int, Fraction] | None = None
    since = 0
    for halvings in range(2, 64):
        light = alpha / 2**halvings
        share = round_down(beta - 1 / (light * size))
        if share <= 0:
            break
        p = alpha - light
        first = falling_from(p=p, epsilon=epsilon)

        def suffices(
            n: int, p: Fraction = p, share: Fraction = share, first: Fraction = first
        ) -> bool:
            return n >= first and Fraction(tail(n, p=p, share=share, epsilon=epsilon)) <= beta

        n = least(suffices, most=None if best is None else best[0])
        if best is None or n < best[0]:
            best, since = (n, share), 0
        elif (since := since + 1) == 4:
            break
    if best is None:
        raise BadInput("the domain is too small for a point at random to be light")
    n, share = best
    choices = {"epsilon": epsilon, "spare": (1 - share) / share}
    return SampleBound(n=n, claim=LABEL_POINTS, terms={"records": float(n)}, choices=choices)


def falling_from(*, p: Fraction, epsilon: Fraction) -> Fraction:
    """The bound falls with every record from so many on."""
    return above(lambda: ball((1 - p) / p) / -(-ball(epsilon)).expm1())


def tail(n: int, *, p: Fraction, share: Fraction, epsilon: Fraction) -> float:
    """Not below the chance that the target does not win, if it has probability ``p``."""
    window = binomial(n, p)
    against = fading(
        log_size=above(lambda: ball(n / share).log()),
        rate=epsilon,
        start=window.start,
        count=len(window.weights),
    )
    hits = np.arange(window.start, window.stop, dtype=np.float64)
    with np.errstate(divide="ignore"):
        chances = failure(against / hits, selector="exponential")
    return (float(np.dot(window.weights, chances)) + window.missing) * SLACK
