"""A public labelled table as a prior: the list it gives, the exact law, and what it is good for."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from tests.complete import complete

from tacit import Accuracy, Privacy, Task, plan
from tacit.checks.testing import exact_epsilon, neighbours
from tacit.core import ADD_REMOVE, LABEL, REPLACE_ONE, BadInput, Sample
from tacit.exact.balls import at, ball
from tacit.problems.tables.informed import InformedTrees, KnownRules, suggested
from tacit.problems.tables.trees import TreeRule, Trees
from tacit.report.class_records import class_from_record, class_record
from tacit.testing import seeded

TWO = complete([bool, bool])
MIXED = complete([(0, 1), ("a", "b", "c"), bool], bins=4)
pytestmark = pytest.mark.exact


def table(n, seed=0):
    rng = np.random.default_rng(seed)
    rows = [(rng.random(), "abc"[rng.integers(3)], bool(rng.integers(2))) for _ in range(n)]
    return rows, np.array([row[0] > 0.5 and row[1] != "b" for row in rows])


def placed_table(n):
    x, y = table(n)
    return MIXED.coerce(x), y


def every_tree(trees, levels):
    yield from (False, True)
    if levels:
        below = list(every_tree(trees, levels - 1))
        yield from product(range(len(trees.cuts)), below, below)


def test_the_list_holds_the_best_tree_of_each_first_question():
    x, y = table(40)
    trees = Trees(MIXED, depth=2)
    found = suggested(MIXED, MIXED.coerce(x), y, most=4)
    mistakes = [int((rule.predict(x) != y).sum()) for rule in found]
    best = {}
    for tree in every_tree(trees, 2):
        if not isinstance(tree, bool):
            wrong = int((trees.hypothesis(tree).predict(x) != y).sum())
            best[tree[0]] = min(wrong, best.get(tree[0], 99))
    assert sorted(mistakes) == sorted(best.values())[:4]
    assert max(mistakes) < max(best.values())


def test_a_listed_rules_mistakes_are_counted_and_cost():
    x, y = table(40, seed=1)
    known = KnownRules(MIXED, suggested(MIXED, *placed_table(9)))
    cells = MIXED.coerce(x)
    for costs in ((1, 1), (1, 5)):
        for rule, wrong in zip(known.rules, known.landscape(cells, y, costs).errors, strict=True):
            missed = rule.predict(x) != y
            assert wrong == costs[0] * (missed & ~y).sum() + costs[1] * (missed & y).sum()
    assert all(known.has(rule) for rule in known.rules)
    with pytest.raises(BadInput, match="one schema"):
        KnownRules(TWO, known.rules)


@pytest.mark.parametrize("relation", [REPLACE_ONE, LABEL, ADD_REMOVE])
def test_privacy_by_enumerating_neighbours(relation):
    one = complete([bool])
    trees = Trees(one, depth=2)
    family = InformedTrees(one, (trees.hypothesis((0, False, True)),))
    task = Task(family, privacy=Privacy(1, relation=relation), accuracy=Accuracy("0.1", "0.1"))
    learner = family.learner(task)
    records = [((cell,), label) for cell in range(2) for label in range(2)]
    listed = [(trees.hypothesis(tree), trees.prior(tree) / 4) for tree in every_tree(trees, 2)]
    listed += [(TreeRule(schema=one, root=label), Fraction(1, 8)) for label in (False, True)]
    listed += [(family.rules[0], Fraction(1, 2))]
    assert sum(prior for _, prior in listed) == 1

    def law(rows, rate):
        x = [(bool(row[0]),) for row, _ in rows] or np.empty((0, 1), dtype=bool)
        y = np.array([label for _, label in rows], dtype=bool)
        weights = [
            ball(prior) * (-ball(rate) * int((rule.predict(x) != y).sum())).exp()
            for rule, prior in listed
        ]
        total = sum(weights, ball(0))
        return {place: weight / total for place, weight in enumerate(weights)}

    def worst(rate):
        with at(192):
            found = ball(0)
            for left, right in neighbours(records, 2, relation):
                found = found.max(exact_epsilon(law(left, rate), law(right, rate)))
            return found

    assert worst(learner.rate) < 1 + ball(Fraction(1, 1 << 150))
    assert worst(3 * learner.rate) > 1


def test_a_good_public_table_makes_few_records_enough_and_a_bad_one_costs_little():
    x, y = table(60, seed=3)
    public, labels = table(300, seed=4)
    drawn = {}
    for name, told in (("good", labels), ("bad", ~labels)):
        family = InformedTrees(MIXED, suggested(MIXED, MIXED.coerce(public), told))
        task = Task(family, privacy=Privacy("0.5"), accuracy=Accuracy("0.1", "0.1"))
        learner = family.learner(task)
        rules = [learner._release(Sample(x, y), rng=seeded(f"{name} {k}")) for k in range(40)]
        fresh, truth = table(500, seed=5)
        drawn[name] = np.mean([(rule.predict(fresh) == truth).mean() for rule in rules])
        assert learner.prior(family.rules[0]) >= Fraction(1, 2 * len(family.rules))
    assert drawn["good"] > 0.95
    assert drawn["bad"] > 0.6
    assert drawn["good"] > drawn["bad"] + 0.05


def test_the_plan_does_not_trust_the_public_table_and_the_class_survives_a_file():
    family = InformedTrees(MIXED, suggested(MIXED, *placed_table(50)))
    asked = {"privacy": Privacy(1), "accuracy": Accuracy("0.1", "0.1"), "setting": "agnostic"}
    informed, plain = (plan(Task(one, **asked)).runnable.n for one in (family, family.trees))
    assert plain < informed < 1.2 * plain
    assert class_from_record(class_record(family)) == family
