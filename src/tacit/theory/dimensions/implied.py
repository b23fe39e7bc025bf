"""What the dimensions of a class say about the records that learning it takes.

Everything is a theorem of ``tacit.bounds`` at the computed dimensions.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tacit.bounds.lower.communication import message_bits
from tacit.bounds.lower.representations import random_representation
from tacit.bounds.lower.shattered import branch
from tacit.bounds.upper.generalization import consistent, without_privacy
from tacit.bounds.upper.selection import realizable
from tacit.core import SampleBound


@dataclass(frozen=True, slots=True, kw_only=True)
class Implied:
    """One consequence: how many records, of which kind, and by which theorem."""

    what: str
    kind: str
    bound: SampleBound


def records(
    *,
    concepts: int,
    vc: int,
    littlestone: int,
    epsilon: Fraction,
    alpha: Fraction,
    beta: Fraction,
    hypotheses: int | None = None,
) -> list[Implied]:
    """Records for a class with these numbers: enough without privacy, enough and necessary
    with pure privacy. ``hypotheses``, where it is known, is the least number of a random
    representation with error ``alpha`` and failure ``beta``; it may be a lower bound.

    ``vc`` should be an upper bound where it says "enough" and a lower one where it says
    "needed"; pass the decided value. ``littlestone`` may be a lower bound.

    >>> numbers = dict(epsilon=Fraction(1), alpha=Fraction(1, 10), beta=Fraction(1, 10))
    >>> [row.bound.n for row in records(concepts=2**16, vc=1, littlestone=16, **numbers)][1]
    334
    """
    private = realizable(size=max(concepts, 1), alpha=alpha, beta=beta, epsilon=epsilon)
    # A private learner is a learner: it never needs fewer records than this says.
    plain = min(
        without_privacy(vc=max(vc, 0), alpha=alpha, beta=beta),
        consistent(size=max(concepts, 1), alpha=alpha, beta=beta),
        private,
        key=lambda bound: bound.n,
    )
    needed = branch(dimension=max(littlestone, 0), alpha=alpha, beta=beta, epsilon=epsilon)
    if hypotheses is not None:
        other = random_representation(
            size=hypotheses, error=alpha, failure=beta, alpha=alpha, beta=beta, epsilon=epsilon
        )
        needed = max(needed, other, key=lambda bound: bound.n)
    return [
        Implied(what="enough without privacy", kind="upper", bound=plain),
        Implied(what="enough with pure privacy", kind="upper", bound=private),
        Implied(what="needed with pure privacy", kind="lower", bound=needed),
    ]


def bits_needed(*, littlestone: int, error: Fraction) -> int:
    """FX14 Corollary 11: bits that any one-way protocol needs at an error below 1/2."""
    return message_bits(littlestone=max(littlestone, 0), error=error)
