"""Bands of points: a partition that follows from the rule alone, and rates that never fall."""

from itertools import product

import numpy as np
import pytest
from tests.complete import complete

from tacit.problems.tables.score_bands import band_of, band_words, borders, rising
from tacit.problems.tables.scores import ScoreRule

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
