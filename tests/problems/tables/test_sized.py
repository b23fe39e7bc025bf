"""A noisy number of records before the draw: the law, the event, and what it gains."""

from fractions import Fraction
from math import exp

import numpy as np
import pytest
from tests.complete import complete

from tacit import Ledger, Privacy, Task, run
from tacit.checks.testing import seeded
from tacit.core import (
    ADD_REMOVE,
    Accuracy,
    BadInput,
    Composed,
    Known,
    Pure,
    Sample,
    Selection,
    Size,
)
from tacit.problems.tables.best_rules import BEST_RULES, BestRules
from tacit.problems.tables.kinds import KindsLearner
from tacit.problems.tables.sized import SIZE, SizedDraw
from tacit.problems.tables.trees import Trees

pytestmark = pytest.mark.exact

ONE = complete([range(1)])


class Steps:
    """Constant labels, with a prior for label 1 that follows the number of records."""

    def carried(self, *, epsilon, relation, n):
        share = Fraction(1, 2) if n is None or n < 2 else Fraction(1, 10)
        return KindsLearner(
            schema=ONE,
            trees=(Trees(ONE, depth=0), Trees(ONE, depth=1)),
            lists=(),
            shares=(share, 1 - share),
            epsilon=epsilon if n is None or n < 3 else epsilon / 2,
            relation=relation,
        )

    def ever(self, *, epsilon, relation):
        return self.carried(epsilon=epsilon, relation=relation, n=None)


def law(made, ones, zeros):
    """The chance of label 1: over all noisy numbers, then the draw at its own rate."""
    n, scale = ones + zeros, 1 / float(made.count)
    noise = {z: exp(-abs(z) / scale) for z in range(-400, 401)}
    total, found = sum(noise.values()), 0.0
    for z, mass in noise.items():
        rate = float(
            made.family.carried(
                epsilon=made.epsilon - made.count, relation=ADD_REMOVE, n=max(0, n + z)
            ).rate
        )
        right, wrong = exp(-rate * zeros), exp(-rate * ones)
        found += mass / total * right / (right + wrong)
    return found


def tiny(epsilon=2, count=1):
    return SizedDraw(family=Steps(), epsilon=Fraction(epsilon), count=Fraction(count))


def test_the_law_is_private_on_all_neighbours():
    made, worst = tiny(), 0.0
    for ones in range(4):
        for zeros in range(4):
            here = law(made, ones, zeros)
            for more in ((1, 0), (0, 1)):
                there = law(made, ones + more[0], zeros + more[1])
                for a, b in ((here, there), (1 - here, 1 - there)):
                    worst = max(worst, abs(np.log(a / b)))
    assert 0.4 < worst <= 2


@pytest.mark.statistical
def test_draws_follow_the_law_and_no_other():
    made, other, draws = tiny(6, 3), tiny(1, Fraction(1, 2)), 1500
    x, y = np.zeros((2, 1), dtype=object), np.array([1, 1])
    book, rng = Ledger.memory(), seeded("sized")
    share = np.mean(
        [
            bool(run(made, Sample(x, y), ledger=book, rng=rng).value.predict(x)[0])
            for _ in range(draws)
        ]
    )
    spread = 4.5 * (0.25 / draws) ** 0.5
    assert abs(share - law(made, 2, 0)) < spread
    assert abs(share - law(other, 2, 0)) > spread


def task(schema, epsilon=1):
    return Task(
        BestRules(schema),
        privacy=Privacy(epsilon, 0, relation=ADD_REMOVE),
        accuracy=Accuracy("0.1", "0.05"),
        setting="agnostic",
    )


def built(asked):
    bound = BEST_RULES.bound(asked)
    return BEST_RULES.build(asked, bound, Size(bound.n, Known.PLANNED))


def test_a_twentieth_counts_the_records_and_the_rest_draws():
    made = built(task(complete([(0, 1)] * 3, bins=8)))
    assert isinstance(made, SizedDraw)
    event = made.event()
    assert isinstance(event, Composed)
    assert event.events == (
        Pure(epsilon=SIZE, relation=ADD_REMOVE),
        Selection(epsilon=1 - SIZE, relation=ADD_REMOVE),
    )
    assert made.comparators() == ()
    for n in (None, 0, 1, 50, 10**7):
        drawn = made.family.carried(epsilon=1 - SIZE, relation=ADD_REMOVE, n=n)
        assert drawn.event() == event.events[1]
        assert {0, 2} <= {trees.depth for trees in drawn.trees} or n
        two = [s for t, s in zip(drawn.trees, drawn.shares, strict=False) if t.depth == 2]
        assert two
    with pytest.raises(BadInput, match="leave a part"):
        tiny(1, 1)


def test_no_rule_has_less_prior_than_was_planned_with():
    """Theorem 2: whatever the noisy number is, the plan's least prior holds."""
    asked = task(complete([(0, 1)] * 2, bins=4))
    family = asked.concept_class
    planned = BEST_RULES.bound(asked)
    assert planned.n > BEST_RULES.bound(asked.with_(epsilon=2)).n
    least = {
        n: family.carried(epsilon=Fraction(1), relation=ADD_REMOVE, n=n).least_prior
        for n in (0, 100, 1_000, 10_000, 10**6)
    }
    assert len(set(least.values())) > 1  # deeper trees come in
    assert min(least.values()) > 0


def test_the_prior_that_is_certified_with_follows_no_number_and_sums_to_at_most_one():
    """Kinds of every noisy number are among those that it gives a prior."""
    asked = task(complete([(0, 1)] * 3, bins=4))
    made, family = built(asked), asked.concept_class
    ever = family.ever(epsilon=Fraction(1), relation=ADD_REMOVE)
    assert sum(ever.shares) == 1
    known = {repr(kind) for kind in (*ever.trees, *ever.lists)}
    seen = set()
    for n in (None, *range(0, 400, 13), *(10**k for k in range(3, 9))):
        drawn = family.carried(epsilon=Fraction(1), relation=ADD_REMOVE, n=n)
        seen |= {repr(kind) for kind in (*drawn.trees, *drawn.lists)}
    assert seen <= known
    deeper = family.carried(epsilon=Fraction(40), relation=ADD_REMOVE, n=10**4)
    x = np.random.default_rng(2).random((60, 3))
    data = Sample(x, (x > 0.5).sum(axis=1) % 2 == 1)
    book, source = Ledger.memory(), seeded("ever")
    drawn = [run(deeper, data, ledger=book, rng=source).value for _ in range(10)]
    assert all(made.prior(rule) >= ever.least_prior > 0 for rule in drawn)
    assert any(made.unsized.prior(rule) == 0 for rule in drawn)  # deeper than it knows


@pytest.mark.statistical
def test_long_tables_get_deeper_trees_where_their_length_is_private():
    """Three questions tell the label: two levels cannot, and the number of records was private."""
    rng = np.random.default_rng(4)
    x = rng.random((9_000, 3))
    y = (x > 0.5).sum(axis=1) % 2 == 1
    schema = complete([(0, 1)] * 3, bins=8)
    made = built(task(schema, 2))
    book, source = Ledger.memory(), seeded("deeper")
    rule = run(made, Sample(x, y), ledger=book, rng=source).value
    assert (rule.predict(x) == y).mean() > 0.95
    flat = run(made.unsized, Sample(x, y), ledger=book, rng=source).value
    assert (flat.predict(x) == y).mean() < 0.9
