"""The stated laws of the selections and of geometric noise, computed from their definitions.

Slow and plain on purpose: one candidate at a time, no levels, no floats. The samplers of
``tacit.exact`` are tested against these.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from tacit.exact.balls import Ball, at, ball

_BITS = 320


def exponential_law(errors: Sequence[int], rate: Fraction) -> dict[int, Ball]:
    """Candidate ``r`` with probability proportional to ``exp(-rate * errors[r])``."""
    with at(_BITS):
        least = min(errors)
        weights = [(-ball(rate) * (error - least)).exp() for error in errors]
        total = sum(weights, ball(0))
        return {candidate: weight / total for candidate, weight in enumerate(weights)}


def flip_law(errors: Sequence[int], rate: Fraction) -> dict[int, Ball]:
    """Permute-and-flip: all coins are tossed and a uniform winner among the heads is taken.

    ``P(r) = p_r * E[1 / (1 + other heads)] = p_r * integral of prod (1 - p_o s)`` over the
    other candidates and ``s`` in [0, 1]: a polynomial, integrated term by term.
    """
    with at(_BITS):
        least = min(errors)
        heads = [(-ball(rate) * (error - least)).exp() for error in errors]
        law = {}
        for candidate, p in enumerate(heads):
            polynomial = [ball(1)]
            for other, q in enumerate(heads):
                if other != candidate:
                    shifted = [ball(0), *(-q * c for c in polynomial)]
                    polynomial = [
                        a + b for a, b in zip([*polynomial, ball(0)], shifted, strict=True)
                    ]
            law[candidate] = p * sum((c / (k + 1) for k, c in enumerate(polynomial)), ball(0))
        return law


def geometric_mass(z: int, scale: Fraction) -> Ball:
    """``P(Z = z) = (1 - q) / (1 + q) * q^|z|`` with ``q = exp(-1 / scale)``."""
    with at(_BITS):
        q = (-1 / ball(scale)).exp()
        return (1 - q) / (1 + q) * (-ball(abs(z)) / ball(scale)).exp()
