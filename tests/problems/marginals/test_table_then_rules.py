"""A noisy table, then a selection a label: privacy, what is kept, and the planned number."""

from fractions import Fraction
from itertools import product
from math import exp, log

import numpy as np
import pytest

from tacit import Accuracy, BadInput, Ledger, Privacy, Sample, Task, learn, plan
from tacit.checks.testing import seeded
from tacit.classes import Boxes, Intervals, Scores, Stumps, Trees
from tacit.core import ADD_REMOVE, ALGORITHMS, REPLACE_ONE, ZCDP, Pure
from tacit.domains import Schema
from tacit.mechanisms.calibration import noise_scale, spread
from tacit.problems.marginals.budget import Budget
from tacit.problems.marginals.distinct_rules import distinct
from tacit.problems.marginals.table_then_rules import TableThenRules, through_table
from tacit.problems.tables.trees import TreeRule

SCHEMA = Schema.of({"a": range(3), "b": bool}).declared_complete()
TWO = Schema.of({"a": range(2)}).declared_complete()
NAME = "table-then-rules"
F = Fraction


def mechanism(*, epsilon=1, table=F(1, 2), relation=REPLACE_ONE, family=None, k=2, each=None):
    budget = Budget(amount=F(epsilon), concentrated=False, relation=relation)
    each = (1 - table) * F(epsilon) / k if each is None else each
    family = family or Intervals(TWO)
    return TableThenRules(family=family, budget=budget, table=table, epsilon=each, k=k)


def law(built, records, *, faster=1):
    """How likely each pair of answers on two cells is, from tails and weights in closed form.

    ``records`` are pairs of a cell and two labels; ``faster`` multiplies the selections' rate.
    """
    relation, rules = built.budget.relation, distinct(built.family)
    scale = noise_scale(epsilon=built.budget.amount * built.table, relation=relation)
    q, rate = exp(-1 / scale), faster * float(built.epsilon / spread(relation))

    def positive(count):
        # P(count + Z >= 1)
        return 1 - q**count / (1 + q) if count >= 1 else q ** (1 - count) / (1 + q)

    counts = [sum(cell == here for cell, _ in records) for here in (0, 1)]
    found = {}
    for seen in product((0, 1), repeat=2):
        chance = 1.0
        for count, there in zip(counts, seen, strict=True):
            chance *= positive(count) if there else 1 - positive(count)
        kept = rules.told_apart(np.array(seen)).kept
        answers = rules.table.matrix[list(kept)]
        each = []
        for task in range(2):
            wrong = [sum(row[cell] != y[task] for cell, y in records) for row in answers]
            weights = np.exp(-rate * np.array(wrong, dtype=float))
            each.append(weights / weights.sum())
        for (i, one), (j, other) in product(enumerate(each[0]), enumerate(each[1])):
            key = answers[i].tobytes(), answers[j].tobytes()
            found[key] = found.get(key, 0) + chance * one * other
    assert sum(found.values()) == pytest.approx(1)
    return found


KINDS = list(product((0, 1), product((0, 1), repeat=2)))


def neighbours(relation, n=3):
    for rest in product(KINDS, repeat=n - 1):
        for one in KINDS:
            if relation is ADD_REMOVE:
                yield rest, (*rest, one)
            else:
                yield from (((*rest, one), (*rest, other)) for other in KINDS)


def worst(built, **more):
    laws, found = {}, 0.0
    for pair in neighbours(built.budget.relation):
        for records in map(tuple, map(sorted, pair)):
            if records not in laws:
                laws[records] = law(built, records, **more)
        here, there = (laws[tuple(sorted(records))] for records in pair)
        found = max(found, *(abs(log(here[one] / there[one])) for one in here))
    return found


@pytest.mark.exact
@pytest.mark.parametrize("relation", [REPLACE_ONE, ADD_REMOVE])
@pytest.mark.parametrize("table", [F(1, 4), F(1, 2), F(3, 4)])
def test_the_exact_loss_is_within_the_budget_and_near_it(relation, table):
    built = mechanism(relation=relation, table=table)
    assert built.event() == Pure(epsilon=F(1), relation=relation)
    assert 0.45 < worst(built) <= 1
    assert worst(built, faster=4) > 1  # selections that spend four times as much are caught


