r"""Only labels are private: the cover may be built on the records themselves (CH11, A_2).

Every concept agrees with some rule of the cover on all but ``reach`` records. Selection
then finds a rule whose empirical error is near the best, and the relative deviations of
Vapnik and Chervonenkis carry that over to the law of the records
(``label_covers.proof.md``).
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache, partial
from typing import Protocol

from tacit.bounds.formula import ln, numbers
from tacit.bounds.search import least
from tacit.bounds.upper.covers import MOST
from tacit.core import BadInput, Claim, SampleBound, theorem
from tacit.core.numbers import exact, whole
from tacit.exact.balls import Ball, above, at, ball

CLAIM = Claim(
    paper="CH11",
    locator="Theorem 27",
    statement="selecting from a cover built on the public records learns within alpha of the "
    "best concept under label privacy once r + t + d + e/2 + sqrt(e^2 + 4 e Z)/2 <= alpha, "
    "e = (4/n)(ln growth(2n) + ln(8/beta)), t = 2 ln(4|G|/beta)/(epsilon n), Z = eta + d + r + t",
    proof="bounds/upper/label_covers.proof.md",
)

_SHARES = tuple(Fraction(share, 32) for share in (1, 2, 4, 8, 12, 16, 20, 24))
_MOST_RECORDS = 1 << 44


class CoverableOn(Protocol):
    """A class that can be covered on given records."""

    def __hash__(self) -> int: ...

    @property
    def vc(self) -> int: ...

    def growth(self, points: int) -> int:
        """Not below the number of ways to split this many points."""
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
) -> SampleBound:
    """Records to learn ``family`` from a cover built on them, any marginal.

    ``choices["radius"]`` is the share of records that the cover may leave in dispute.
    """
    alpha, beta, epsilon = numbers(alpha=alpha, beta=beta, epsilon=epsilon)
    return _label_private(family, setting=setting, alpha=alpha, beta=beta, epsilon=epsilon)


@lru_cache(maxsize=256)
def _label_private(
    family: CoverableOn, *, setting: str, alpha: Fraction, beta: Fraction, epsilon: Fraction
) -> SampleBound:
    realizable = setting == "realizable"

    def excess(n: int, radius: Fraction) -> Ball:
        e = (ln(family.growth(2 * n)) + ln(8 / beta)) * 4 / n
        size = family.most_on(n, int(radius * n))
        t = _selection(size=size, beta=beta, epsilon=epsilon, n=n)
        # A class that has both constants, or a rule and its opposite, has eta <= 1/2.
        eta = ball(0) if realizable else ball(Fraction(1, 2))
        spread = ball(0) if realizable else (ln(4 / beta) / (2 * n)).sqrt()
        above_best = spread + ball(radius) + t
        return above_best + e / 2 + (e * e + 4 * e * (eta + above_best)).sqrt() / 2

    def fits(n: int, radius: Fraction) -> bool:
        return family.most_on(n, int(radius * n)) <= MOST

    def holds(n: int, radius: Fraction) -> bool:
        return fits(n, radius) and above(lambda: excess(n, radius)) <= alpha

    best: tuple[int, Fraction] | None = None
    for share in _SHARES:
        radius = share * alpha
        limit = best[0] if best else _MOST_RECORDS
        if holds(limit, radius):
            best = least(partial(holds, radius=radius), most=limit), radius
    if best is None:
        raise BadInput(
            f"a cover fine enough for this alpha has more than {MOST} rules; "
            "choose a larger alpha or fewer columns"
        )
    n, radius = best
    with at(64):
        terms = {
            "privacy": n
            * float(
                _selection(size=family.most_on(n, int(radius * n)), beta=beta, epsilon=epsilon, n=n)
            )
            / float(alpha),
        }
    terms["sampling and cover"] = n - terms["privacy"]
    far = 1 << 40
    return SampleBound(
        n=n,
        claim=CLAIM,
        terms=terms,
        printed=theorem_27(
            vc=family.vc,
            size=family.most_on(far, int(alpha / 4 * far)),
            alpha=alpha,
            beta=beta,
            epsilon=epsilon,
            eta=0 if realizable else Fraction(1, 2),
        ).n,
        choices={"epsilon": epsilon, "selector": "exponential", "radius": radius},
    )


def _selection(*, size: int, beta: Fraction, epsilon: Fraction, n: int) -> Ball:
    # Given the records, all but beta/4 of the draws come this close to the cover's best.
    return 2 * ln(4 * size / beta) / (ball(epsilon) * n)
