"""Bands of points: a partition that follows from the rule alone, and rates that never fall."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.complete import complete

from tacit.problems.tables.boosted_rules import BoostedRule
from tacit.problems.tables.leaf_rates import LeafCounts
from tacit.problems.tables.rated_rule import RatedRule, parts_of
from tacit.problems.tables.score_bands import band_of, band_words, borders, rising
from tacit.problems.tables.scores import ScoreRule
from tacit.problems.tables.tree_nodes import Cut

SCHEMA = complete([range(5), range(3)])


@pytest.mark.parametrize("weights", [(1, 1), (2, -1), (-1, -3)])
@pytest.mark.parametrize("threshold", [-20, -1, 0, 3, 8, 50])
def test_every_record_is_in_one_band_and_a_band_has_one_answer(weights, threshold):
    rule = ScoreRule(schema=SCHEMA, columns=(0, 1), weights=weights, threshold=threshold, top=4)
    rows = list(product(range(5), range(3)))
    bands, said = band_of(rule, rows), rule.predict(rows)
    assert len(band_words(rule)) == len(borders(rule)) + 1 <= 9
    assert bands.min() >= 0
    assert bands.max() <= len(borders(rule))
    for band in set(bands.tolist()):
        assert len(set(said[bands == band].tolist())) == 1
    assert threshold in borders(rule)


@pytest.mark.property
def test_pooled_rates_are_the_nearest_that_rise():
    rng = np.random.default_rng(0)
    for _ in range(50):
        rates, weights = rng.random(5), rng.random(5) + 0.1
        found = np.array(rising(rates.tolist(), weights.tolist()))
        assert (np.diff(found) >= 0).all()
        assert np.isclose((found * weights).sum(), (rates * weights).sum())
        best = (weights * (found - rates) ** 2).sum()
        for _ in range(50):  # no other rising vector is nearer
            other = np.sort(rates + rng.normal(0, 0.2, 5))
            assert (weights * (other - rates) ** 2).sum() >= best - 1e-12


@pytest.mark.parametrize("threshold", [0, -35, 3, 500, -500])
@pytest.mark.parametrize("start", [-54, 0, 12])
def test_sums_of_trees_have_bands_around_their_start(start, threshold):
    """A band has one answer, and more points are never in a lower band."""
    cards = ((Cut(0, 1, ordered=True), -30, 30), (Cut(1, 0, ordered=True), 12, -5))
    rule = BoostedRule(schema=SCHEMA, start=start, trees=cards, threshold=threshold)
    rows = np.array(list(product(range(5), range(3))), dtype=object)
    bands, said, points = band_of(rule, rows), rule.predict(rows), rule.score(rows)
    assert len(band_words(rule)) == len(borders(rule)) + 1 <= 9
    assert all(len(set(said[bands == band].tolist())) == 1 for band in set(bands.tolist()))
    order = np.argsort(points, kind="stable")
    assert (np.diff(bands[order]) >= 0).all()
    assert len(set(bands.tolist())) == 4
    counted = LeafCounts(rule).count(rows, said)
    assert len(counted) == 2 * parts_of(rule)
    assert counted.sum() == len(rows)
    two = RatedRule(rule=rule, positives=(1, 2), others=(3, 4), scale=Fraction(1))
    assert RatedRule.from_dict(two.to_dict()) == two  # files of earlier versions