@pytest.mark.statistical
def test_releases_follow_that_law_and_no_other():
    built, runs = mechanism(epsilon=2), 4000
    records = [(0, (1, 0)), (0, (1, 0)), (0, (1, 1)), (1, (0, 1))]
    data = Sample(np.array([[cell] for cell, _ in records]), np.array([y for _, y in records]))
    cells = np.array([[0], [1]], dtype=np.int32)
    seen = {}
    for run in range(runs):
        rules = built._release(data, rng=seeded(f"law {run}"))
        key = tuple(rule.of_cells(cells).tobytes() for rule in rules)
        seen[key] = seen.get(key, 0) + 1

    def distance(built):
        return sum(abs(seen.get(key, 0) / runs - p) for key, p in law(built, records).items()) / 2

    assert distance(built) < 0.035
    assert distance(mechanism(epsilon=2, table=F(7, 8))) > 0.06
    assert distance(mechanism(epsilon=5)) > 0.06


def asked(family, *, k, delta="0", relation="replace-one", **more):
    more = {"epsilon": 1, "alpha": "0.1", "beta": "0.05", "setting": "agnostic"} | more
    privacy = Privacy(more.pop("epsilon"), delta, relation)
    accuracy = Accuracy(more.pop("alpha"), more.pop("beta"))
    return Task(family, privacy=privacy, accuracy=accuracy, k=k, **more)


def planned(task):
    return {option.algorithm.name: option.bound.n for option in plan(task).options}


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_it_is_planned_beside_learning_directly_and_beside_counted_labels(relation):
    few = planned(asked(Boxes(SCHEMA), k=3, relation=relation, error_share=0))
    assert few["direct-sum"] < few[NAME] < few["counts-then-rules"]
    # A million trees are 64 functions on six combinations: what the table tells apart is listed.
    many = planned(asked(Trees(SCHEMA, depth=3), k=30, relation=relation, error_share=0))
    assert many[NAME] < many["direct-sum"]


