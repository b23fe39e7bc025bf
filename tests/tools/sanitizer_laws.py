"""The exact law of a sanitizer's own code: every answer of every sampler is followed.

The samplers of ``tacit.exact`` have proofs and tests of their own. Here another sampler is
passed, which has their stated laws as lists of outcomes with ball weights, and the mechanism
is run once for every sequence of outcomes. Sequences less likely than ``CUT`` are left; what they weigh
together is handed back, so that a comparison can allow for it and for nothing more.
"""

from fractions import Fraction
from functools import cache
from math import comb

import numpy as np

from tacit.exact.balls import at, ball
from tacit.exact.geometric_tails import at_least, mass

BITS = 256
CUT = 1e-12


class _Unlikely(Exception):
    """This path weighs too little to be followed."""


@cache
def _noise(scale):
    with at(BITS):
        reach = 1
        while not at_least(scale, reach + 1) < CUT:
            reach += 1
        return [(z, mass(scale, z)) for z in range(-reach, reach + 1)]


@cache
def _gaussian_noise(variance):
    with at(BITS):
        weight = {z: (-ball(Fraction(z * z) / (2 * variance))).exp() for z in range(-60, 61)}
        total = sum(weight.values(), ball(0))
        assert weight[60] / total < CUT / 100, "choose a smaller variance for an exact law"
        return [(z, w / total) for z, w in weight.items() if not w / total < CUT]


class Paths:
    """A sampler that follows every outcome."""

    private = False

    def __init__(self):
        self.script, self.weight, self.open, self.place = [], None, [], 0

    def _choose(self, options):
        """``options`` is a list of (outcome, weight); weights sum to at most 1."""
        if len(options) == 1:
            return options[0][0]
        if self.place < len(self.script):
            outcome, weight = self.script[self.place]
        else:
            for extra in options[1:]:
                if not self.weight * extra[1] < CUT:
                    self.open.append([*self.script[: self.place], extra])
            outcome, weight = options[0]
            self.script = [*self.script[: self.place], (outcome, weight)]
        self.place += 1
        self.weight = self.weight * weight
        if self.weight < CUT:
            raise _Unlikely
        return outcome

    # The generator.
    def below(self, bound):
        return self._choose([(i, ball(1) / bound) for i in range(bound)])

    # The samplers, by their stated laws.
    def level(self, levels, *, rate):
        least = int(levels.errors[0])
        weights = [
            ball(int(count)) * (-ball(rate) * (int(error) - least)).exp()
            for error, count in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True)
        ]
        total = sum(weights, ball(0))
        return self._choose([(i, w / total) for i, w in enumerate(weights)])

    def rising_level(self, count, *, rate, top):
        step = ball(rate)
        weights = [ball(count(t)) * (-step * t).exp() * (1 - (-step).exp()) for t in range(top)]
        weights.append(ball(count(top)) * (-step * top).exp())
        total = sum(weights, ball(0))
        return self._choose([(t, w / total) for t, w in enumerate(weights) if w > 0])

    def geometric(self, scale):
        return self._choose(_noise(scale))

    def geometrics(self, scale, count):
        return np.array([self.geometric(scale) for _ in range(count)], dtype=np.int64)

    def gaussian(self, variance):
        return self._choose(_gaussian_noise(variance))

    def gaussians(self, variance, count):
        return np.array([self.gaussian(variance) for _ in range(count)], dtype=np.int64)

    def binomial(self, trials, p):
        chance = p()
        return self._choose(
            [
                (k, comb(trials, k) * chance**k * (1 - chance) ** (trials - k))
                for k in range(trials + 1)
            ]
        )

    def exp_coin(self, x):
        heads = (-ball(x)).exp()
        return self._choose([(True, heads), (False, 1 - heads)])

    def part(self, mechanism, data):
        return mechanism._release(data, rng=self)

    def run(self, release):
        """The law of ``release(self)`` and the probability that was not followed."""
        law, self.open = {}, [[]]
        with at(BITS):
            while self.open:
                self.script, self.place, self.weight = self.open.pop(), 0, ball(1)
                try:
                    result = release(self)
                except _Unlikely:
                    continue
                law[result] = law.get(result, ball(0)) + self.weight
            return law, ball(1) - sum(law.values(), ball(0))


def law_of_mechanism(mechanism, data, *, seen=lambda value: value.rows):
    """The exact law of ``mechanism`` on ``data``; ``seen`` makes its output hashable."""
    return Paths().run(lambda rng: seen(mechanism._release(data, rng=rng)))


def renyi(p, q, order):
    """The Renyi divergence of a whole order above 1, over what was not cut off."""
    with at(BITS):
        # An output whose weight on the other side was cut off is left out: a lower bound.
        terms = [mass**order * q[out] ** (1 - order) for out, mass in p.items() if out in q]
        return sum(terms, ball(0)).log() / (order - 1)
