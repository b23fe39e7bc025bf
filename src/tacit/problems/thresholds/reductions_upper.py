r"""From improper to proper: what the reductions of BBKN13 4.3 and 5 need, counted.

The paper uses them to show that some improper learners cannot exist. Run forward they
are learners: several improper tries, each turned into few concepts, and a selection.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import isqrt

from tacit.bounds.upper import selection
from tacit.core import Claim, Relation, SampleBound, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.exact.balls import ball, ceiling
from tacit.problems.points import hashed_upper as hashing
from tacit.problems.thresholds import thresholds_upper as thresholds

TRY_FAILURE = Fraction(1, 4)
"""An improper try is good except with this probability, and light with probability 1/2."""

THEOREM_4_11 = Claim(
    paper="BBKN13",
    locator="Theorem 4.11",
    statement="proper points from k improper tries of weight at most z: k n' + "
    "n_R(|H| = k z + ceil(4/alpha), rho = 3 alpha/4, beta/2) records, k = ceil(ln(beta/2)/ln(3/4))",
    proof="problems/points/heavy_to_proper.proof.md",
)
THEOREM_5_4 = Claim(
    paper="BBKN13",
    locator="Theorem 5.4",
    statement="proper thresholds from k improper tries with at most z switching points: k n' + "
    "n_R(|H| = k z, rho = alpha/2, beta/2) records, k = ceil(ln(beta/2)/ln(3/4))",
    proof="problems/thresholds/interval_switch.proof.md",
)
THEOREM_5_8 = Claim(
    paper="BBKN13",
    locator="Theorem 5.8",
    statement="a threshold blurred by independent noise of rate mu is reconstructed from the "
    "blurred rule except with probability 4 mu, so an independent noise learner is no more "
    "frugal than a proper one",
    proof="problems/thresholds/independent_noise.proof.md",
)
DEFINITION_5_6 = Claim(
    paper="BBKN13",
    locator="Definition 5.6",
    statement="a private threshold of error 3 alpha/4 blurred by independent noise of rate "
    "mu = alpha beta/8 has error at most alpha except with probability beta",
    proof="problems/thresholds/independent_noise.proof.md",
)


def tries_needed(beta: Fraction) -> int:
    """``ceil(ln(beta/2) / ln(3/4))``: all tries bad with probability at most ``beta/2``."""
    return max(1, ceiling(lambda: ball(beta / 2).log() / ball(Fraction(3, 4)).log()))


def bucket_weight(*, size: int, bits: int, hashes: int) -> int:
    """With probability 1/2 no bucket of the hashes holds more of the domain (Chebyshev)."""
    return -(-size >> bits) + isqrt(2 * hashes * size) + 1


@theorem(
    THEOREM_4_11,
    kind="upper",
    setting="points; proper; realizable; pure; replace-one and label",
    formula=r"k n'+n_R(kz+\lceil 4/\alpha\rceil,\alpha,\beta/2,\rho=3\alpha/4),\quad "
    r"k=\lceil\ln(\beta/2)/\ln(3/4)\rceil",
)
def heavy_to_proper(
    *, size: int, alpha: Fraction, beta: Fraction, epsilon: Fraction
) -> SampleBound:
    """Records to turn hashed points into a point."""
    return _heavy_to_proper(
        size=whole(size, name="size", least=1),
        alpha=probability(alpha, name="alpha"),
        beta=probability(beta, name="beta"),
        epsilon=positive(epsilon, name="epsilon"),
    )


@lru_cache(maxsize=256)
def _heavy_to_proper(
    *, size: int, alpha: Fraction, beta: Fraction, epsilon: Fraction
) -> SampleBound:
    tries = tries_needed(beta)
    weak = hashing.realizable(alpha=alpha / 2, beta=TRY_FAILURE, epsilon=epsilon)
    weight = bucket_weight(size=size, bits=weak.choices["bits"], hashes=weak.choices["hashes"])
    spare = -(-4 * alpha.denominator // alpha.numerator)
    inner = selection.realizable(
        size=min(size, tries * weight + spare),
        alpha=alpha,
        beta=beta / 2,
        epsilon=epsilon,
        rho=3 * alpha / 4,
    )
    return SampleBound(
        n=tries * weak.n + inner.n,
        claim=THEOREM_4_11,
        terms={"improper tries": float(tries * weak.n), "selection": float(inner.n)},
        choices={
            "tries": tries,
            "records": weak.n,
            "weight": weight,
            "spare": spare,
            "try": weak.choices,
            "selection": inner.choices,
        },
    )


@theorem(
    DEFINITION_5_6,
    kind="upper",
    setting="thresholds; improper; realizable; pure; all relations",
    formula=r"n_{\rm proper}(3\alpha/4,\beta/2),\quad \mu=\alpha\beta/8",
)
def independent_noise(
    *,
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records for a threshold that is then blurred; ``choices["noise"]`` is the rate."""
    inner = thresholds.exact_tail(
        size=size, alpha=3 * alpha / 4, beta=beta / 2, epsilon=epsilon, relation=relation
    )
    noise = alpha * beta / 8
    return SampleBound(
        n=inner.n,
        claim=DEFINITION_5_6,
        terms=inner.terms,
        choices={"noise": noise, **inner.choices},
    )


@theorem(
    THEOREM_5_8,
    kind="upper",
    setting="thresholds; proper; realizable; pure; all relations",
    formula=r"n_{\rm proper}(\alpha,3\beta/4),\quad \mu=\beta/16",
)
def reconstructed(
    *,
    size: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records for a threshold that is blurred and then recovered from the blur."""
    inner = thresholds.exact_tail(
        size=size, alpha=alpha, beta=3 * beta / 4, epsilon=epsilon, relation=relation
    )
    return SampleBound(
        n=inner.n,
        claim=THEOREM_5_8,
        terms=inner.terms,
        choices={"noise": beta / 16, **inner.choices},
    )


@theorem(
    THEOREM_5_4,
    kind="upper",
    setting="thresholds; proper; realizable; pure; replace-one and label",
    formula=r"k n'+n_R(kz,\alpha,\beta/2,\rho=\alpha/2),\quad "
    r"k=\lceil\ln(\beta/2)/\ln(3/4)\rceil,\ z=2\lceil\mu T\rceil+3",
)
def interval_switch(
    *, size: int, points: int, alpha: Fraction, beta: Fraction, epsilon: Fraction
) -> SampleBound:
    """Records to turn blurred thresholds over ``points`` values into a threshold."""
    tries = tries_needed(beta)
    weak = independent_noise(size=size, alpha=alpha / 2, beta=TRY_FAILURE, epsilon=epsilon)
    switches = 2 * -int(-points * weak.choices["noise"] // 1) + 3
    inner = selection.realizable(
        size=tries * switches, alpha=alpha, beta=beta / 2, epsilon=epsilon, rho=alpha / 2
    )
    return SampleBound(
        n=tries * weak.n + inner.n,
        claim=THEOREM_5_4,
        terms={"improper tries": float(tries * weak.n), "selection": float(inner.n)},
        choices={
            "tries": tries,
            "records": weak.n,
            "switches": switches,
            "try": weak.choices,
            "selection": inner.choices,
        },
    )