@pytest.mark.parametrize("delta", ["0", "1e-6"])
@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_parts_of_the_budget_add_up_to_what_was_granted(relation, delta):
    for k in (2, 30):
        task = asked(Stumps(SCHEMA), k=k, delta=delta, relation=relation, error_share=0)
        n = planned(task)[NAME]
        built = ALGORITHMS[NAME].built(task, n)
        event, rest = built.event(), 1 - built.table
        if isinstance(event, ZCDP):
            assert delta != "0"
            assert built.epsilon**2 / 8 * k <= event.rho * rest
        else:
            assert event == Pure(epsilon=F(1), relation=event.relation)
            assert built.epsilon * k <= rest
        fewer = ALGORITHMS[NAME].built(task, n // 10)
        assert fewer.epsilon >= built.epsilon
        assert fewer.event() == event
    assert isinstance(event, ZCDP) is (delta != "0")  # many labels compose better with a delta


def test_a_selection_that_spends_more_than_its_share_is_refused():
    mechanism(each=F(1, 4))
    for wrong in (F(1, 4) + F(1, 1 << 30), F(0)):
        with pytest.raises(BadInput, match="within its share"):
            mechanism(each=wrong)
    with pytest.raises(BadInput, match="table"):
        mechanism(table=F(1), each=F(1, 4))


def three_labels():
    draw = np.random.default_rng(3)
    x = np.stack([draw.integers(0, 3, 9000), draw.integers(0, 2, 9000)], axis=1)
    return x, np.stack([x[:, 0] == 2, x[:, 1] == 1, x[:, 0] >= 1], axis=1)


@pytest.mark.parametrize("family", [Stumps(SCHEMA), Boxes(SCHEMA)], ids=repr)
def test_it_learns_several_labels_without_a_delta(family):
    x, y = three_labels()
    made = learn(asked(family, k=3), (x, y), algorithm=NAME, ledger=Ledger.memory(1))
    assert (made.value.predict(x) == y).mean() > 0.99
    assert made.certificate.needed <= 9000
    assert "Lemma 36" in str(made.certificate)


def test_the_rules_are_trees_where_trees_were_asked_for():
    x, y = three_labels()
    built = ALGORITHMS[NAME].built(asked(Trees(SCHEMA, depth=3), k=3), 9000)
    rules = built._release(Sample(x, y), rng=seeded("trees"))
    assert {type(rule) for rule in rules} == {TreeRule}
    assert (rules.predict(x) == y).mean() > 0.99


def test_trees_of_several_labels_need_no_delta_any_more():
    options = plan(asked(Trees(SCHEMA, depth=2), k=3, error_share=0)).options
    runs = {option.name: option.runs for option in options}
    assert runs[NAME]
    assert not runs["direct-sum"]  # it cannot list all trees


def test_without_records_and_without_a_positive_count_there_are_still_rules():
    built = mechanism()
    none = Sample(np.zeros((0, 1)), np.zeros((0, 2)))
    assert len({len(built._release(none, rng=seeded(f"{run}"))) for run in range(20)}) == 1


def test_other_tasks_are_refused_in_words():
    entry = ALGORITHMS[NAME]
    assert entry.why_not(asked(Stumps(SCHEMA), k=1)) == "is made for several tasks"
    assert entry.why_not(asked(Scores(SCHEMA), k=2)).startswith("is made for trees and stumps")
    label = asked(Stumps(SCHEMA), k=2, relation="label")
    assert entry.why_not(label).startswith("protects whole records")
    wide = Schema.of({f"c{i}": range(8) for i in range(6)}).declared_complete()
    assert entry.why_not(asked(Stumps(wide), k=2)) == (
        "compares all rules on all combinations: at most 16,777,216 rules times combinations of "
        "cells"
    )
    counted = entry.why_not(asked(Stumps(SCHEMA), k=2, delta="1e-6"))
    assert counted.startswith("leaves labels of a table to what counts their mistakes")
    assert entry.why_not(asked(Stumps(SCHEMA), k=2, delta="1e-6", error_share=0)) is None


def test_the_bound_falls_with_every_budget_and_grows_with_rules_cells_and_labels():
    one = {"alpha": F(1, 5), "beta": F(1, 10), "epsilon": F(1), "rules": 30, "cells": 6, "k": 4}
    n = through_table(**one).n
    for harder in (
        {"rules": 300},
        {"cells": 60},
        {"k": 8},
        {"alpha": F(1, 10)},
        {"beta": F(1, 99)},
    ):
        assert through_table(**one | harder).n > n
    for easier in ({"epsilon": F(2)}, {"setting": "realizable"}, {"relation": ADD_REMOVE}):
        assert through_table(**one | easier).n < n
    many = one | {"k": 100}
    assert through_table(**many, delta=F(1, 10**6)).n < through_table(**many).n


ALPHA, BETA = F(1, 5), F(1, 10)
COLUMN = Schema.of({"a": range(40)}, bins=40).declared_complete()


def failures(n, *, family, k, delta, runs):
    """How often one of k rules is more than alpha above the best, on a law made for it.

    A third of the records is in one cell and tells nothing; the rest is spread evenly, so that every cell
    of it holds few records. Label 1 has a chance of 0.9 or 0.1 there, in long stretches that
    differ from label to label: many rules nearly fit.
    """
    task = asked(family, k=k, delta=delta, epsilon="0.5", alpha=ALPHA, beta=BETA, error_share=0)
    entry = ALGORITHMS[NAME]
    built = entry.built(task, n)
    cells = np.arange(40)
    share = np.where(cells == 0, 1 / 3, 2 / 3 / 39)
    inside = [(cells >= 6 + 2 * task) & (cells < 24 + 2 * task) for task in range(k)]
    chance = np.where(inside, 0.9, 0.1)
    chance[:, 0] = 0.5
    matrix = distinct(family).table.matrix
    costs = np.array([np.where(matrix, 1 - one, one) @ share for one in chance])
    draw, failed = np.random.default_rng(11), 0
    for run in range(runs):
        x = draw.choice(40, n, p=share)
        y = draw.random((n, k)) < chance[:, x].T
        rules = built._release(Sample(x[:, None], y), rng=seeded(f"{run}"))
        answers = [rule.of_cells(cells[:, None].astype(np.int32)) for rule in rules]
        found = [np.where(a, 1 - c, c) @ share for a, c in zip(answers, chance, strict=True)]
        failed += bool((np.array(found) > costs.min(axis=1) + float(ALPHA)).any())
    return failed


@pytest.mark.statistical
@pytest.mark.parametrize(("k", "delta"), [(2, "0"), (6, "0"), (6, "1e-6")])
@pytest.mark.parametrize("family", [Intervals(COLUMN), Stumps(COLUMN)], ids=repr)
def test_the_planned_number_suffices_and_a_tenth_does_not(family, k, delta):
    n = through_table(
        rules=len(distinct(family)),
        cells=40,
        k=k,
        alpha=ALPHA,
        beta=BETA,
        epsilon=F(1, 2),
        delta=F(delta),
    ).n
    assert failures(n, family=family, k=k, delta=delta, runs=40) <= 4
    assert failures(n // 10, family=family, k=k, delta=delta, runs=40) > 4
