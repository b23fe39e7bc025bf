"""What learners of points share: sensitivities on every pair, chances, the start and the noise."""

from fractions import Fraction

import numpy as np
import pytest
from tests.complete import complete
from tests.problems.tables.table_boosted_cases import budget

from tacit.checks.testing import seeded
from tacit.core import Relation
from tacit.mechanisms.calibration import (
    CAPPED_RATIO,
    SLOPES_RATIO,
    slopes_scale,
    slopes_variance,
)
from tacit.problems.tables.boosted_rules import BoostedRule
from tacit.problems.tables.odds_steps import (
    STEPS,
    NoisySums,
    chances,
    gaps_of,
    slopes,
    started,
)

pytestmark = pytest.mark.exact
ONE = complete([range(1)])


def moves(relation, steps, capped):
    """For every pair of neighbouring records what their sums and weights move by, as arrays.

    A record is ``(chance, label)``; same part and different parts.
    """
    chance = np.arange(1, steps)
    labels = np.repeat([True, False], steps - 1)
    gap = gaps_of(labels, np.tile(chance, 2), steps, capped=capped)
    slope = np.concatenate([slopes(chance, steps)] * 2)
    if relation is Relation.ADD_REMOVE:
        return gap[:, None], slope[:, None], None
    if relation is Relation.LABEL:
        half = len(chance)
        return (gap[:half] - gap[half:])[:, None], (slope[:half] - slope[half:])[:, None], None
    same = gap[:, None] - gap[None], slope[:, None] - slope[None]
    apart = (gap, slope)
    return (*same, apart)


@pytest.mark.parametrize("capped", [False, True])
@pytest.mark.parametrize("steps", [2, 3, 16, STEPS])
@pytest.mark.parametrize("relation", Relation)
def test_sums_move_no_more_than_stated(relation, steps, capped):
    """Every pair of records on the whole grid, in the same part and in different ones."""
    gap, slope, apart = moves(relation, steps, capped)
    squared = float(slopes_variance(rho=Fraction(1, 2), relation=relation, capped=capped))
    most = float(slopes_scale(epsilon=Fraction(1), relation=relation, capped=capped))
    ratios = CAPPED_RATIO if capped else SLOPES_RATIO
    c = float(ratios.get(relation, Fraction(1)))
    squares = (gap / steps) ** 2 + (c * slope / steps) ** 2
    if relation is Relation.LABEL:
        assert not slope.any()
        squares = (gap / steps) ** 2
    assert squares.max() <= squared
    taken = (abs(gap) + abs(slope)).max()
    assert taken <= most * steps
    if apart is not None:
        one = (apart[0] / steps) ** 2 + (c * apart[1] / steps) ** 2
        assert 2 * one.max() <= squared
        taken = max(taken, 2 * (abs(apart[0]) + apart[1]).max())
        assert taken <= most * steps
    if steps == STEPS:
        assert squares.max() > 0.9 * squared  # a smaller noise would not do
        assert taken > 0.9 * most * steps
    if capped:
        assert abs(gap if apart is None else apart[0]).max() <= steps / 2 or (
            relation is Relation.LABEL
        )


def test_a_cap_takes_noise_away_and_never_adds_it():
    """On sums of gaps: 3/4 of the scale, and less than a third of the variance."""
    for relation, scale, square in (
        (Relation.REPLACE_ONE, Fraction(3, 4), Fraction(5, 16)),
        (Relation.ADD_REMOVE, Fraction(3, 4), Fraction(1, 2)),
        (Relation.LABEL, 1, 1),
    ):
        for concentrated, share in ((False, scale), (True, square)):
            plain, capped = (
                NoisySums(budget(1, concentrated, relation), STEPS, capped=capped)
                for capped in (False, True)
            )
            assert capped.noise[0] == share * plain.noise[0]


@pytest.mark.parametrize("capped", [False, True])
def test_a_constant_score_with_no_gap_stands_for_the_share_of_the_records(capped):
    """Theorem 4, on the grid of chances: where all gaps cancel, and what odds that score means."""
    for ones in (1, 5, 20, 49, 50, 51, 90, 99):
        labels = np.arange(100) < ones
        start = started(np.array([100 - ones, ones]), 1e-9, capped=capped)
        chance = chances(np.full(100, start), STEPS)
        gap = gaps_of(labels, chance, STEPS, capped=capped).sum() / STEPS
        # A start is rounded to a point and cut off at 100, a chance to 1/256: 1/60 a record.
        assert abs(gap) <= 100 / 60
        if abs(start) < 100:
            rule = BoostedRule(schema=ONE, start=start, trees=(), capped=capped)
            odds = float(rule.log_odds(np.zeros((1, 1)))[0])
            assert odds == pytest.approx(np.log(ones / (100 - ones)), abs=0.026)


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
