r"""Only labels are private: select among all ways in which surfaces label the records."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, partial
from math import comb

from tacit.bounds.formula import ln, numbers
from tacit.bounds.search import greatest, least
from tacit.bounds.upper import selection
from tacit.core import Claim, Relation, SampleBound, theorem
from tacit.core.numbers import whole
from tacit.exact.balls import at, certainly_less
from tacit.mechanisms.calibration import round_down, spread
from tacit.problems.reals.arrangement import recipes
from tacit.problems.reals.label_covers_upper import log_failure

CLAIM = Claim(
    paper="CH11",
    locator="Theorem 27",
    statement="selecting among all ways in which halfspaces through the origin of R^D label n "
    "public records learns within alpha of the best halfspace under label privacy once "
    "N exp(rate b) F^(n-D+1) <= beta: N ways can be made from n records and D unit vectors, "
    "F is selection's factor, b = D - 1 if agnostic, else 0",
    proof="problems/reals/arrangement.proof.md",
)

_RATES = tuple(Fraction(share, 8) for share in range(8, 0, -1))
_MOST_SIGNS = 1 << 36


@dataclass(frozen=True, slots=True)
class Labelled:
    """Points of so many lifted columns, as a class that is covered on records exactly."""

    width: int

    @property
    def vc(self) -> int:
        return self.width

    @property
    def support(self) -> int:
        """How many records decide a way to label."""
        return self.width - 1

    @property
    def listed(self) -> int:
        """The most ways that are counted."""
        return self.rules_on(self.most_records)

    @property
    def most_records(self) -> int:
        """With how many records the sides of all points of all hyperplanes can be computed."""

        def fits(n: int) -> bool:
            points = n + self.width
            return comb(points, self.width - 1) * points <= _MOST_SIGNS

        return greatest(fits)

    def rules_on(self, records: int) -> int:
        """Not below the number of ways to label: the unit vectors are points too."""
        return recipes(records + self.width, self.width)

    def most_on(self, records: int, reach: int) -> int:
        """The same: no way is left out."""
        del reach
        return self.rules_on(records)


@theorem(
    CLAIM,
    kind="upper",
    setting="halfspaces and balls; label privacy; pure; any law",
    formula=r"\ln N(n+D)+\lambda b+(n-D+1)\ln F\le\ln\beta,\quad "
    r"N(m)=\sum_{u=1}^{D}2^u\tbinom{m}{D-u}\tfrac{(m-D+u)!}{(m-D+1)!}",
)
def label_arrangement(
    *, width: int, alpha: Fraction, beta: Fraction, epsilon: Fraction, setting: str = "realizable"
) -> SampleBound:
    """Records to learn halfspaces through the origin of ``width`` columns, labels private.

    >>> label_arrangement(width=3, alpha=Fraction(1, 10), beta=Fraction(1, 20),
    ...                   epsilon=Fraction(1)).n
    445
    """
    alpha, beta, epsilon = numbers(alpha=alpha, beta=beta, epsilon=epsilon)
    return _label_arrangement(
        whole(width, name="width", least=2),
        setting=setting,
        alpha=alpha,
        beta=beta,
        epsilon=epsilon,
    )


@lru_cache(maxsize=256)
def _label_arrangement(
    width: int, *, setting: str, alpha: Fraction, beta: Fraction, epsilon: Fraction
) -> SampleBound:
    family = Labelled(width)
    odds = None if setting == "realizable" else (1 + alpha) / (1 - alpha)
    gentle = selection.best_rate(full=epsilon / spread(Relation.LABEL), odds=odds)

    def holds(n: int, rate: Fraction) -> bool:
        if n <= family.support:
            return False
        chance = partial(log_failure, family, setting=setting, alpha=alpha, rate=rate, n=n, reach=0)
        return certainly_less(chance, lambda: ln(beta))

    best: tuple[int, Fraction] | None = None
    for part in _RATES:
        rate = round_down(part * gentle)
        if best is None:
            best = (least(partial(holds, rate=rate)), rate)
        elif best[0] > 1 and holds(best[0] - 1, rate):
            best = (least(partial(holds, rate=rate), most=best[0] - 1), rate)
    assert best is not None
    n, rate = best
    with at(64):
        size, confidence = float(ln(family.rules_on(n))), float(ln(1 / beta))
    return SampleBound(
        n=n,
        claim=CLAIM,
        terms={
            "ways to label": n * size / (size + confidence),
            "confidence": n * confidence / (size + confidence),
        },
        choices={"epsilon": rate * spread(Relation.LABEL), "most": family.most_records},
    )
