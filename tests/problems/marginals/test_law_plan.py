"""Tests of ``tacit.problems.marginals.law_plan`` and its kernels against a table of all cells."""

from itertools import combinations

import numpy as np
import pytest

from tacit.problems.marginals import law_plan
from tacit.problems.marginals.law_kernels import join, weights_of
from tacit.problems.marginals.law_plan import Plan
from tacit.problems.marginals.model import Law
from tacit.problems.marginals.order import order_of

IMPOSSIBLE = -1e30


def all_cells(cells, factors):
    """The joint law, from logarithms added up over every cell."""
    logs = np.zeros(cells)
    for columns, factor in factors.items():
        axes = sorted(range(len(columns)), key=columns.__getitem__)
        shape = [size if column in columns else 1 for column, size in enumerate(cells)]
        logs = logs + factor.transpose(axes).reshape(shape)
    weights = np.exp(logs - logs.max())
    return weights / weights.sum()


def summed(whole, columns):
    kept = whole.sum(axis=tuple(c for c in range(whole.ndim) if c not in columns))
    return kept.transpose([sorted(columns).index(column) for column in columns])


def made_up(seed):
    """Some columns, a few of one cell, and factors of one to four of them in any order."""
    rng = np.random.default_rng(seed)
    width = int(rng.integers(1, 7))
    cells = tuple(rng.choice([1, 2, 3, 4, 5, 8], width).tolist())
    together = []
    for _ in range(int(rng.integers(0, 8))):
        many = min(width, int(rng.choice([1, 2, 2, 2, 3, 4])))
        together.append(tuple(rng.permutation(width)[:many].tolist()))
    factors = {
        columns: rng.normal(0, 2, [cells[c] for c in columns])
        for columns in dict.fromkeys(together)
    }
    return rng, cells, factors


def compare(cells, factors, *, more=()):
    """Everything that is read off a law is that of the whole table."""
    law = Law.of(order_of(cells, [*factors, *more]), factors)
    whole = all_cells(cells, factors)
    for columns, factor in factors.items():
        assert np.array_equal(law.factors[columns], factor)
        assert np.allclose(law.marginal(columns), summed(whole, columns), atol=1e-12)
    for columns, table in law.pairs(range(len(cells))).items():
        assert np.allclose(table, summed(whole, columns), atol=1e-12)
    for axes, table in zip(law.order.axes, law.tables, strict=True):
        assert np.allclose(table, summed(whole, axes), atol=1e-12)
    for step, chances in zip(law.order.steps, law.chances(), strict=True):
        table = summed(whole, (step.column, *step.given))
        given = table.sum(axis=0)
        assert np.allclose(chances.sum(axis=0), 1)
        assert np.allclose(chances * given, table, atol=1e-12)
    return law


def quick(law):
    """Whether its weights can be multiplied."""
    values = np.empty(law.plan.many + sum(table[0].size for table in law.tables))
    sums = np.empty(len(values) - law.plan.many)
    weights_of(law.logs, law.plan._ends, values)
    return join(values, np.empty(law.order.size), sums, *law.plan._loops, np.False_)


@pytest.mark.parametrize("seed", range(60))
def test_laws_are_those_of_a_table_of_all_cells(seed):
    _, cells, factors = made_up(seed)
    assert quick(compare(cells, factors))


@pytest.mark.parametrize("seed", range(20))
def test_tables_may_be_larger_than_factors_need(seed):
    rng, cells, factors = made_up(seed)
    more = [tuple(rng.permutation(len(cells))[:3].tolist())]
    compare(cells, factors, more=more)


@pytest.mark.parametrize("seed", range(40))
def test_impossible_cells_and_steep_factors(seed):
    rng, cells, factors = made_up(seed)
    for factor in factors.values():
        factor *= rng.choice([1, 30, 400])
        if factor.size > 1:
            gone = rng.random(factor.shape) < 0.3
            gone.flat[rng.integers(factor.size)] = False
            factor[gone] = IMPOSSIBLE
    whole = all_cells(cells, factors)
    compare(cells, factors)
    assert np.isfinite(whole).all()


def test_weights_that_are_lost_are_summed_as_logarithms():
    rng = np.random.default_rng(5)
    cells, together = (4, 3, 5), [(0, 1), (1, 2), (0, 2)]
    factors = {columns: 900 * rng.normal(size=[cells[c] for c in columns]) for columns in together}
    assert not quick(compare(cells, factors))
    factors[0, 1][2] = factors[0, 1][:, 1] = IMPOSSIBLE
    assert not quick(compare(cells, factors))


def test_weights_and_logarithms_give_the_same_law(monkeypatch):
    _, cells, factors = made_up(31)
    law = Law.of(order_of(cells, factors), factors)
    monkeypatch.setattr(
        law_plan, "join", lambda *given: given[-1] and join(*given)
    )  # as if weights were lost
    sure = Law.of(order_of(cells, factors), factors)
    assert np.allclose(law.marginals, sure.marginals, rtol=1e-12, atol=0)


def test_a_law_without_factors_is_even():
    law = compare((3, 1, 4), {})
    assert np.allclose(law.marginal((2,)), 0.25)


def test_chains_and_stars_of_many_columns():
    rng = np.random.default_rng(8)
    cells = tuple(rng.integers(2, 5, 40).tolist())
    chain = [(c, c + 1) for c in range(39) if c != 20]  # two parts
    factors = {pair: rng.normal(size=[cells[c] for c in pair]) for pair in chain}
    law = Law.of(order_of(cells, factors), factors)
    for some in (range(5), range(18, 21), range(21, 26)):
        end = some[-1] + 1
        # what follows a stretch of the chain is a message: sum it out from the far end
        stop, tail = next(c for c in (21, 40) if c >= end), None
        for left in range(stop - 2, end - 2, -1):
            weights = np.exp(factors[left, left + 1])
            tail = weights @ (np.ones(cells[left + 1]) if tail is None else tail)
        start, head = 0 if end <= 21 else 21, None
        for right in range(start + 1, some[0] + 1):
            weights = np.exp(factors[right - 1, right])
            head = (np.ones(cells[right - 1]) if head is None else head) @ weights
        inside = {
            tuple(c - some[0] for c in pair): factors[pair]
            for pair in chain
            if pair[0] >= some[0] and pair[1] < end
        }
        if head is not None:
            inside[0,] = np.log(head)
        if tail is not None:
            inside[len(some) - 1,] = np.log(tail)
        whole = all_cells(cells[some[0] : end], inside)
        for a, b in combinations(range(len(some)), 2):
            found = law.pairs([some[a]])[some[a], some[b]]
            assert np.allclose(found, summed(whole, (a, b)), atol=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_tables_lie_turned_and_turn_back(seed):
    _, cells, factors = made_up(seed)
    plan = Plan(order_of(cells, factors), tuple(factors))
    flat = np.full(plan.many, np.nan)
    for columns, factor in factors.items():
        flat[plan.places[columns]] = plan.flat(columns, factor)
    assert not np.isnan(flat).any()
    for columns, factor in factors.items():
        assert np.array_equal(plan.table(columns, flat), factor)


def test_columns_of_one_cell_may_be_more_than_letters():
    cells = (2, *[1] * 50, 3)
    everything = {tuple(range(52)): np.arange(6.0).reshape(cells)}
    law = Law.of(order_of(cells, everything), everything)
    weights = np.exp(np.arange(6.0).reshape(2, 3))
    assert np.allclose(law.marginal((0, 51)), weights / weights.sum())
    assert np.allclose(law.chances()[law.order.place[30]].sum(axis=0), 1)
