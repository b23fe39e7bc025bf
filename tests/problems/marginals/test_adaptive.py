"""Tests of ``tacit.problems.marginals.adaptive``."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.problems.marginals.marginals_privacy_cases import (
    METHODS,
    UNEVEN,
    log_chance,
    pairs,
    renyi,
)

from tacit import Ledger, Privacy, sanitize
from tacit.core import ADD_REMOVE, REPLACE_ONE
from tacit.domains import Schema
from tacit.problems.marginals.adaptive import CHEAPEST, Adaptive, Round, _kept_noise
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


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
def test_the_divergences_add_up_to_at_most_rho_where_pairs_cost_differently(relation):
    weighed = 0
    for order in (1.5, 4.0):
        runs = [*pairs(Adaptive(), relation, concentrated=True, runs=2, schema=UNEVEN)]
        worst = max(
            sum(renyi(a, b, order) for a, b in zip(here, there, strict=True))
            for here, there in runs
        )
        assert 0.05 * order < worst <= 2 * order + 1e-6
        weighed += sum(
            np.abs(step[1]).max() > 100 for here, _ in runs for step in here if step[0] == "choice"
        )
    assert weighed > 0  # by-size rounds were among them


def test_what_pairs_cost_makes_all_noise_least():
    """By brute force over a grid: no division of the budget has less noise (Theorem 5)."""
    cells = (2, 8, 27)
    parts = ((0, 1), (0, 2), (1, 2))
    costs = Round.by_size(parts, cells).costs
    sizes = [cells[a] * cells[b] for a, b in parts]

    def noise(division):
        return sum(m / float(r) ** 0.5 for m, r in zip(sizes, division, strict=True))

    whole = sum(costs.values())
    ours = noise([costs[part] / whole for part in parts])
    grid = [Fraction(k, 60) for k in range(1, 59)]
    every = [noise((a, b, 1 - a - b)) for a, b in product(grid, grid) if a + b < 1]
    assert len(every) > 1000
    assert ours <= min(every) * 1.002
    assert ours < noise([Fraction(1, 3)] * 3) * 0.97
    assert ours < noise([Fraction(m, sum(sizes)) for m in sizes]) * 0.98


def test_no_measurement_costs_less_than_its_selection_and_cheap_gains_count_more():
    candidates = Round.by_size([(0, 1), (0, 2), (1, 2)], (2, 2, 1000))
    assert candidates.costs == {(0, 1): CHEAPEST, (0, 2): 1, (1, 2): 1}
    assert candidates.weights([(0, 1), (1, 2)]).tolist() == [1024, 113]
    assert candidates.weights([(0, 2), (1, 2)]).tolist() == [1, 1]
    assert Round.even([(0, 1), (1, 2)]).weights([(0, 1), (1, 2)]).tolist() == [1, 1]


def test_a_label_of_two_values_is_told_by_a_table_of_wide_columns():
    """Pairs of wide columns are answered worse, but those with the label cost little."""
    draw = np.random.default_rng(4)
    base = draw.integers(0, 20, 1500)
    near = [np.clip(base + draw.integers(-2, 3, 1500), 0, 19) for _ in range(12)]
    cells = np.stack([*near, base // 10], axis=1)
    schema = Schema.of({f"c{k}": range(20) for k in range(12)} | {"label": (0, 1)})
    told = []
    for seed in range(4):
        release = sanitize(
            cells,
            Marginals(schema, ways=2),
            privacy=Privacy(2, "1e-6", "add-remove"),
            ledger=Ledger.memory(2, "1e-6"),
            rng=seeded(seed),
        )
        made, truth = release.value.cells, schema.coerce(cells)
        for column in range(12):
            here, there = (
                np.bincount(rows[:, column] * 4 + rows[:, 12], minlength=100) / len(rows)
                for rows in (truth, made)
            )
            told.append(np.abs(here - there).sum() / 2)
    assert len(told) == 48
    assert np.mean(told) < 0.2


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
