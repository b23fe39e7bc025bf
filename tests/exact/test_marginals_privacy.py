"""Privacy of synthetic tables, exactly: every step's likelihood on neighbouring data sets."""

from fractions import Fraction
from itertools import product
from math import log
from typing import ClassVar

import numpy as np
import pytest

from tacit.core import ADD_REMOVE, REPLACE_ONE, Sample
from tacit.domains import Schema
from tacit.mechanisms.calibration import misfit_spread
from tacit.problems.marginals import budget as budget_module
from tacit.problems.marginals.adaptive import Adaptive
from tacit.problems.marginals.budget import Budget
from tacit.problems.marginals.fitting import Measured, product_of
from tacit.problems.marginals.independent import Independent
from tacit.problems.marginals.method import gains
from tacit.problems.marginals.pair_tree import PairTree
from tacit.problems.marginals.queries import Conditions, Marginals, PrefixSums, Ranges
from tacit.problems.marginals.sanitizer import TableSanitizer
from tacit.tallies.parts import counts_of, counts_of_cells
from tacit.testing import seeded

SCHEMA = Schema.of({"a": bool, "b": bool, "c": bool}).declared_complete()
METHODS = (Independent(), PairTree(), Adaptive(rounds=1))
FIRST = np.array([[0, 0, 0], [0, 0, 0], [0, 0, 0], [1, 1, 0]])
REPLACED = np.array([[0, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 1]])
NEIGHBOURS = {REPLACE_ONE: REPLACED, ADD_REMOVE: FIRST[:-1]}


class Steps(Budget):
    """A budget that writes down each step, or repeats the outputs that were written down."""

    log: ClassVar[list] = []
    outputs: ClassVar[list | None] = None

    def _step(self, kind, given, rng, method):
        if Steps.outputs is not None:
            rng.force(kind, given, Steps.outputs[len(Steps.log)])
        output = method(given, rng)
        Steps.log.append((kind, given, rng.law, output))
        return output

    def measured(self, counts, rng):
        return self._step("noise", counts, rng, super().measured)

    def counted(self, count, rng):
        return self._step("noise", np.array([count]), rng, lambda one, r: self._one(one, r))

    def _one(self, one, rng):
        return np.array([Budget.counted(self, int(one[0]), rng)])

    def chosen(self, gains, rng):
        return self._step("choice", gains, rng, super().chosen)


class Coins:
    """The exact sampler, which also tells the law of its last draw and can be made to repeat."""

    private = False

    def __init__(self, seed):
        self._rng, self._forced, self.law = seeded(seed), None, None

    def force(self, kind, given, output):
        self._forced = (output - given).reshape(-1) if kind == "noise" else (given, output)

    def _noise(self, draw, law, count):
        self.law = law
        forced, self._forced = self._forced, None
        return draw() if forced is None else forced.astype(np.int64)

    def geometrics(self, scale, count):
        return self._noise(lambda: self._rng.geometrics(scale, count), ("geometric", scale), count)

    def gaussians(self, variance, count):
        law = ("gaussian", variance)
        return self._noise(lambda: self._rng.gaussians(variance, count), law, count)

    def geometric(self, scale):
        return int(self.geometrics(scale, 1)[0])

    def gaussian(self, variance):
        return int(self.gaussians(variance, 1)[0])

    def level(self, levels, rate):
        self.law = ("selection", rate)
        if self._forced is None:
            return self._rng.level(levels, rate=rate)
        gains, output = self._forced
        return int(np.flatnonzero(levels.errors == -gains[output])[0])

    def below(self, bound):
        if self._forced is None:
            return self._rng.below(bound)
        (gains, output), self._forced = self._forced, None
        return int(np.flatnonzero(np.flatnonzero(gains == gains[output]) == output)[0])


