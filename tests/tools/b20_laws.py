"""The laws of the histogram, prefix and sequence mechanisms, from their parts, as balls."""

from collections import Counter

import numpy as np

from tacit.checks.testing import exponential_law
from tacit.exact.balls import at, ball
from tacit.exact.geometric_tails import at_least, mass
from tacit.mechanisms.gap_test import leader

BITS = 256
FAR = 40
"""Noise beyond this many scales is below exp(-40); it is added to every delta."""


def listed(landscape, candidates):
    """Every candidate's error, as levels and members tell it."""
    levels = landscape.levels()
    errors = {}
    for error, count in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True):
        for rank in range(int(count)):
            candidate = landscape.member(error, rank)
            assert candidate not in errors
            errors[candidate] = error
    assert sorted(errors) == list(candidates)
    return [errors[candidate] for candidate in candidates]


def selected(mechanism, data, candidates):
    """The law of a mechanism that selects by a score."""
    selection = mechanism._selection()
    errors = listed(selection.score(np.array(data, dtype=object)), candidates)
    return exponential_law(errors, selection.rate)


def top_law(histogram, data):
    """The top of a stability histogram: who has the largest noisy count at the threshold."""
    counts = sorted(Counter(data).items())
    scale, threshold = histogram.scale, histogram.threshold
    law = {}
    with at(BITS):
        last = threshold + max((count for _, count in counts), default=0) + int(FAR * scale)
        for value, count in counts:
            total = ball(0)
            for seen in range(threshold, last):
                chance = mass(scale, seen - count)
                for other, votes in counts:
                    if other != value:
                        # Ties go to the smaller value.
                        chance *= 1 - at_least(scale, seen - votes + (other > value))
                total += chance
            law[value] = total
        law[None] = 1 - sum(law.values(), ball(0))
    return law


def prefix_law(mechanism, data):
    """The interior point of a ``StablePrefix`` on a tiny domain."""
    cells = mechanism.domain.coerce(np.array(data, dtype=object))
    length = mechanism._length()
    law = Counter()
    top = mechanism.domain.size - 1
    with at(BITS):
        for z, chance in exponential_law(length.score(cells).errors.tolist(), length.rate).items():
            spare = mechanism.bits - z
            prefixes = top_law(mechanism._prefix(z).histogram, [x >> spare for x in data])
            for prefix, share in prefixes.items():
                if prefix is None:
                    law[top // 2] += chance * share
                    continue
                first, last = prefix << spare, ((prefix + 1) << spare) - 1
                if spare == 0:
                    law[min(first, top)] += chance * share
                    continue
                left = sum(x < first for x in data)
                right = sum(x > last for x in data)
                moved = 1 if mechanism.relation.value == "add-remove" else 2
                leans_left = at_least(moved / mechanism.epsilon_side, right - left)
                law[min(first, top)] += chance * share * leans_left
                law[min(last, top)] += chance * share * (1 - leans_left)
    return law


def one_way_law(learner, positives):
    """The rule of a ``OneWayLearner``: ``None`` for never, else ``(start, value)``."""
    law = Counter()
    with at(BITS):
        passes = at_least(1 / learner.epsilon_count, learner.enough + 1 - len(positives))
        law[None] += 1 - passes
        indices = [record >> learner.tree.width for record in positives]
        starts = selected(learner._index(), indices, range(learner.tree.leaves))
        for start, chance in starts.items():
            values = learner.values(Counter(positives), start).tolist()
            if learner.delta:
                strings = top_law(learner._string().histogram, values)
            else:
                strings = selected(learner._string(), values, range(learner.strings.size))
            for value, share in strings.items():
                law[None if value is None else (start, value)] += passes * chance * share
    return law


def gap_law(test, data):
    """Whether the gap test releases the leader."""
    best, lead = leader(test.score(np.array(data, dtype=object)))
    with at(BITS):
        chance = at_least(test.scale, test.threshold - lead)
        return {best: chance, None: 1 - chance}
