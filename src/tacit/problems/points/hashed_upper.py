r"""Points by hashing: a number of records that does not depend on the domain.

``k`` independent hashes map the domain to ``M = 2**bits`` cells, pairwise independently.
The hypothesis "hashes to the target's cell" errs only on collisions, an expected
``1/M`` of the distribution, so some hash errs by at most ``rho`` except with
probability ``(1/(M rho))**k`` (Markov); then the ``k M`` hypotheses are selected from as
any finite class. ``bits``, ``k``, ``rho`` and the rate are optimised, and the sizes of all
collisions are then weighed at once (``collisions.py``).
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from tacit.bounds.upper import selection
from tacit.core import BadInput, Claim, Relation, SampleBound, theorem
from tacit.core.numbers import positive, probability
from tacit.mechanisms.calibration import spread
from tacit.problems.points.collisions import Table, sharpen

Floats = NDArray[np.float64]

_BITS = range(1, 34)
_HASHES = range(1, 25)
_RATIOS = 2.0 ** (-np.arange(1, 97) / 6)

REALIZABLE = Claim(
    paper="FX14",
    locator="Section 3.1",
    statement="improper points, realizable: k hashes into M cells and "
    "n_R(|H| = kM, rho) records at failure beta - (1/(M rho))^k suffice, on every domain, or "
    "fewer by weighing collisions of all sizes; constants ours",
    proof="problems/points/hashed_upper.proof.md",
)
AGNOSTIC = Claim(
    paper="FX14",
    locator="Section 3.1",
    statement="improper points, agnostic: k hashes into M cells and "
    "n_A(|H| = kM, rho) records at failure beta - (1/(M rho))^k suffice, on every domain, or "
    "fewer by weighing collisions of all sizes; constants ours",
    proof="problems/points/hashed_upper.proof.md",
)


@theorem(
    REALIZABLE,
    kind="upper",
    setting="points; improper; realizable; pure; all relations",
    formula=r"\mathbb{E}\min\{1,(kM-1)(1-\alpha(1-e^{-\lambda})+R(e^\lambda-1))^n\}\le\beta,"
    r"\quad\Pr[R>r]\le(Mr)^{-k}",
)
def realizable(
    *,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
    selector: str = "exponential",
) -> SampleBound:
    """Records to learn a point function over any domain with error ``alpha``.

    >>> bound = realizable(alpha=Fraction(1, 10), beta=Fraction(1, 20), epsilon=Fraction(1))
    >>> bound.n, bound.choices["bits"], bound.choices["hashes"]
    (274, 9, 3)
    """
    return _solve(
        alpha=probability(alpha, name="alpha"),
        beta=probability(beta, name="beta"),
        epsilon=positive(epsilon, name="epsilon"),
        relation=relation,
        selector=selection.check_selector(selector),
        setting="realizable",
    )


@theorem(
    AGNOSTIC,
    kind="upper",
    setting="points; improper; agnostic; pure; all relations",
    formula=r"\mathbb{E}\min\{1,(kM-1)(\tfrac{1+\alpha-R}2e^{-\lambda}+\tfrac{1-\alpha+R}2e^\lambda)^n\}"
    r"\le\beta,\quad\Pr[R>r]\le(Mr)^{-k}",
)
def agnostic(
    *,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
    selector: str = "exponential",
) -> SampleBound:
    """Records to come within ``alpha`` of the best point function over any domain."""
    return _solve(
        alpha=probability(alpha, name="alpha"),
        beta=probability(beta, name="beta"),
        epsilon=positive(epsilon, name="epsilon"),
        relation=relation,
        selector=selection.check_selector(selector),
        setting="agnostic",
    )


@lru_cache(maxsize=4096)
def _solve(
    *,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation,
    selector: str,
    setting: str,
) -> SampleBound:
    estimate = _realizable_estimate if setting == "realizable" else _agnostic_estimate
    rate = float(epsilon / spread(relation))
    bits, hashes, share = _search(estimate, alpha=float(alpha), beta=float(beta), rate=rate)
    rho = share * alpha
    cells = 1 << bits
    miss = (1 / (cells * rho)) ** hashes
    if miss >= beta:
        raise BadInput("alpha or beta is too small for hash tables of 2**33 cells")
    bound = selection.realizable if setting == "realizable" else selection.agnostic
    inner = bound(
        size=hashes * cells,
        alpha=alpha,
        beta=beta - miss,
        epsilon=epsilon,
        relation=relation,
        rho=rho,
        selector=selector,
    )
    width = spread(relation)
    table = sharpen(
        Table(bits=bits, hashes=hashes, rate=inner.choices["epsilon"] / width, n=inner.n),
        alpha=alpha,
        beta=beta,
        most_rate=epsilon / width,
        setting=setting,
    )
    return SampleBound(
        n=table.n,
        claim=REALIZABLE if setting == "realizable" else AGNOSTIC,
        terms={name: part * table.n / inner.n for name, part in inner.terms.items()},
        choices={
            "bits": table.bits,
            "hashes": table.hashes,
            "epsilon": table.rate * width,
            "selector": selector,
        },
    )


Estimate = Callable[..., Floats]


def _search(
    estimate: Estimate, *, alpha: float, beta: float, rate: float
) -> tuple[int, int, Fraction]:
    # Floats only propose; the proposal is then certified by the exact bound.
    bits = np.asarray(_BITS, dtype=np.float64)[:, None, None]
    hashes = np.asarray(_HASHES, dtype=np.float64)[None, :, None]
    shares = _RATIOS[None, None, :]
    for _ in range(3):
        rho = alpha * shares
        with np.errstate(all="ignore"):
            left = beta - (1 / (2.0**bits * rho)) ** hashes
            wrong = np.log(hashes * 2.0**bits - 1) - np.log(left)
            n = np.where(left > 0, wrong / estimate(alpha, rho, rate), np.inf)
        n = np.where(np.isnan(n) | (n <= 0), np.inf, n)
        b, k, r = np.unravel_index(int(np.argmin(n)), n.shape)
        best = (int(bits.ravel()[b]), int(hashes.ravel()[k]), float(shares.ravel()[r]))
        shares = best[2] * 2.0 ** (np.arange(-16, 17) / 64)[None, None, :]
        shares = shares[:, :, shares.ravel() < 1]
    return best[0], best[1], Fraction(best[2]).limit_denominator(1 << 20)


def _realizable_estimate(alpha: float, rho: Floats, rate: float) -> Floats:
    lam = np.minimum(rate, np.log(alpha / rho) / 2)
    return -np.log1p(alpha * np.expm1(-lam) + rho * np.expm1(lam))


def _agnostic_estimate(alpha: float, rho: Floats, rate: float) -> Floats:
    gain = alpha - rho
    lam = np.minimum(rate, np.log((1 + gain) / (1 - gain)) / 2)
    return -np.log((1 + gain) / 2 * np.exp(-lam) + (1 - gain) / 2 * np.exp(lam))
