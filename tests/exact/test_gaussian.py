"""Tests of ``tacit.exact.gaussian``."""

from fractions import Fraction
from math import exp

import numpy as np
import pytest
from tests.exact.sanitizers_laws_cases import SOME
from tests.tools.levels import accepts

from tacit.checks.testing import seeded
from tacit.exact import gaussian
from tacit.exact.gaussian import discrete_gaussian, discrete_gaussians

pytestmark = pytest.mark.statistical

MANY = 300_000


def _gauss(variance, reach):
    weights = [exp(-z * z / (2 * variance)) for z in range(-reach, reach + 1)]
    return [w / sum(weights) for w in weights]


@pytest.mark.parametrize("variance", [Fraction(1, 3), Fraction(1), Fraction(9, 2), Fraction(100)])
def test_discrete_gaussian_noise(variance):
    reach = 8 * int(float(variance) ** 0.5 + 1)
    size = 2 * reach + 1
    many = discrete_gaussians(seeded(f"gauss {variance}"), variance, MANY)
    rng = seeded(f"one {variance}")
    few = np.array([discrete_gaussian(rng, variance) for _ in range(SOME)])
    for drawn in (many, few):
        seen = np.bincount(np.clip(drawn, -reach, reach) + reach, minlength=size)
        assert accepts(seen, _gauss(float(variance), reach))
        assert not accepts(seen, _gauss(float(variance) * 0.8, reach))
        assert not accepts(seen, _gauss(float(variance) * 1.25, reach))


@pytest.mark.exact
@pytest.mark.parametrize("variance", [Fraction(1, 3), Fraction(4), Fraction(6), Fraction(40001, 7)])
def test_the_walk_along_the_table_finds_the_cells_that_each_size_has_alone(variance):
    side = gaussian._side(variance)  # 6 is a variance whose second cell is certain: 6 / 3 is whole
    alone = [
        gaussian._cell(gaussian._penalty(size, variance, side))
        for size in range(gaussian._REACH * side + 1)
    ]
    assert gaussian._kept(variance).tolist() == alone


@pytest.mark.exact
def test_a_cell_that_the_walk_leaves_in_doubt_is_computed_alone(monkeypatch):
    wanted = gaussian._kept(Fraction(50)).tolist()
    monkeypatch.setattr(gaussian, "_WALK_BITS", 24)
    assert gaussian._kept.__wrapped__(Fraction(50)).tolist() == wanted
