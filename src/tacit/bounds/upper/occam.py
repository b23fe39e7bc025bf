r"""What may be said of a rule that was drawn by prior times ``exp(-rate * mistakes)``.

Two kinds of statement. From the released rule's own prior and its (paid for) mistakes:
Occam's bound on its true error. Before any record is seen, from the prior of a fixed
*comparator*: how close to it the released rule comes. ``occam.proof.md`` has the proofs.
"""

from __future__ import annotations

from fractions import Fraction

from tacit.core import Claim, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.exact.balls import Ball, above, at, ball, ceiling

_GRID = 10**4  # errors are stated in multiples of 1/_GRID

OCCAM = Claim(
    paper="own",
    locator="Occam, Theorem 1",
    statement="with probability 1 - beta every rule h has n kl(mistakes/n, error) <= "
    "ln(1/(prior(h) beta)), or an error below mistakes/n",
    proof="bounds/upper/occam.proof.md",
)
COMPARATOR = Claim(
    paper="own",
    locator="Occam, Theorem 2",
    statement="with probability 1 - beta a rule drawn by prior * exp(-rate * mistakes) errs at "
    "most as much as a fixed comparator, plus an excess in ln(1/prior) of the comparator",
    proof="bounds/upper/occam.proof.md",
)


def noise_margin(*, epsilon: Fraction, beta: Fraction) -> int:
    """``t`` such that geometric noise at ``epsilon`` is ``-t`` or less with probability <= beta."""
    return ceiling(lambda: (1 / ball(beta)).log() / ball(epsilon))


@theorem(
    OCCAM,
    kind="upper",
    setting="any distribution; any rule, however it was chosen; public prior",
    formula=r"p = \sup\{p: n\,\mathrm{kl}(k/n, p) \le \ln(1/(\pi\beta))\}",
)
def occam_error(*, mistakes: int, n: int, prior: Fraction, beta: Fraction) -> Fraction:
    """A bound on the true error of a rule with this prior and this many mistakes on ``n``.

    >>> occam_error(mistakes=10, n=1000, prior=Fraction(1, 1000), beta=Fraction(1, 20))
    Fraction(31, 1000)
    """
    n = whole(n, name="n", least=0)
    prior, beta = positive(prior, name="prior"), probability(beta, name="beta")
    if n == 0 or mistakes >= n:
        return Fraction(1)
    share = Fraction(max(0, mistakes), n)
    low, high = int(share * _GRID), _GRID
    while high - low > 1:
        middle = (low + high) // 2
        if _certainly_excluded(share, Fraction(middle, _GRID), n=n, odds=1 / (prior * beta)):
            high = middle
        else:
            low = middle
    return Fraction(high, _GRID)


def _certainly_excluded(share: Fraction, p: Fraction, *, n: int, odds: Fraction) -> bool:
    if p <= share:
        return False
    with at(128):
        kl = ball(1 - share) * (ball(1 - share) / ball(1 - p)).log()
        if share:
            kl += ball(share) * (ball(share) / ball(p)).log()
        return bool(n * kl > ball(odds).log())


@theorem(
    COMPARATOR,
    kind="upper",
    setting="realizable; pure; all relations; any marginal; public prior",
    formula=r"\alpha = \frac{1-(\beta/W)^{1/n}}{1-e^{-\lambda}},\quad"
    r"W = 1/\pi(h_0)",
)
def realizable_error(*, n: int, rate: Fraction, prior: Fraction, beta: Fraction) -> Fraction:
    """The error that holds if a comparator of this prior makes none.

    >>> float(realizable_error(n=1000, rate=Fraction(1, 2), prior=Fraction(1, 1000),
    ...                        beta=Fraction(1, 20)))
    0.0251
    """
    n = whole(n, name="n", least=0)
    rate, prior = positive(rate, name="rate"), positive(prior, name="prior")
    beta = probability(beta, name="beta")
    if n == 0:
        return Fraction(1)

    def bound() -> Ball:
        shrink = _shrink(n=n, prior=prior, beta=beta)
        return (1 - shrink) / -(-ball(rate)).expm1()

    return _rounded_up(above(bound))


@theorem(
    COMPARATOR,
    kind="upper",
    setting="agnostic; pure; all relations; any marginal; public prior",
    formula=r"g = \min\Big\{\frac{\cosh\lambda-(\beta/W)^{1/n}}{\sinh\lambda},\ "
    r"\frac{\ln(3/(\pi(h_0)\beta))}{\lambda n}+\sqrt{\tfrac{\ln(3/\beta)}{2n}}"
    r"+\sqrt{\tfrac{\ln(3/(\pi_{\min}\beta))}{2n}}\Big\}",
)
def agnostic_excess(
    *, n: int, rate: Fraction, prior: Fraction, least_prior: Fraction, beta: Fraction
) -> Fraction:
    """How much more than a fixed comparator of this prior the released rule may err.

    >>> float(agnostic_excess(n=10000, rate=Fraction(1, 20), prior=Fraction(1, 1000),
    ...                       least_prior=Fraction(1, 10**6), beta=Fraction(1, 20)))
    0.0448
    """
    n = whole(n, name="n", least=0)
    rate, prior = positive(rate, name="rate"), positive(prior, name="prior")
    least_prior, beta = positive(least_prior, name="least_prior"), probability(beta, name="beta")
    if n == 0:
        return Fraction(1)

    def master() -> Ball:
        shrink = _shrink(n=n, prior=prior, beta=beta)
        return (ball(rate).cosh() - shrink) / ball(rate).sinh()

    def steps() -> Ball:
        third = beta / 3
        privacy = (_odds(third, prior).log()) / (ball(rate) * n)
        sampling = (_odds(third, Fraction(1)).log() / (2 * n)).sqrt()
        return privacy + sampling + (_odds(third, least_prior).log() / (2 * n)).sqrt()

    return _rounded_up(min(above(master), above(steps)))


def _odds(beta: Fraction, prior: Fraction) -> Ball:
    return 1 / (ball(prior) * ball(beta))


def _shrink(*, n: int, prior: Fraction, beta: Fraction) -> Ball:
    """``(beta / W) ** (1 / n)``."""
    weight = _odds(beta, prior).log()
    return (-weight / n).exp()


def _rounded_up(value: Fraction) -> Fraction:
    return min(Fraction(1), Fraction(-(-value * _GRID // 1), _GRID))
