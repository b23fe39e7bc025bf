"""Tests of ``tacit.problems.thresholds.noisy_tree``."""

from fractions import Fraction

import numpy as np
import pytest
from tests.problems.points.sanitizers_privacy_cases import ONE, check, laws
from tests.tools.long import long_ones

from tacit.core import Sample
from tacit.domains import Integers
from tacit.problems.thresholds import noisy_tree

pytestmark = pytest.mark.exact

TREES = {
    "one level of two": (1, 2, 1, None, Fraction(4)),
    "one level of four": (2, 4, 1, None, Fraction(4)),
    "two levels": (2, 2, 2, None, Fraction(8)),
    "two levels, divided where high": (2, 2, 2, 1, Fraction(8)),
}


@pytest.mark.parametrize("name", long_ones(TREES, "two levels, divided where high"))
def test_noisy_trees(monkeypatch, name):
    bits, branching, levels, divide, epsilon = TREES[name]
    mechanism = noisy_tree.NoisyTree(
        domain=Integers(bits=bits),
        branching=branching,
        levels=levels,
        divide=divide,
        epsilon=epsilon,
    )
    monkeypatch.setattr(noisy_tree.NoisyTree, "_noise", _left_siblings_only)
    n = 2 if bits == 1 else 1
    found = laws(mechanism, 1 << bits, n)
    check(found, 1 << bits, n, epsilon=epsilon)


def _left_siblings_only(self, rng, count):
    """The last child's noise enters no prefix; it is drawn only where it may divide the node."""
    may_divide = self.divide is not None and rng.place == 0
    drawn = [
        rng.geometric(2 * self.levels / self.epsilon)
        if may_divide or (place + 1) % self.branching
        else 0
        for place in range(count)
    ]
    return np.array(drawn, dtype=np.int64)


@pytest.mark.parametrize("changed", [-40, 7, 1000])
def test_the_last_childs_noise_enters_no_prefix(monkeypatch, changed):
    """What the test above leaves out does not matter."""
    mechanism = noisy_tree.NoisyTree(domain=Integers(bits=4), branching=4, levels=2, epsilon=ONE)
    sample = Sample(np.array([1, 5, 5, 14]), None)

    def release(last):
        def noise(self, rng, count):
            return np.array([last if p % 4 == 3 else p - 2 for p in range(count)], dtype=np.int64)

        monkeypatch.setattr(noisy_tree.NoisyTree, "_noise", noise)
        return mechanism._release(sample, rng=None)

    assert release(0) == release(changed)
