"""Long columns are placed by a guess that the borders correct: any borders, any values."""

import numpy as np
import pytest

from tacit.domains.kernels import count_borders, place_table

ODD = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1e308, -1e308, 5e-324, 1.0, -1.0, 0.5])


def borders(kind, many, rng):
    if kind == "random":
        return np.sort(rng.random(many))
    if kind == "uneven":
        return np.cumsum(rng.random(many) ** 8)
    if kind == "even":
        return np.linspace(-1, 1, many)
    return np.sort(rng.choice(ODD[3:], many))


def values(cuts, rng):
    near = [np.nextafter(cuts, -np.inf), cuts, np.nextafter(cuts, np.inf)]
    return np.concatenate([ODD, *near, rng.standard_normal(20), rng.random(20)])


@pytest.mark.parametrize("kind", ["random", "uneven", "even", "extreme and repeated"])
@pytest.mark.parametrize("missing", [0, 1])
def test_a_value_is_placed_as_searchsorted_places_it(kind, missing):
    rng = np.random.default_rng(missing)
    for many in (0, 1, 2, 3, 8, 30):
        cuts = borders(kind, many, rng)
        x = values(cuts, rng)
        stated = np.searchsorted(cuts, x, side="right") + missing
        stated[np.isnan(x)] = 0
        assert np.array_equal(count_borders(x, cuts, missing), stated)


def test_columns_of_a_table_keep_their_own_borders():
    rng = np.random.default_rng(5)
    cuts = [borders("even", many, rng) for many in (0, 5, 1, 12)]
    ends = np.cumsum([0, *map(len, cuts)]).astype(np.int64)
    missing = np.array([1, 0, 1, 0])
    table = rng.standard_normal((2500, 4))
    placed = place_table(table, np.concatenate(cuts), ends, missing)
    for column, own in enumerate(cuts):
        alone = np.searchsorted(own, table[:, column], side="right") + missing[column]
        assert np.array_equal(placed[column], alone)


@pytest.mark.parametrize("many", [2, 3, 63, 64, 1000])
@pytest.mark.parametrize("low", [0.0, -1e6, 1e-300, 1e15])
def test_long_columns_between_even_borders_are_placed_as_searchsorted_places_them(many, low):
    rng = np.random.default_rng(many)
    width = max(1.0, abs(low)) if low != 1e-300 else 1e-297
    cuts = low + width * np.arange(1, many + 1) / (many + 1)
    inside = low + width * rng.random(6000)
    near = rng.choice(values(cuts, rng), 30)
    for x in (inside, np.concatenate([inside, near, inside]), np.resize(near, 5000)):
        stated = np.searchsorted(cuts, x, side="right") + 1
        stated[np.isnan(x)] = 0
        assert np.array_equal(count_borders(x, cuts, 1), stated)
