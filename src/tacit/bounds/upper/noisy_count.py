r"""What a noisy count of a rule's mistakes says about its true error.

The rule was chosen from the same ``n`` records; its public prior pays for that. The noise is
paid for beside the prior, not with it: ``noisy_count.proof.md``, Theorem 1. Sums over the
binomial law are floats with a proved relative error, as in ``bounds/tails.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import inf, isqrt, lgamma, log

import numpy as np

from tacit.bounds.tails import SLACK, float_above
from tacit.core import Claim, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.exact.balls import Ball, at, ball, below, ceiling

_GRID = 10**4  # errors are stated in multiples of 1/_GRID
_STEPS = 100  # heights are multiples of 1/_STEPS
_FINE = 10**12  # how fast a tail falls is rounded to a multiple of 1/_FINE
_TERMS = 1 << 16  # terms of a tail that are added one by one
_BITS = 192  # precision of the balls

NOISY_COUNT = Claim(
    paper="own",
    locator="Noisy count, Theorem 1",
    statement="with probability 1 - beta over the records and the noise, every rule h has an "
    "error p with P(Bin(n, p) <= noisy mistakes - z) > prior(h) psi(z) for some z, where psi was "
    "fixed beforehand and E min(1, psi(noise)) <= beta",
    proof="bounds/upper/noisy_count.proof.md",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """``psi``: infinite for noise of ``-reach`` or less, ``height * fall**i`` for ``i`` above.

    ``i`` counts from 0 at noise ``1 - reach``. Chosen from public numbers, before any record.
    """

    reach: int
    height: Fraction
    fall: Fraction


@lru_cache(maxsize=256)
def allowance(*, n: int, epsilon: Fraction, beta: Fraction) -> Allowance:
    """The allowance for noise at ``epsilon`` that fails with probability ``beta`` at most.

    >>> found = allowance(n=569, epsilon=Fraction(1, 5), beta=Fraction(1, 20))
    >>> found.reach, found.height, round(float(found.fall), 3)
    (15, Fraction(91, 100), 0.621)
    """
    n = whole(n, name="n", least=1)
    epsilon, beta = positive(epsilon, name="epsilon"), probability(beta, name="beta")
    fall = _fall(n)
    few, enough = 0, 1
    while not _pays(enough, fall, fall=fall, epsilon=epsilon, beta=beta):
        few, enough = enough, 2 * enough
    while enough - few > 1:
        middle = (few + enough) // 2
        if _pays(middle, fall, fall=fall, epsilon=epsilon, beta=beta):
            enough = middle
        else:
            few = middle
    return Allowance(
        reach=enough, height=_height(enough, fall=fall, epsilon=epsilon, beta=beta), fall=fall
    )


def _fall(n: int) -> Fraction:
    """About how fast the binomial tail falls where a rule that errs on a quarter is certified.

    Too slow a fall costs little; too fast a one would let far noise decide.
    """
    share = Fraction(1, 4)
    # n kl(share, p) is about 15: the prior's usual ten or twelve nats, and three for beta.
    p = min(share + Fraction(isqrt(30 * 3 * _FINE**2 // (16 * n)), _FINE), Fraction(3, 4))
    ratio = share * (1 - p) / ((1 - share) * p)
    return min(max(Fraction(-(-ratio * _FINE // 1), _FINE), Fraction(1, 2)), 1 - Fraction(1, 10**9))


def _parts(reach: int, *, fall: Fraction, epsilon: Fraction) -> tuple[Ball, Ball]:
    """``P(Z <= -reach)``, and the sum of ``P(Z = 1 - reach + i) fall**i`` over ``i >= 0``."""
    q, r = (-ball(epsilon)).exp(), ball(fall)
    far = (-ball(epsilon) * reach).exp()
    near = (r.log() * reach).exp()
    rising = (far - near) / (q - r)
    after = near * q / (1 - q * r)
    return far / (1 + q), (1 - q) / (1 + q) * (rising + after)


def _pays(
    reach: int, height: Fraction, *, fall: Fraction, epsilon: Fraction, beta: Fraction
) -> bool:
    """Whether ``E min(1, psi(Z))`` is certainly at most ``beta``."""
    with at(_BITS):
        low, rest = _parts(reach, fall=fall, epsilon=epsilon)
        return bool(low + ball(height) * rest <= ball(beta))


def _height(reach: int, *, fall: Fraction, epsilon: Fraction, beta: Fraction) -> Fraction:
    """The greatest height on the grid, at most 1, that ``beta`` pays for."""

    def most() -> Ball:
        low, rest = _parts(reach, fall=fall, epsilon=epsilon)
        return (ball(beta) - low) / rest

    return min(Fraction(int(below(most, bits=_BITS) * _STEPS), _STEPS), Fraction(1))


@theorem(
    NOISY_COUNT,
    kind="upper",
    setting="any distribution; any rule, however it was chosen; public prior; geometric noise",
    formula=r"p = \sup\{p: \max_{i\ge 0} P[\mathrm{Bin}(n,p)\le\tilde k+t-1-i]"
    r"/(\pi A r^i) > 1\},\quad E\min(1,\psi(Z))\le\beta",
)
def certified_error(
    *, noisy_mistakes: int, n: int, prior: Fraction, epsilon: Fraction, beta: Fraction
) -> Fraction:
    """A bound on the true error of a rule with this prior and so many mistakes, with noise.

    >>> certified_error(noisy_mistakes=30, n=569, prior=Fraction(1, 22026),
    ...                 epsilon=Fraction(1, 5), beta=Fraction(1, 20))
    Fraction(163, 1250)
    """
    n, prior = whole(n, name="n", least=0), positive(prior, name="prior")
    if n == 0:
        return Fraction(1)
    allowed = allowance(n=n, epsilon=epsilon, beta=beta)
    return _inverted(noisy_mistakes, n=n, prior=prior, allowed=allowed)


@theorem(
    NOISY_COUNT,
    kind="upper",
    setting="any distribution; any rule, however it was chosen; public prior; Gaussian noise",
    formula=r"p = \sup\{p: P[\mathrm{Bin}(n,p)\le\tilde k+t-1] > \pi\beta/2\},\quad"
    r"t = \lceil\sqrt{2\sigma^2\ln(2/\beta)}\rceil",
)
def certified_by_gaussian(
    *, noisy_mistakes: int, n: int, prior: Fraction, variance: Fraction, beta: Fraction
) -> Fraction:
    """As ``certified_error``, where the noise of the count is discrete Gaussian.

    >>> certified_by_gaussian(noisy_mistakes=30, n=569, prior=Fraction(1, 22026),
    ...                       variance=Fraction(25), beta=Fraction(1, 20))
    Fraction(351, 2500)
    """
    n, prior = whole(n, name="n", least=0), positive(prior, name="prior")
    if n == 0:
        return Fraction(1)
    variance, beta = positive(variance, name="variance"), probability(beta, name="beta")
    reach = ceiling(lambda: (2 * ball(variance) * (2 / ball(beta)).log()).sqrt())
    allowed = Allowance(reach=reach, height=beta / 2, fall=Fraction(1))
    return _inverted(noisy_mistakes, n=n, prior=prior, allowed=allowed)


def share_at_most(hits: int, misses: int, *, level: Fraction) -> Fraction:
    """The Clopper-Pearson upper bound on a rate from so many hits and misses, rounded up.

    >>> share_at_most(12, 88, level=Fraction(1, 40))
    Fraction(2003, 10000)
    """
    n = whole(hits, name="hits", least=0) + whole(misses, name="misses", least=0)
    if n == 0:
        return Fraction(1)
    every = Allowance(reach=1, height=Fraction(1), fall=Fraction(1))
    return _inverted(hits, n=n, prior=probability(level, name="level"), allowed=every)


@lru_cache(maxsize=1024)  # a release's own number is computed again by whoever verifies it
def _inverted(noisy_mistakes: int, *, n: int, prior: Fraction, allowed: Allowance) -> Fraction:
    """The least ``p`` of the grid that is certainly excluded, or 1."""
    prior = min(prior, Fraction(1))
    most = max(0, noisy_mistakes + allowed.reach - 1)

    def certainly(place: int) -> bool:
        return _excluded(Fraction(place, _GRID), most, n=n, prior=prior, allowed=allowed)

    def seemingly(place: int) -> bool:
        return _seems_excluded(Fraction(place, _GRID), most, n=n, prior=prior, allowed=allowed)

    low = most * _GRID // n
    near = _least(low, seemingly)  # floats only say where to look first
    if certainly(near) and (near - 1 <= low or not certainly(near - 1)):
        return Fraction(near, _GRID)
    return Fraction(_least(low, certainly), _GRID)


def _least(low: int, excluded: Callable[[int], bool]) -> int:
    """The least place of the grid above ``low`` that is excluded, by bisection, or its last."""
    high = _GRID
    while high - low > 1:
        middle = (low + high) // 2
        if excluded(middle):
            high = middle
        else:
            low = middle
    return high


def _seems_excluded(p: Fraction, most: int, *, n: int, prior: Fraction, allowed: Allowance) -> bool:
    """``_excluded`` in floats: no certainty."""
    worst = _worst(p, most, n=n, allowed=allowed)
    if not 0 < worst < inf:
        return False
    odds, wanted = p / (1 - p), prior * allowed.height
    chance = lgamma(n + 1) - lgamma(most + 1) - lgamma(n - most + 1)
    chance += most * (log(odds.numerator) - log(odds.denominator)) + n * log(1 - p)
    return chance + log(worst) <= log(wanted.numerator) - log(wanted.denominator)


def _excluded(p: Fraction, most: int, *, n: int, prior: Fraction, allowed: Allowance) -> bool:
    """Whether ``P(Bin(n, p) <= most - i) <= prior height fall**i`` certainly, for all ``i``."""
    worst = _worst(p, most, n=n, allowed=allowed)
    if not worst < inf:
        return False
    with at(_BITS):
        chance = ball(n + 1).lgamma() - ball(most + 1).lgamma() - ball(n - most + 1).lgamma()
        chance += ball(p).log() * most + ball(1 - p).log() * (n - most)
        spare = ball(Fraction(worst * SLACK)).log()
        return bool(chance + spare <= (ball(prior) * ball(allowed.height)).log())


def _worst(p: Fraction, most: int, *, n: int, allowed: Allowance) -> float:
    """The greatest ``P(Bin(n, p) <= most - i) / fall**i``, over that of ``most`` mistakes, up to
    ``SLACK``; infinite where ``p`` cannot be excluded.
    """
    if not most + 1 <= n * p < n:  # the first half: see *Fixed features*
        return inf
    size = min(most, _TERMS)
    counts = np.arange(most, most - size, -1, dtype=np.float64)
    odds = float_above((1 - p) / p)
    ratios = counts / (n - counts + 1) * odds  # of the chances of k - 1 and k
    with np.errstate(under="ignore", over="ignore", divide="ignore"):
        chances = np.concatenate([[1.0], np.cumprod(ratios)])  # relative to that of ``most``
        rest = 0.0
        if size < most:
            last = (most - size) / (n - most + size + 1) * odds * SLACK
            rest = float(chances[-1]) * last / (1 - last) if last < 1 else inf
        tails = np.cumsum(chances[::-1])[::-1] + rest
        # Once a ratio is at most ``fall``, later quotients only shrink.
        steep = np.flatnonzero(ratios * SLACK <= float(allowed.fall))
        if not len(steep) and size < most:
            return inf
        places = int(steep[0]) + 1 if len(steep) else len(tails)
        falls = np.cumprod(np.concatenate([[1.0], np.full(places - 1, float(allowed.fall))]))
        return float(np.max(tails[:places] / falls))


MOST_SHARE = Fraction(3, 20)
_LEAST_SHARE, _USUAL_SHARE = Fraction(1, 20), Fraction(1, 10)
_PRIVATE_SHARE = Fraction(1, 15)  # a thirtieth counts the labels (``rule_counts.py``): a tenth
_LEVEL = 3
"""``ln 20``, about: what noise reaches once in twenty times, in units of its scale."""


def count_share(*, n: int | None, epsilon: Fraction) -> Fraction:
    """The part of ``epsilon`` that counts mistakes, from public numbers only.

    Enough that noise moves the count by three records of a hundred at most, between a
    twentieth and three twentieths; a tenth where ``n`` is so small that no share would bring
    the noise below a quarter of the records, a fifteenth where it is private.

    >>> [str(count_share(n=n, epsilon=Fraction(1))) for n in (50, 569, 1000, 40000, None)]
    ['1/10', '3/20', '1/10', '1/20', '1/15']
    """
    if n is None:
        return _PRIVATE_SHARE
    if n * epsilon * MOST_SHARE < 4 * _LEVEL:
        return _USUAL_SHARE
    wanted = Fraction(100 * _LEVEL, 3) / (n * epsilon)
    return min(max(wanted, _LEAST_SHARE), MOST_SHARE)
