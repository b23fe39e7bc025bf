"""Cases that several tests share: Privacy of synthetic tables, exactly: every step's likelihood on neighbouring data sets."""

from fractions import Fraction
from math import log
from typing import ClassVar

import numpy as np

from tacit.core import ADD_REMOVE, REPLACE_ONE, Sample
from tacit.domains import Schema
from tacit.problems.marginals.adaptive import Adaptive
from tacit.problems.marginals.budget import Budget
from tacit.problems.marginals.independent import Independent
from tacit.problems.marginals.pair_tree import PairTree
from tacit.problems.marginals.queries import Marginals
from tacit.problems.marginals.sanitizer import TableSanitizer
from tacit.problems.marginals.together import Together
from tacit.testing import seeded

SCHEMA = Schema.of({"a": bool, "b": bool, "c": bool}).declared_complete()


UNEVEN = Schema.of({"a": bool, "b": [*range(9)], "c": [*range(7)]}).declared_complete()
"""Pairs of 14, 18 and 63 cells, which cost differently."""


METHODS = (Independent(), PairTree(), Adaptive(rounds=1), Together())


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

    def chosen(self, gains, rng, *, weights=None):
        if weights is None:
            weights = np.ones(len(gains), dtype=np.int64)
        chosen = super().chosen

        def again(_, coins):
            return chosen(gains, coins, weights=weights)

        return self._step("choice", gains * weights, rng, again)


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


def transcript(
    method,
    data,
    *,
    concentrated,
    relation,
    seed,
    outputs=None,
    amount=2,
    asked=None,
    schema=SCHEMA,
):
    """The steps of one run, and the table; with ``outputs`` the same outputs on other data."""
    Steps.log, Steps.outputs = [], outputs
    budget = Steps(amount=Fraction(amount), concentrated=concentrated, relation=relation)
    mechanism = TableSanitizer(
        queries=Marginals(schema, **(asked or {"ways": 2})),
        method=method,
        budget=budget,
        n=len(data) if relation is REPLACE_ONE else None,
        each=Fraction(1, 10),
    )
    given = data.astype(bool) if schema is SCHEMA else data
    table = mechanism._release(Sample(given, None), rng=Coins(seed))
    return Steps.log, table


def log_chance(step):
    kind, given, (law, number), output = step
    if kind == "choice":
        weights = float(number) * given.astype(float)
        return weights[output] - np.logaddexp.reduce(weights)
    shift = (output - given).reshape(-1).astype(float)
    assert law == "geometric"
    return -float(np.abs(shift).sum()) / float(number)  # but for a constant


def pairs(method, relation, *, concentrated, runs, schema=SCHEMA, **asked):
    other = NEIGHBOURS[relation]
    for seed in range(runs):
        for one, two in ((FIRST, other), (other, FIRST)):
            shared = {"concentrated": concentrated, "relation": relation, "seed": f"{seed}"}
            shared |= {"asked": asked, "schema": schema}
            here, table = transcript(method, one, **shared)
            outputs = [step[3] for step in here]
            there, again = transcript(method, two, outputs=outputs, **shared)
            assert table == again  # the same outputs give the same table: it has no other source
            assert [step[2] for step in here] == [step[2] for step in there]
            yield here, there


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
