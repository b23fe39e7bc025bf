"""``law(mechanism, data)``: what a mechanism puts out, and how likely, exactly.

A type of mechanism may register its law in closed form; for all others of this package
every draw is followed (``branching``). Somebody else's mechanism joins by
``law.register(ItsType)``, with a function ``(mechanism, data, *, faint, most) -> Law``.
"""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from functools import singledispatch
from itertools import product
from typing import Any

from tacit.audit.branching import BITS, FAINT, MOST, Law, NoLaw, branched
from tacit.core import Mechanism
from tacit.exact.balls import Ball, at, ball
from tacit.exact.geometric_tails import at_least, mass
from tacit.mechanisms.noise import Geometric
from tacit.mechanisms.stability import StabilityHistogram, StableMostFrequent


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


_MOST_OUTPUTS = 1 << 17


def _bins(
    mechanism: StabilityHistogram, data: Any
) -> tuple[int, list[list[tuple[tuple[int, int] | None, Ball]]]]:
    """For each value that occurs: left out, or shown with a count up to a public ``far``."""
    threshold, scale = mechanism.threshold, mechanism.scale
    far = threshold + 40 * math.ceil(scale) + 64
    counts = Counter(int(cell) for cell in mechanism.domain.coerce(data))
    if (far - threshold + 2) ** len(counts) > _MOST_OUTPUTS:
        raise NoLaw("this many values give too many histograms to write out")
    listed = []
    for value, count in sorted(counts.items()):
        seen: list[tuple[tuple[int, int] | None, Ball]] = [
            ((value, shown), mass(scale, shown - count)) for shown in range(threshold, far)
        ]
        seen.append(((value, far), at_least(scale, far - count)))
        seen.append((None, 1 - at_least(scale, threshold - count)))
        listed.append(seen)
    return far, listed


@law.register(StabilityHistogram)
def _histogram(
    mechanism: StabilityHistogram, data: Any, *, faint: Fraction = FAINT, most: int = MOST
) -> Law:
    """Independent bins; counts are clamped as in ``_noisy_answer``."""
    del faint, most
    with at(BITS):
        masses = {}
        for chosen in product(*_bins(mechanism, data)[1]):
            chance = ball(1)
            for _, share in chosen:
                chance *= share
            masses[tuple(shown for shown, _ in chosen if shown is not None)] = chance
        return Law(masses, ball(0))


@law.register(StableMostFrequent)
def _top(
    mechanism: StableMostFrequent, data: Any, *, faint: Fraction = FAINT, most: int = MOST
) -> Law:
    """The top of the histogram; counts beyond the clamp are not followed."""
    del faint, most
    with at(BITS):
        far, listed = _bins(mechanism.histogram, data)
        masses: dict[Any, Ball] = {}
        rest = ball(0)
        for chosen in product(*listed):
            chance = ball(1)
            for _, share in chosen:
                chance *= share
            pairs = [shown for shown, _ in chosen if shown is not None]
            if any(count == far for _, count in pairs):
                rest += chance
                continue
            top = max(pairs, key=lambda pair: (pair[1], -pair[0]), default=(None, 0))[0]
            masses[top] = masses.get(top, ball(0)) + chance
        return Law(masses, rest.upper())
