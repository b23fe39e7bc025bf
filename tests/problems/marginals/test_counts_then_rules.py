"""Rules from noisy counts of all combinations: privacy, the chosen rule, and the planned number."""

from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest

from tacit import Accuracy, Ledger, Privacy, Sample, Task, learn, plan
from tacit.checks.testing import seeded
from tacit.classes import Boxes, Intervals, Stumps
from tacit.core import ADD_REMOVE, ALGORITHMS, REPLACE_ONE, BadInput
from tacit.domains import Schema
from tacit.problems.marginals.budget import Budget
from tacit.problems.marginals.counts_then_rules import CountsThenRules, through_counts
from tacit.tallies.combinations import CombinationCounts

SCHEMA = Schema.of({"a": range(3), "b": bool}).declared_complete()
NAME = "counts-then-rules"


def mechanism(k=1, family=None):
    budget = Budget(amount=Fraction(1), concentrated=False, relation=REPLACE_ONE)
    return CountsThenRules(concept_class=family or Boxes(SCHEMA), schema=SCHEMA, budget=budget, k=k)


def sample(records):
    return Sample(np.array([x for x, _ in records]), np.array([y for _, y in records]))


@pytest.mark.exact
def test_a_record_moves_at_most_two_counts_and_each_by_one():
    kinds = list(product(product(range(3), (0, 1)), product((0, 1), repeat=2)))
    counted = CombinationCounts(SCHEMA, 2).of
    for one, other in product(kinds, kinds):
        here, there = (counted(sample([kinds[0], end])) for end in (one, other))
        assert here.sum() == there.sum() == 2
        assert np.abs(here - there).sum() == (0 if one == other else 2)
        assert np.abs(here - counted(sample([kinds[0]]))).sum() == 1


@pytest.mark.exact
@pytest.mark.parametrize("k", [1, 2])
def test_the_rule_has_the_fewest_mistakes_on_noisy_counts_negative_ones_too(k):
    family = Boxes(SCHEMA)
    draw = np.random.default_rng(5)
    cells = np.array(list(product(range(3), range(2))))
    answers = np.array(
        [family.hypothesis(c).of_cells(cells.astype(np.int32)) for c in range(family.size)]
    )
    for _ in range(60):
        noisy = draw.integers(-6, 7, (6, 1 << k))
        for task in range(k):
            one = (np.arange(1 << k) >> task & 1).astype(bool)
            ones, zeros = noisy[:, one].sum(axis=1), noisy[:, ~one].sum(axis=1)
            mistakes = np.where(answers, zeros, ones).sum(axis=1)
            rule = mechanism(k, family)._best(noisy, task)
            found = np.where(rule.of_cells(cells.astype(np.int32)), zeros, ones).sum()
            assert found == mistakes.min()


@pytest.mark.parametrize("delta", ["0", "1e-6"])
@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_it_is_planned_beside_learning_directly_and_costs_what_was_granted(relation, delta):
    family = Boxes(SCHEMA)
    for k in (1, 3):
        task = Task(
            family, privacy=Privacy(2, delta, relation), accuracy=Accuracy("0.2", "0.1"), k=k
        )
        names = {option.algorithm.name: option.bound.n for option in plan(task).options}
        assert NAME in names
        assert min(names.values()) < names[NAME]  # direct learning needs fewer records
        built = ALGORITHMS[NAME].built(task, names[NAME])
        assert built.budget.amount <= 2
        assert built.budget.relation is (REPLACE_ONE if relation == "replace-one" else ADD_REMOVE)


def test_it_learns_two_labels_from_arrays_and_one_from_a_frame():
    draw = np.random.default_rng(3)
    frame = pd.DataFrame({"a": draw.integers(0, 3, 4000), "b": draw.random(4000) < 0.5})
    frame["sick"], frame["old"] = frame["a"] == 2, frame["b"]
    asked = {"privacy": Privacy(1, "1e-6"), "accuracy": Accuracy("0.1", "0.05")}
    x, y = frame[["a", "b"]].to_numpy(dtype=float), frame[["sick", "old"]].to_numpy()
    both = learn(
        Task(Intervals(SCHEMA), k=2, **asked),
        (x, y),
        algorithm=NAME,
        ledger=Ledger.memory(1, "1e-6"),
    )
    assert (both.value.predict(x) == y).mean() > 0.99
    one = learn(
        Task(Intervals(SCHEMA), error_share=0, **asked),
        frame.drop(columns="old"),
        label="sick",
        positive=True,
        algorithm=NAME,
        ledger=Ledger.memory(1, "1e-6"),
    )
    assert "sick" in one.value.describe()
    assert (one.value.predict(frame) == frame["sick"]).mean() > 0.99
    assert "Lemma 35" in str(one.certificate)


