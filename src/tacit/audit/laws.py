"""``law(mechanism, data)``: what a mechanism puts out, and how likely, exactly.

A type of mechanism may register its law in closed form; for all others of this package
every draw is followed (``branching``). Somebody else's mechanism joins by
``law.register(ItsType)``, with a function ``(mechanism, data, *, faint, most) -> Law``.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import singledispatch
from typing import Any

from tacit.audit.branching import BITS, FAINT, MOST, Law, NoLaw, branched
from tacit.core import Mechanism
from tacit.exact.balls import at, ball
from tacit.exact.geometric_tails import at_least, mass
from tacit.mechanisms.noise import Geometric


@singledispatch
def law(mechanism: Any, data: Any, *, faint: Fraction = FAINT, most: int = MOST) -> Law:
    """The exact law of ``mechanism`` on ``data``; ``NoLaw`` says why there is none.

    Ways to an output that are less likely than ``faint`` may be left out, into ``rest``; the
    mechanism is run at most ``most`` times.
    """
    if isinstance(mechanism, Mechanism):
        return branched(mechanism, data, faint=faint, most=most)
    raise NoLaw("no exact law is registered for this; audit.estimate samples it instead")


@law.register(Geometric)
def _noisy_answer(
    mechanism: Geometric[Any], data: Any, *, faint: Fraction = FAINT, most: int = MOST
) -> Law:
    """One noisy answer, clamped into a public window.

    Outside the window the ratio of two neighbours' masses does not change any more, and
    equals that of the tails that are lumped together: clamping hides nothing.
    """
    if mechanism.answers != 1 or mechanism.scale == 0:
        return branched(mechanism, data, faint=faint, most=most)
    step = math.floor(Fraction(mechanism.query(data)[0]) / mechanism.grid + Fraction(1, 2))
    far = 40 * math.ceil(mechanism.scale) + 64
    if abs(step) >= far - 1:
        raise NoLaw("the answer lies outside the window that is written out")
    with at(BITS):
        masses = {z: mass(mechanism.scale, z - step) for z in range(-far + 1, far)}
        masses[far] = at_least(mechanism.scale, far - step)
        masses[-far] = at_least(mechanism.scale, far + step)
        return Law(masses, ball(0))
