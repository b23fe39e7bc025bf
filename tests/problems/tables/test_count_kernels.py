"""Tests of ``tacit.problems.tables.count_kernels``."""

import numpy as np
import pytest

from tacit.checks.testing import seeded
from tacit.estimators import TreeClassifier
from tacit.problems.tables import count_kernels, tree_kernels


def compiled_now():
    """How many versions of each tree kernel are compiled."""
    return {
        name: len(kernel.signatures)
        for module in (count_kernels, tree_kernels)
        for name, kernel in vars(module).items()
        if hasattr(kernel, "signatures")
    }


@pytest.mark.parametrize(("depth", "epsilon"), [(1, 1), (2, 1), (3, 2), (4, 4), (5, 40)])
def test_nothing_is_left_to_compile_after_the_charge(depth, epsilon):
    rng = np.random.default_rng(0)
    x = rng.random((400, 3))
    y = (x[:, 0] > 0.5).astype(int)
    seen = {}

    class Watching:
        def charge(self, event, *, note=""):
            seen.update(compiled_now())

    model = TreeClassifier(domain=[(0, 1)] * 3, bins=4, depth=depth, epsilon=epsilon)
    model.set_params(ledger=Watching(), rng=seeded(depth)).fit(x, y)
    assert sum(seen.values()) > 0
    assert compiled_now() == seen