def transcript(method, data, *, concentrated, relation, seed, outputs=None, amount=2):
    """The steps of one run, and the table; with ``outputs`` the same outputs on other data."""
    Steps.log, Steps.outputs = [], outputs
    budget = Steps(amount=Fraction(amount), concentrated=concentrated, relation=relation)
    mechanism = TableSanitizer(
        queries=Marginals(SCHEMA, ways=2),
        method=method,
        budget=budget,
        n=len(data) if relation is REPLACE_ONE else None,
        each=Fraction(1, 10),
    )
    table = mechanism._release(Sample(data.astype(bool), None), rng=Coins(seed))
    return Steps.log, table


def log_chance(step):
    kind, given, (law, number), output = step
    if kind == "choice":
        weights = float(number) * given.astype(float)
        return weights[output] - np.logaddexp.reduce(weights)
    shift = (output - given).reshape(-1).astype(float)
    assert law == "geometric"
    return -float(np.abs(shift).sum()) / float(number)  # but for a constant


def pairs(method, relation, *, concentrated, runs):
    other = NEIGHBOURS[relation]
    for seed in range(runs):
        for one, two in ((FIRST, other), (other, FIRST)):
            shared = {"concentrated": concentrated, "relation": relation, "seed": f"{seed}"}
            here, table = transcript(method, one, **shared)
            outputs = [step[3] for step in here]
            there, again = transcript(method, two, outputs=outputs, **shared)
            assert table == again  # the same outputs give the same table: it has no other source
            assert [step[2] for step in here] == [step[2] for step in there]
            yield here, there


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
@pytest.mark.parametrize("method", METHODS, ids=lambda one: one.name)
def test_no_run_is_more_than_e_to_the_epsilon_likelier_next_door(method, relation):
    worst = max(
        sum(map(log_chance, here)) - sum(map(log_chance, there))
        for here, there in pairs(method, relation, concentrated=False, runs=12)
    )
    assert worst <= 2 + 1e-9
    assert worst > 0.5


def test_a_wrong_noise_scale_is_caught(monkeypatch):
    right = budget_module.noise_scale
    monkeypatch.setattr(budget_module, "noise_scale", lambda **given: right(**given) / 4)
    losses = [
        sum(map(log_chance, here)) - sum(map(log_chance, there))
        for here, there in pairs(Independent(), REPLACE_ONE, concentrated=False, runs=4)
    ]
    assert max(losses) > 2


@pytest.mark.parametrize(("relation", "most"), [(REPLACE_ONE, 4), (ADD_REMOVE, 2)])
def test_distances_move_apart_by_the_spread_that_selections_assume(relation, most):
    """So twice the rate would break the promise: the spread is met by some neighbours."""
    every = ((0, 1), (0, 2), (1, 2))
    law = product_of(
        [Measured((column,), np.array([2.0, 1.0]), 1.0) for column in range(3)], total=3
    )
    records = list(product(range(2), repeat=3))

    def distances(rows):
        cells = np.array(rows, dtype=np.int32).reshape(-1, 3)
        return gains(counts_of_cells(cells, SCHEMA, every), law, every, total=3)

    apart = 0
    for data in product(records, repeat=2):
        others = [(data[0], other) for other in records]
        for other in others if relation is REPLACE_ONE else [data[:1]]:
            moved = distances(other) - distances(data)
            apart = max(apart, int(moved.max() - moved.min()))
    assert apart <= most == misfit_spread(relation)
    assert apart > most / 2
    coins = Coins("rate")
    Budget(amount=Fraction(3), concentrated=False, relation=relation).chosen(
        np.array([3, 1]), coins
    )
    assert coins.law == ("selection", Fraction(3, most))
    coins = Coins("rate")
    Budget(amount=Fraction(2), concentrated=True, relation=relation).chosen(np.array([3, 1]), coins)
    assert abs(float(coins.law[1]) - 4 / most) < 1e-9  # sqrt(8 rho) is 4


def renyi(here, there, order):
    """The exact divergence of one step, given the same history."""
    kind, given, (law, number), _ = here
    if kind == "choice":
        p, q = (_selection(float(number), one[1]) for one in (here, there))
        return log((p**order * q ** (1 - order)).sum()) / (order - 1)
    assert law == "gaussian"
    return sum(
        _gaussian(int(shift), float(number), order)
        for shift in (given - there[1]).reshape(-1).tolist()
    )


