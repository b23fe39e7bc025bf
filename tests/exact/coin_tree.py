"""The exact law of a mechanism: every choice it draws becomes a branch with its weight.

The samplers themselves are proved and tested elsewhere; here they are replaced by
branching on their stated law, so that what is enumerated is the mechanism around them.
"""

from collections import defaultdict

from tacit.exact.balls import ball


class _Branch(Exception):
    def __init__(self, weights):
        super().__init__()
        self.weights = weights


class _Tree:
    """Stands in for the random source; answers from a script, then branches."""

    private = False

    def __init__(self, script):
        self._script = list(script)

    def choose(self, weights):
        if not self._script:
            raise _Branch(weights)
        return self._script.pop(0)

    def below(self, bound):
        return self.choose([ball(1) / bound] * bound) if bound > 1 else 0


def _coins(tree, p, count):
    import numpy as np

    heads, tails = ball(p), ball(1 - p)
    return np.array([tree.choose([tails, heads]) == 1 for _ in range(count)], dtype=bool)


def _level(tree, levels, *, rate):
    pairs = list(zip(levels.errors.tolist(), levels.counts.tolist(), strict=True))
    weights = [int(count) * (-ball(rate) * error).exp() for error, count in pairs]
    total = sum(weights, ball(0))
    return tree.choose([weight / total for weight in weights])


def geometric(reach):
    """Two-sided geometric noise; beyond ``reach`` only the side matters to the mechanism."""

    def draw(tree, scale):
        r = (-1 / ball(scale)).exp()
        tail = r**reach / (1 + r)
        inside = [(1 - r) / (1 + r) * r ** abs(z) for z in range(-reach + 1, reach)]
        return tree.choose([tail, *inside, tail]) - reach

    return draw


def branching(monkeypatch):
    """Replace the samplers that the BBKN13 and FX14 learners use."""
    for module in (
        "tacit.mechanisms.star_sampling",
        "tacit.problems.points.constant_sample",
        "tacit.problems.thresholds.independent_noise",
    ):
        monkeypatch.setattr(f"{module}.bernoullis", _coins)
    monkeypatch.setattr("tacit.mechanisms.selection.choose_level", _level)


def law(draw):
    """Every result of ``draw(tree)`` with its probability, as balls."""
    masses = defaultdict(lambda: ball(0))
    paths = [((), ball(1))]
    while paths:
        script, mass = paths.pop()
        try:
            result = draw(_Tree(script))
        except _Branch as branch:
            for answer, weight in enumerate(branch.weights):
                if not weight.is_zero():
                    paths.append(((*script, answer), mass * weight))
        else:
            masses[result] += mass
    return dict(masses)
