r"""Only labels are private: the cover may be built on the records themselves (CH11, A_2).

Every concept agrees with some rule of the cover on all but ``reach`` records. A rule is
decided by a few records; to all others it is a stranger, so for each choice of the few
the moment argument of ``selection`` applies to the rest, and a union over the choices
pays for the cover (``label_covers_upper.proof.md``). No uniform convergence is needed.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache, partial
from itertools import product
from typing import Protocol

from tacit.bounds.formula import ln, numbers
from tacit.bounds.search import greatest, least
from tacit.bounds.upper import selection
from tacit.core import BadInput, Claim, Relation, SampleBound, theorem
from tacit.core.numbers import exact, whole
from tacit.exact.balls import Ball, above, at, ball, certainly_less
from tacit.mechanisms.calibration import round_down, spread

CLAIM = Claim(
    paper="CH11",
    locator="Theorem 27",
    statement="selecting from a cover built on n public records learns within alpha of the best "
    "concept under label privacy once N exp(rate (reach + b)) F^(n-k) <= beta: N rules can be "
    "made from n records, k decide one, F is selection's factor, b = k if agnostic, else 0",
    proof="problems/reals/label_covers_upper.proof.md",
)

_RADII = tuple(Fraction(share, 64) for share in (0, 1, 2, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44))
_RATES = tuple(Fraction(share, 8) for share in range(8, 0, -1))
_MOST_RECORDS = 1 << 40


class CoverableOn(Protocol):
    """A class that can be covered on given records."""

    def __hash__(self) -> int: ...

    @property
    def vc(self) -> int: ...

    @property
    def listed(self) -> int:
        """The most rules that are listed."""
        ...

    @property
    def support(self) -> int:
        """How many records decide a rule."""
        ...

    def rules_on(self, records: int) -> int:
        """Not below the number of rules that can be made from this many records."""
        ...

    def most_on(self, records: int, reach: int) -> int:
        """Not below the size of the cover that leaves at most ``reach`` disagreements."""
        ...


@theorem(
    CLAIM,
    kind="upper",
    setting="label privacy; pure; eta is the best error; constants of the printed proof",
    formula=r"a^2\le\eta+\alpha,\ a=\tfrac12\left(\sqrt{e}+"
    r"\sqrt{e+4(\eta+\sqrt{\eta e}+e+\tfrac\alpha4+t)}\right),\ "
    r"e=\tfrac1m(8V\ln\tfrac{2em}{V}+4\ln\tfrac{16}\beta),\ "
    r"t=\tfrac{2}{\epsilon m}\ln\tfrac{2|G|}\beta",
)
def theorem_27(
    *,
    vc: int,
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    eta: Fraction | int = 0,
) -> SampleBound:
    """Records that suffice by the proof of CH11 Theorem 27 with a cover of ``size`` rules.

    >>> theorem_27(vc=1, size=41, alpha=Fraction(1, 10), beta=Fraction(1, 20),
    ...            epsilon=Fraction(1)).n
    4447
    """
    alpha, beta, epsilon = numbers(alpha=alpha, beta=beta, epsilon=epsilon)
    best, vc = exact(eta, name="eta"), whole(vc, name="vc", least=1)
    size = whole(size, name="size", least=1)

    def holds(n: int) -> bool:
        def left() -> Ball:
            dimension = 8 * vc * (ball(Fraction(2 * n, vc)).log() + 1)
            e = (dimension + 4 * ln(16 / beta)) / n
            t = 2 * ln(2 * size / beta) / (ball(epsilon) * n)
            inner = ball(best) + (ball(best) * e).sqrt() + e + ball(alpha / 4) + t
            return ((e.sqrt() + (e + 4 * inner).sqrt()) / 2) ** 2

        return 2 * n >= vc and above(left) <= best + alpha

    return SampleBound(n=least(holds), claim=CLAIM)


def label_private(
    family: CoverableOn,
    *,
    setting: str,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    cover: str = "listed",
) -> SampleBound:
    """Records to learn ``family`` from a cover built on them, any marginal.

    ``choices["radius"]`` is the share of records that the cover may leave in dispute. ``cover``
    is ``"listed"``, of at most as many rules as the class lists, or ``"any"``.
    """
    alpha, beta, epsilon = numbers(alpha=alpha, beta=beta, epsilon=epsilon)
    most = family.listed if cover == "listed" else None
    return _label_private(
        family, setting=setting, alpha=alpha, beta=beta, epsilon=epsilon, most=most
    )


@lru_cache(maxsize=256)
def _label_private(
    family: CoverableOn,
    *,
    setting: str,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    most: int | None,
) -> SampleBound:
    full = epsilon / spread(Relation.LABEL)
    odds = None if setting == "realizable" else (1 + alpha) / (1 - alpha)
    gentle = selection.best_rate(full=full, odds=odds)

    def holds(n: int, radius: Fraction, rate: Fraction) -> bool:
        reach = int(radius * n)
        if n <= family.support or (most is not None and family.most_on(n, reach) > most):
            return False
        chance = partial(
            log_failure, family, setting=setting, alpha=alpha, rate=rate, n=n, reach=reach
        )
        return certainly_less(chance, lambda: ln(beta))

    best: tuple[int, Fraction, Fraction] | None = None
    for share, part in product(_RADII, _RATES):
        radius, rate = share * alpha, round_down(part * gentle)
        limit = best[0] if best else _limit(family, radius, most)
        if holds(limit, radius, rate):
            n = least(partial(holds, radius=radius, rate=rate), most=limit)
            best = (n, radius, rate) if best is None or n < best[0] else best
    if best is None:
        raise BadInput(
            f"a cover fine enough for this alpha has more than {most} rules; "
            "choose a larger alpha or fewer columns"
        )
    n, radius, rate = best
    with at(64):
        size, confidence = float(ln(family.rules_on(n))), float(ln(1 / beta))
    far = 1 << 40
    return SampleBound(
        n=n,
        claim=CLAIM,
        terms={
            "size of the cover": n * size / (size + confidence),
            "confidence": n * confidence / (size + confidence),
        },
        printed=theorem_27(
            vc=family.vc,
            size=family.most_on(far, int(alpha / 4 * far)),
            alpha=alpha,
            beta=beta,
            epsilon=epsilon,
            eta=0 if setting == "realizable" else Fraction(1, 2),
        ).n,
        choices={
            "epsilon": rate * spread(Relation.LABEL),
            "selector": "exponential",
            "radius": radius,
        },
    )


def log_failure(
    family: CoverableOn, *, setting: str, alpha: Fraction, rate: Fraction, n: int, reach: int
) -> Ball:
    """Not below the logarithm of the chance that the selected rule is wrong."""
    if setting == "realizable":
        shrink = selection.realizable_factor(alpha=alpha, rho=Fraction(0), rate=rate)
        given_away = reach
    else:
        shrink = selection.agnostic_factor(gain=alpha, rate=rate)
        given_away = reach + family.support
    rest = n - family.support
    return ln(family.rules_on(n)) + ball(rate * given_away) + rest * shrink.log()


def _limit(family: CoverableOn, radius: Fraction, most: int | None) -> int:
    # With radius 0 the cover grows with the records, so there is a last number that fits.
    if radius or most is None:
        return _MOST_RECORDS
    return greatest(lambda n: family.most_on(n, 0) <= most)
