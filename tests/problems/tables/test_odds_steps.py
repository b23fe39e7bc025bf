"""What learners of points share: sensitivities on every pair, chances, the start and the noise."""

from fractions import Fraction

import numpy as np
import pytest
from tests.problems.tables.table_boosted_cases import budget

from tacit.checks.testing import seeded
from tacit.core import Relation
from tacit.mechanisms.calibration import SLOPES_RATIO
from tacit.problems.tables.odds_steps import STEPS, NoisySums, chances, slopes, started

pytestmark = pytest.mark.exact


def moves(relation, steps):
    """For every pair of neighbouring records what their sums and weights move by, as arrays.

    A record is ``(chance, label)``; same part and different parts.
    """
    chance = np.arange(1, steps)
    gap = np.concatenate([steps - chance, -chance])
    slope = np.concatenate([slopes(chance, steps)] * 2)
    if relation is Relation.ADD_REMOVE:
        return gap[:, None], slope[:, None], None
    if relation is Relation.LABEL:
        half = len(chance)
        return (gap[:half] - gap[half:])[:, None], (slope[:half] - slope[half:])[:, None], None
    same = gap[:, None] - gap[None], slope[:, None] - slope[None]
    apart = (gap, slope)
    return (*same, apart)


@pytest.mark.parametrize("steps", [2, 3, 16, STEPS])
@pytest.mark.parametrize("relation", Relation)
def test_sums_move_no_more_than_stated(relation, steps):
    """Every pair of records on the whole grid, in the same part and in different ones."""
    gap, slope, apart = moves(relation, steps)
    most = 2 if relation is Relation.REPLACE_ONE else 1
    c = float(SLOPES_RATIO.get(relation, Fraction(1)))
    squares = (gap / steps) ** 2 + (c * slope / steps) ** 2
    if relation is Relation.LABEL:
        assert not slope.any()
        squares = (gap / steps) ** 2
    assert squares.max() <= most**2
    assert (abs(gap) + abs(slope)).max() <= most * steps
    if apart is not None:
        one = (apart[0] / steps) ** 2 + (c * apart[1] / steps) ** 2
        assert 2 * one.max() <= most**2
        assert 2 * (abs(apart[0]) + apart[1]).max() <= most * steps
    if steps == STEPS:
        assert squares.max() > 0.9 * most**2  # a smaller noise would not do


def test_a_chance_depends_on_the_score_alone():
    score = np.arange(-500, 501)
    alone = [int(chances(np.array([one]), STEPS)[0]) for one in score.tolist()]
    assert chances(score, STEPS).tolist() == alone
    for shift in range(1, 9):  # the same records, each at another place
        assert chances(np.roll(score, shift), STEPS).tolist() == np.roll(alone, shift).tolist()


def test_chances_are_whole_numbers_between():
    score = np.arange(-900, 901)
    chance = chances(score, STEPS)
    assert chance.min() == 1
    assert chance.max() == STEPS - 1
    assert (np.diff(chance) >= 0).all()
    assert chance[900] == STEPS // 2


def test_noise_of_parts_is_noise_of_each_part():
    """All parts at once and one by one have the same law; labels alone leave slopes as they are."""
    for concentrated in (False, True):
        for relation in Relation:
            noise = NoisySums(budget(1, concentrated, relation), STEPS)
            many = 3000
            zeros = np.zeros(many, dtype=np.int64)
            at_once = noise.of_parts(zeros, zeros, seeded("parts"))
            rng = seeded("part")
            each = np.array([noise.of_part(0, 0, rng) for _ in range(many)]).T
            for sums, singly, scale in zip(at_once, each, noise.noise, strict=True):
                variance = float(scale) if concentrated else 2 * float(scale) ** 2
                if relation is Relation.LABEL and sums is at_once[1]:
                    assert not sums.any()
                    assert not singly.any()
                    continue
                for found in (sums, singly):
                    ratio = float(np.mean(found.astype(float) ** 2)) / variance
                    # Fourth moments: 3 of Gaussian and 6 of two-sided geometric noise.
                    spread = 5 * ((2 if concentrated else 5) / many) ** 0.5
                    assert abs(ratio - 1) < spread
                    assert abs(ratio - 2) > spread  # twice the variance would be noticed
            assert noise.usual**2 == pytest.approx(
                float(noise.noise[0]) if concentrated else 2 * float(noise.noise[0]) ** 2
            )


def test_the_start_is_the_share_and_nothing_where_noise_rules():
    assert started(np.array([100, 100]), 1.0) == 0
    assert started(np.array([1, 10**6]), 1.0) == 100
    assert started(np.array([10**6, -7]), 1.0) == -100
    assert started(np.array([30, 90]), 0.001) == round(20 * np.log(3))
    assert abs(started(np.array([30, 90]), 10**5)) == 0
