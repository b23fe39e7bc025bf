r"""Parities by a gap test on the worst task: records for any number of tasks."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from tacit.bounds.search import least
from tacit.bounds.tails import SLACK, noise_below
from tacit.core import BadInput, Claim, Relation, SampleBound, theorem
from tacit.core.numbers import positive, probability, whole
from tacit.exact.geometric_tails import reach
from tacit.mechanisms.calibration import spread

CLAIM = Claim(
    paper="BNS19",
    locator="Theorem 39",
    statement="k parities of d bits, uniform, realizable, (epsilon, delta): n records suffice once "
    "sum_g (Psi(g) - Psi(g-1)) P[noise < T - g] <= beta, Psi(g) = (2^d-1) P[Bin(n,1/2) <= g], "
    "whatever k is: the additive bound as stated, by the gap test on the largest number of errors",
    proof="problems/parities/parities_gap.proof.md",
)


def limit(*, epsilon: Fraction, delta: Fraction, relation: Relation) -> int:
    """The least noisy gap that is believed."""
    moved = spread(relation)
    return moved + reach(moved / epsilon, delta)


def _failure(*, n: int, bits: int, scale: Fraction, threshold: int) -> float:
    # By parts: Psi(0) (1 - c(1)) + sum_{g >= 1} Psi(g) (c(g) - c(g+1)), c(g) = P[noise < T - g].
    last = min(n, threshold + int(60 * scale))
    listed = noise_below(scale, limit=threshold, start=0, count=last + 2)
    chances = [float(chance) for chance in listed]
    chances[0] = 1.0
    total, mass, below = 0.0, 1, 0
    masks = (1 << bits) - 1
    for gap in range(last + 1):
        below += mass
        mass = mass * (n - gap) // (gap + 1)
        union = min(1.0, masks * below / (1 << n)) if masks * below < 1 << n else 1.0
        total += union * max(0.0, chances[gap] - chances[gap + 1] * (1 - 1e-9))
    return (total + chances[last + 1]) * SLACK + 1e-300


@theorem(
    CLAIM,
    kind="upper",
    setting="one or several parities; proper; realizable; approximate; uniform marginal",
    formula=r"\sum_g\bigl(\Psi(g)-\Psi(g-1)\bigr)P[\mathrm{DLap}<T-g]\le\beta,\quad "
    r"\Psi(g)=\min\{1,(2^d-1)P[\mathrm{Bin}(n,\tfrac12)\le g]\}",
)
def joint_gap(
    *,
    bits: int,
    alpha: Fraction,
    beta: Fraction,
    epsilon: Fraction,
    delta: Fraction,
    relation: Relation = Relation.REPLACE_ONE,
) -> SampleBound:
    """Records to find any number of parities of ``bits`` bits exactly.

    >>> [joint_gap(bits=d, alpha=Fraction(1, 10), beta=Fraction(1, 10), epsilon=Fraction(1),
    ...            delta=Fraction(1, 10**6)).n for d in (12, 64)]
    [102, 184]
    """
    if 2 * probability(alpha, name="alpha") >= 1:
        raise BadInput("with alpha of 1/2 or more any parity will do")
    return _joint_gap(
        whole(bits, name="bits", least=1),
        probability(beta, name="beta"),
        positive(epsilon, name="epsilon"),
        probability(delta, name="delta"),
        relation,
    )


@lru_cache(maxsize=512)
def _joint_gap(
    bits: int, beta: Fraction, epsilon: Fraction, delta: Fraction, relation: Relation
) -> SampleBound:
    scale = spread(relation) / epsilon
    threshold = limit(epsilon=epsilon, delta=delta, relation=relation)

    def suffices(n: int) -> bool:
        found = _failure(n=n, bits=bits, scale=scale, threshold=threshold)
        return Fraction(found) <= beta

    n = least(suffices)
    terms = {"bits": float(bits), "privacy": float(2 * threshold)}
    return SampleBound(n=n, claim=CLAIM, terms=terms)
