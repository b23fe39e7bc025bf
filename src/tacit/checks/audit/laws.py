"""``law(mechanism, data)``: what a mechanism puts out, and how likely, exactly.

A type of mechanism may register its law in closed form; for all others of this package
every draw is followed (``branching``). Somebody else's mechanism joins by
``law.register(ItsType)``, with a function ``(mechanism, data, *, faint, most) -> Law``.
"""

from __future__ import annotations

import json
import operator
from collections import Counter
from fractions import Fraction
from itertools import accumulate, product
from typing import Any

from tacit.checks.audit.branching import BITS, MOST, Law, branched, law
from tacit.checks.audit.outputs import key
from tacit.checks.audit.sampler_laws import NoLaw
from tacit.core.tiny import FAINT
from tacit.exact.balls import Ball, at, ball
from tacit.exact.geometric_tails import at_least, mass
from tacit.mechanisms.stability import StabilityHistogram, StableMostFrequent
from tacit.problems.tables.best_of import BestOf, Chosen

__all__ = ["law"]

_MOST_OUTPUTS = 1 << 17  # a law with more outputs is not written out
_BEYOND = 64  # counts above the threshold that are written out one by one


def _counts(mechanism: StabilityHistogram, data: Any) -> dict[int, int]:
    return dict(sorted(Counter(int(cell) for cell in mechanism.domain.coerce(data)).items()))


@law.register(StabilityHistogram)
def _histogram(
    mechanism: StabilityHistogram, data: object, *, faint: Fraction = FAINT, most: int = MOST
) -> Law:
    """Independent bins, each left out or shown with a count up to a public ``far``.

    Beyond all true counts the ratio of two neighbours' masses does not change any more, and
    equals that of the tails that are lumped together at ``far``: that hides nothing.
    """
    del faint, most
    threshold, scale = mechanism.threshold, mechanism.scale
    far = threshold + _BEYOND
    counts = _counts(mechanism, data)
    if max(counts.values(), default=0) >= far - 1:
        raise NoLaw("a count lies outside the window that is written out")
    if (far - threshold + 2) ** len(counts) > _MOST_OUTPUTS:
        raise NoLaw("this many values give too many histograms to write out")
    with at(BITS):
        listed: list[list[tuple[tuple[int, int] | None, Ball]]] = []
        for value, count in counts.items():
            listed.append(
                [((value, shown), mass(scale, shown - count)) for shown in range(threshold, far)]
            )
            listed[-1].append(((value, far), at_least(scale, far - count)))
            listed[-1].append((None, 1 - at_least(scale, threshold - count)))
        masses = {}
        for chosen in product(*listed):
            chance = ball(1)
            for _, share in chosen:
                chance *= share
            masses[tuple(shown for shown, _ in chosen if shown is not None)] = chance
        return Law(masses, ball(0))


@law.register(StableMostFrequent)
def _top(
    mechanism: StableMostFrequent, data: object, *, faint: Fraction = FAINT, most: int = MOST
) -> Law:
    """A value is the top if no other noisy count is higher, nor as high with a lesser value."""
    del faint, most
    histogram = mechanism.histogram
    threshold, scale = histogram.threshold, histogram.scale
    counts = _counts(histogram, data)
    values = list(counts)
    with at(BITS):
        far = max([threshold, *counts.values()]) + int(60 * scale) + _BEYOND
        masses: dict[object, Ball] = {None: ball(1), **dict.fromkeys(values, ball(0))}
        for count in counts.values():
            masses[None] *= 1 - at_least(scale, threshold - count)
        for shown in range(threshold, far) if values else ():
            lower = {c: 1 - at_least(scale, shown - c) for c in set(counts.values())}
            equal = {c: mass(scale, shown - c) for c in lower}
            # Lesser values lie below, greater ones not above.
            after = list(
                accumulate(
                    (lower[counts[v]] + equal[counts[v]] for v in values[:0:-1]),
                    operator.mul,
                    initial=ball(1),
                )
            )
            before = ball(1)
            for value, rest_of_them in zip(values, reversed(after), strict=True):
                masses[value] += before * equal[counts[value]] * rest_of_them
                before *= lower[counts[value]]
        rest = sum((at_least(scale, far - count) for count in counts.values()), ball(0))
        return Law(masses, rest.upper())


@law.register(BestOf)
def _best(mechanism: BestOf, data: Any, *, faint: Fraction = FAINT, most: int = MOST) -> Law:
    """The best of a geometric number of runs, from the law of one run.

    An entry is the best if no run falls among better ones, but not if none falls among
    these and the entry itself. What one run leaves out counts as better than everything.
    """
    with at(BITS):
        entries: dict[tuple[int, int, str], tuple[Ball, Chosen]] = {}
        known = ball(0)
        for place, candidate in enumerate(mechanism.candidates):
            one = branched(candidate, data, faint=faint, most=most, far="apart")
            for seen, chance in one.masses.items():
                drawn = one.values[seen]
                text = json.dumps(drawn.to_dict(), sort_keys=True)
                share = chance / len(mechanism.candidates)
                chosen = Chosen(
                    rule=drawn.rule, noisy_mistakes=drawn.noisy_mistakes, candidate=place
                )
                entries[(drawn.noisy_mistakes, place, text)] = (share, chosen)
                known += share
        stop = ball(Fraction(1, mechanism.tries))

        def none_of(better: Ball) -> Ball:
            """That no run falls among entries of this weight: ``sum p (1-p)^(t-1) (1-w)^t``."""
            return stop * (1 - better) / (1 - (1 - stop) * (1 - better))

        better = (1 - known).max(ball(0))
        nothing_hidden = none_of(better)
        masses: dict[Any, Ball] = {}
        values: dict[Any, Any] = {}
        for _, (share, chosen) in sorted(entries.items(), key=lambda pair: pair[0]):
            before = none_of(better)
            better += share
            masses[key(chosen)] = before - none_of(better)
            values[key(chosen)] = chosen
        return Law(masses, (1 - nothing_hidden).max(ball(0)).upper(), "none", values)
