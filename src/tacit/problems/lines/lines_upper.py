r"""Lines modulo a prime with approximate privacy (FX14 Theorem 12, repaired).

Six block sizes ``t, 2t, ..., 32t``; at one of them, whatever the distribution, a block
votes for one rule of error at most ``rho`` with probability at least 2/3
(``problems/lines/line_learner.proof.md``). ``l`` blocks of each size, a stable mode for each, and a
selection among the six. No number depends on the prime.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tacit.bounds.upper import selection
from tacit.bounds.upper.stable_mode import blocks_needed
from tacit.core import BadInput, Claim, SampleBound, theorem
from tacit.core.numbers import positive, probability
from tacit.exact.balls import ball, ceiling

DOUBLINGS = 6  # samples that vote, each twice as long as the one before
_SHARES = tuple(Fraction(i, 32) for i in range(4, 31))
_CONFIDENCE = tuple(Fraction(i, 8) for i in range(2, 8))

THEOREM_12 = Claim(
    paper="FX14",
    locator="Theorem 12",
    statement="lines modulo any prime, improper, realizable, (eps, delta): "
    "63 t l + n_R(|H| = 6, rho) records suffice, t = ceil(ln(3/2)/rho), l blocks of each size",
    proof="problems/lines/line_learner.proof.md",
)


@theorem(
    THEOREM_12,
    kind="upper",
    setting="lines; improper; realizable; approximate; replace-one and label",
    formula=r"\min_{\rho} 63\,t\,l+n_R(6,\alpha,\beta-\beta_1,\rho),\quad "
    r"t=\Big\lceil\frac{\ln(3/2)}{\rho}\Big\rceil,\ "
    r"P[c(K)+Z<1+m]\le\beta_1,\ K\sim\mathrm{Bin}(l,\tfrac23)",
)
def lines(*, alpha: Fraction, beta: Fraction, epsilon: Fraction, delta: Fraction) -> SampleBound:
    """Records to learn a line over pairs modulo any prime."""
    return _lines(
        alpha=probability(alpha, name="alpha"),
        beta=probability(beta, name="beta"),
        epsilon=positive(epsilon, name="epsilon"),
        delta=probability(delta, name="delta"),
    )


@lru_cache(maxsize=256)
def _lines(*, alpha: Fraction, beta: Fraction, epsilon: Fraction, delta: Fraction) -> SampleBound:
    best: SampleBound | None = None
    for part in _CONFIDENCE:
        blocks = blocks_needed(epsilon=epsilon, delta=delta, failure=part * beta)
        for share in _SHARES:
            rho = share * alpha
            size = _least_block(rho)
            inner = selection.realizable(
                size=DOUBLINGS, alpha=alpha, beta=(1 - part) * beta, epsilon=epsilon, rho=rho
            )
            votes = (2**DOUBLINGS - 1) * size * blocks
            if best is None or votes + inner.n < best.n:
                best = SampleBound(
                    n=votes + inner.n,
                    claim=THEOREM_12,
                    terms={"votes": float(votes), "selection": float(inner.n)},
                    choices={"blocks": blocks, "block_size": size, "selection": inner.choices},
                )
    if best is None:
        raise BadInput("no parameters found for lines")
    return best


def _least_block(rho: Fraction) -> int:
    return max(1, ceiling(lambda: ball(Fraction(3, 2)).log() / ball(rho)))
