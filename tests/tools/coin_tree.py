"""The exact law of a mechanism: every choice it draws becomes a branch with its weight.

The samplers themselves are proved and tested elsewhere; here a sampler that branches on
their stated laws is passed instead, so that what is enumerated is the mechanism around them.
"""

from collections import defaultdict

import numpy as np

from tacit.exact.balls import ball


class _Branch(Exception):
    def __init__(self, weights):
        super().__init__()
        self.weights = weights


class _Tree:
    """Stands in for the sampler; answers from a script, then branches."""

    private = False

    def __init__(self, script, reach):
        self._script, self._reach = list(script), reach

    def choose(self, weights):
        if not self._script:
            raise _Branch(weights)
        return self._script.pop(0)

    def part(self, mechanism, data):
        return mechanism._release(data, rng=self)

    def below(self, bound):
        return self.choose([ball(1) / bound] * bound) if bound > 1 else 0

    def coins(self, p, count):
        heads, tails = ball(p), ball(1 - p)
        return np.array([self.choose([tails, heads]) == 1 for _ in range(count)], dtype=bool)

    def level(self, levels, *, rate):
        pairs = list(zip(levels.errors.tolist(), levels.counts.tolist(), strict=True))
        weights = [int(count) * (-ball(rate) * error).exp() for error, count in pairs]
        total = sum(weights, ball(0))
        return self.choose([weight / total for weight in weights])

    def geometric(self, scale):
        """Two-sided noise; beyond ``reach`` only the side matters to the mechanism."""
        r = (-1 / ball(scale)).exp()
        tail = r**self._reach / (1 + r)
        inside = [(1 - r) / (1 + r) * r ** abs(z) for z in range(-self._reach + 1, self._reach)]
        return self.choose([tail, *inside, tail]) - self._reach


def law(draw, *, reach=1):
    """Every result of ``draw(tree)`` with its probability, as balls."""
    masses = defaultdict(lambda: ball(0))
    paths = [((), ball(1))]
    while paths:
        script, mass = paths.pop()
        try:
            result = draw(_Tree(script, reach))
        except _Branch as branch:
            for answer, weight in enumerate(branch.weights):
                if not weight.is_zero():
                    paths.append(((*script, answer), mass * weight))
        else:
            masses[result] += mass
    return dict(masses)