def _selection(rate, gains):
    weights = np.exp(rate * (gains - gains.max()))
    return weights / weights.sum()


def _gaussian(shift, variance, order):
    z = np.arange(-400, 401).astype(float)
    p, q = (-((z - move) ** 2) / (2 * variance) for move in (shift, 0))
    p, q = p - np.logaddexp.reduce(p), q - np.logaddexp.reduce(q)
    return np.logaddexp.reduce(order * p + (1 - order) * q) / (order - 1)


@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
@pytest.mark.parametrize("method", METHODS, ids=lambda one: one.name)
def test_the_divergences_of_all_steps_add_up_to_at_most_rho(method, relation):
    for order in (1.5, 4.0):
        worst = max(
            sum(renyi(a, b, order) for a, b in zip(here, there, strict=True))
            for here, there in pairs(method, relation, concentrated=True, runs=4)
        )
        assert 0.05 * order < worst <= 2 * order + 1e-6


def test_too_little_gaussian_noise_is_caught(monkeypatch):
    right = budget_module.noise_variance
    monkeypatch.setattr(budget_module, "noise_variance", lambda **given: right(**given) / 4)
    worst = max(
        sum(renyi(a, b, 2.0) for a, b in zip(here, there, strict=True))
        for here, there in pairs(Independent(), REPLACE_ONE, concentrated=True, runs=2)
    )
    assert worst > 2 * 2.0


QUERIES = (
    Marginals(SCHEMA, ways=2),
    Marginals(SCHEMA, ways=1),
    Conditions(SCHEMA, ways=2),
    Ranges(Schema.of([range(3), ("u", "v")]).declared_complete()),
    PrefixSums(Schema.of([range(3), ("u", "v")]).declared_complete()),
)


def plain_counts(rows, queries):
    found = {}
    for part in queries.parts:
        counts = np.zeros([queries.schema.cells[c] for c in part], dtype=np.int64)
        for row in rows:
            counts[tuple(row[c] for c in part)] += 1
        found[part] = counts
    return found


@pytest.mark.parametrize("queries", QUERIES, ids=lambda one: f"{one.name} {one.ways}")
def test_every_error_moves_by_at_most_one(queries):
    cells = queries.schema.cells
    records = list(product(*map(range, cells)))
    tables = np.random.default_rng(1).integers(0, np.array(cells), size=(2, 5, len(cells)))
    compared = 0
    for table in tables.tolist():
        made = plain_counts(table, queries)

        def errors(rows, made=made):
            return queries.errors(plain_counts(rows, queries), made, n=2, rows=5)

        known = {data: errors(data) for data in product(records, repeat=2)}
        fewer = {record: errors((record,)) for record in records}
        for (first, _), here in known.items():
            neighbours = [known[first, other] for other in records] + [fewer[first]]
            for there in neighbours:
                assert int(np.abs(there - here).max()) <= 1
                assert abs(int(there.max()) - int(here.max())) <= 1
                compared += 1
    assert compared >= 2 * len(records) ** 3


def test_the_pair_that_floating_point_moves_by_two():
    schema = Schema.of([bool, bool]).declared_complete()
    queries = Marginals(schema, ways=2)
    table = {(0, 1): np.array([[0, 2], [2, 3]])}
    errors = [
        int(queries.errors({(0, 1): np.array(one)}, table, n=20, rows=7)[0])
        for one in ([[6, 4], [3, 7]], [[7, 4], [2, 7]])
    ]
    assert errors == [6, 7]
    floats = [
        np.ceil(0.5 * np.abs(np.array(one) - table[0, 1] * 20 / 7).sum())
        for one in ([[6, 4], [3, 7]], [[7, 4], [2, 7]])
    ]
    assert floats[1] - floats[0] == 2


def test_counts_hold_every_record_once():
    data = Sample(FIRST.astype(bool), None)
    counts = counts_of(data, SCHEMA, ((0,), (0, 1), (0, 1, 2)))
    assert [int(one.sum()) for one in counts.values()] == [4, 4, 4]
    assert counts[0, 1].tolist() == [[3, 0], [0, 1]]