def test_other_classes_and_too_many_combinations_are_refused_in_words():
    accuracy = Accuracy("0.1", "0.1")
    entry = ALGORITHMS[NAME]
    assert "is made for" in entry.why_not(
        Task(Stumps(SCHEMA), privacy=Privacy(1), accuracy=accuracy)
    )
    wide = Schema.of({f"c{i}": range(8) for i in range(6)}).declared_complete()
    refused = entry.why_not(Task(Intervals(wide), privacy=Privacy(1), accuracy=accuracy))
    assert refused == "counts all combinations: at most 262,144 combinations of cells and labels"
    label = Task(Intervals(SCHEMA), privacy=Privacy(1, 0, "label"), accuracy=accuracy)
    assert entry.why_not(label).startswith("protects whole records")


def test_more_noise_than_memory_holds_is_refused_before_the_charge():
    """Rules are weighed on rows, as many as noisy counts say: at epsilon 1e-9 on ten billion."""
    ledger = Ledger.memory(epsilon=1)
    records = (np.zeros((3, 2)), np.array([0, 1, 1]))
    for epsilon in ("1e-9", "1e-6"):
        task = Task(Boxes(SCHEMA), privacy=Privacy(epsilon), accuracy=Accuracy("0.1", "0.1"))
        if epsilon == "1e-9":
            with pytest.raises(BadInput, match="larger epsilon"):
                learn(task, records, ledger=ledger, algorithm=NAME, rng=seeded(1))
            assert not ledger.entries
        else:
            assert ALGORITHMS[NAME].runs(task) is None


ALPHA, BETA = Fraction(1, 5), Fraction(1, 10)
COLUMN = Schema.of({"a": range(40)}, bins=40).declared_complete()


def failures(n, *, k, delta, runs):
    """How often one of k rules is more than alpha above the best, on a law made for it.

    Every value is as likely as any other; label 1 has a chance of 0.8 or 0.2, in long stretches,
    so the best interval errs on a good deal and many others nearly fit.
    """
    family = Intervals(COLUMN)
    privacy = Privacy("0.2", delta)
    task = Task(family, privacy=privacy, accuracy=Accuracy(ALPHA, BETA), k=k)
    entry = ALGORITHMS[NAME]
    built = entry.build(task, entry.bound(task), None)
    chance = np.where((np.arange(40) >= 8) & (np.arange(40) < 32), 0.8, 0.2)
    every = np.array(
        [
            family.hypothesis(c).of_cells(np.arange(40, dtype=np.int32)[:, None])
            for c in range(family.size)
        ]
    )
    errors = np.where(every, 1 - chance, chance).mean(axis=1)
    draw, failed = np.random.default_rng(11), 0
    for run in range(runs):
        x = draw.integers(0, 40, n)
        y = draw.random((n, k)) < chance[x][:, None]
        rule = built._release(Sample(x[:, None], y if k > 1 else y[:, 0]), rng=seeded(f"{run}"))
        found = [
            np.where(
                one.of_cells(np.arange(40, dtype=np.int32)[:, None]), 1 - chance, chance
            ).mean()
            for one in (rule if k > 1 else [rule])
        ]
        failed += max(found) > errors.min() + float(ALPHA)
    return failed


@pytest.mark.statistical
@pytest.mark.parametrize(("k", "delta"), [(1, "0"), (2, "0"), (2, "1e-6")])
def test_the_planned_number_suffices_and_a_tenth_does_not(k, delta):
    n = through_counts(
        size=Intervals(COLUMN).size,
        cells=40,
        k=k,
        alpha=ALPHA,
        beta=BETA,
        epsilon=Fraction(1, 5),
        delta=Fraction(delta),
    ).n
    assert failures(n, k=k, delta=delta, runs=40) <= 4
    assert failures(n // 10, k=k, delta=delta, runs=40) > 4
