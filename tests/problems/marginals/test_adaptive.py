"""Tests of ``tacit.problems.marginals.adaptive``."""

import numpy as np
import pytest
from tests.problems.marginals.marginals_privacy_cases import METHODS, log_chance, pairs

from tacit import Ledger, Privacy, sanitize
from tacit.core import ADD_REMOVE, REPLACE_ONE
from tacit.domains import Schema
from tacit.problems.marginals.adaptive import _kept_noise
from tacit.queries import Marginals
from tacit.testing import seeded

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
@pytest.mark.parametrize(
    "asked",
    [{"ways": 2}, {"ways": 3}, {"ways": 2, "about": "b"}, {"ways": 3, "about": "c"}],
    ids=lambda asked: "-".join(map(str, asked.values())),
)
@pytest.mark.parametrize("method", METHODS, ids=lambda one: one.name)
def test_no_run_is_more_than_e_to_the_epsilon_likelier_next_door(method, asked, relation):
    worst = max(
        sum(map(log_chance, here)) - sum(map(log_chance, there))
        for here, there in pairs(method, relation, concentrated=False, runs=12, **asked)
    )
    assert worst <= 2 + 1e-9
    assert worst > 0.5


@pytest.mark.parametrize(("ways", "least", "most"), [(2, 0.2, 1), (3, 0, 0.05)])
def test_what_only_three_columns_show_is_measured_where_three_are_asked(ways, least, most):
    draw = np.random.default_rng(1)
    cells = draw.integers(0, 2, (4000, 4))
    cells[:, 3] = cells[:, 0] ^ cells[:, 1]  # any two of these three are independent
    schema = Schema.of(dict.fromkeys("abcd", bool)).declared_complete()
    release = sanitize(
        cells.astype(bool),
        Marginals(schema, ways=ways),
        privacy=Privacy(4, "1e-6"),
        ledger=Ledger.memory(4, "1e-6"),
    )
    made = release.value.cells[:, [0, 1, 3]] @ (4, 2, 1)
    truth = cells[:, [0, 1, 3]] @ (4, 2, 1)
    apart = np.abs(np.bincount(made, minlength=8) - np.bincount(truth, minlength=8)).sum() / 8000
    assert least <= apart <= most
    if ways == 3:
        assert apart <= release.certificate.error


def test_a_pair_of_equal_columns_is_found_at_a_budget_that_is_small_for_all_columns():
    draw = np.random.default_rng(2)
    cells = draw.integers(0, 16, (20_000, 8))
    cells[:, 1] = cells[:, 0]
    schema = Schema.of({name: range(16) for name in "abcdefgh"}).declared_complete()
    release = sanitize(
        cells,
        Marginals(schema, ways=2),
        privacy=Privacy("0.1", "1e-6"),
        ledger=Ledger.memory(1, "1e-6"),
    )
    made = np.bincount(release.value.cells[:, :2] @ (16, 1), minlength=256) / 20_000
    truth = np.bincount(cells[:, :2] @ (16, 1), minlength=256) / 20_000
    assert np.abs(made - truth).sum() / 2 < 0.5  # independent columns: 0.94


def test_a_table_about_a_column_measures_its_pairs_first():
    draw = np.random.default_rng(3)
    cells = draw.integers(0, 8, (6_000, 8))
    cells[:, 7] = cells[:, 3]  # the label is told by d
    cells[:, [1, 4, 6]] = cells[:, [0, 2, 5]]  # pairs that nobody asks about, measured as well
    schema = Schema.of({name: range(8) for name in "abcdefgh"}).declared_complete()
    found = {}
    for about in (None, "h"):
        told = []
        for seed in range(4):
            release = sanitize(
                cells,
                Marginals(schema, ways=2, about=about),
                privacy=Privacy("0.05", "1e-6"),
                ledger=Ledger.memory(1, "1e-6"),
                rng=seeded(seed),
            )
            made = release.value.cells
            told.append(float((made[:, 3] == made[:, 7]).mean()))
            if about is not None:
                here, there = (
                    np.bincount(rows[:, [3, 7]] @ (8, 1), minlength=64) for rows in (cells, made)
                )
                apart = np.abs(here / 6_000 - there / len(made)).sum() / 2
                assert apart <= release.certificate.error
        found[about] = float(np.mean(told))
    assert found["h"] > 0.5 > found[None]  # by chance: 1/8


def test_a_cell_keeps_no_more_noise_than_twice_its_records():
    guess = np.array([[0, 3], [200, 10]])
    assert _kept_noise(guess, 12.5) == 0 + 6 + 13 + 12  # 2 * 12.5, and 6: 31
    assert _kept_noise(guess, 0.0) == 0


@pytest.mark.parametrize("seed", range(6))
def test_impossible_cells_stay_empty_where_records_contradict_them(seed):
    """What lacks records that the law may not have would grow with every step."""
    cells = {"a": 2, "b": 2, "c": 5, "d": 5, "e": 3}
    told = {name: {"kind": "category", "values": [*range(size)]} for name, size in cells.items()}
    schema = Schema.of(told).declared_complete()
    queries = Marginals(schema, ways=4, impossible=[{"a": 0}])
    release = sanitize(
        np.array([[0, 1, 3, 3, 0]]),
        queries,
        privacy=Privacy(1000, 0, "add-remove"),
        ledger=Ledger.memory(1000),
        rng=seeded(seed),
        algorithm="adaptive-pairs",
        rows=1,
    )
    assert release.value.cells[0, 0] == 1
