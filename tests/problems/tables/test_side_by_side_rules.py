"""Tests of ``tacit.problems.tables.side_by_side_rules``."""

from fractions import Fraction
from itertools import product

import numpy as np
import pandas as pd
import pytest
from tests.complete import complete

from tacit import Accuracy, Ledger, Privacy, Task, learn, plan
from tacit.bounds.upper.adaptive import adaptive_share
from tacit.checks.audit.enumeration import exact
from tacit.checks.testing import seeded
from tacit.core import ALGORITHMS, REPLACE_ONE, BadInput, Label, Pure, Sample, Size
from tacit.domains.marked import MarkedSample
from tacit.problems.tables.best_rules import BestRules
from tacit.problems.tables.listed_rules import ListedRuleLearner
from tacit.problems.tables.products import Boxes, Intervals
from tacit.problems.tables.scores import Scores
from tacit.problems.tables.side_by_side import SideBySide
from tacit.problems.tables.side_by_side_rules import SIDE_BY_SIDE, each_epsilon, parts
from tacit.problems.tables.trees import Trees

SCHEMA = complete([("a", "b", "c", "d"), bool])
DELTA = Fraction(1, 10**4)


def task(concepts=None, *, k=4, alpha="0.2", beta="0.1", delta=DELTA, **more):
    return Task(
        Trees(SCHEMA, depth=2) if concepts is None else concepts,
        privacy=Privacy(2, delta),
        accuracy=Accuracy(alpha, beta),
        setting="agnostic",
        k=k,
        **more,
    )


RULES = (
    lambda a, b: a == "a",
    lambda a, b: b,
    lambda a, b: a != "c",
    lambda a, b: not b,
)


@pytest.mark.statistical
def test_the_planned_number_of_records_suffices_and_a_tenth_does_not():
    """All labels at once: one failure is one label that errs by more than ``alpha``."""
    asked = task().at(None)
    best = next(one for one in plan(asked).options if one.algorithm is SIDE_BY_SIDE)
    every = [(a, b) for a in "abcd" for b in (False, True)]
    truth = np.array([[rule(*row) for rule in RULES] for row in every])
    rng, draw = np.random.default_rng(3), seeded(3)

    def failures(n, runs):
        mechanism = SIDE_BY_SIDE.build(asked, best.bound, Size(n))
        bad = 0
        for _ in range(runs):
            x = [every[i] for i in rng.integers(0, len(every), n)]
            y = np.array([[rule(*row) for rule in RULES] for row in x])
            found = mechanism._release(Sample(x, y, True), rng=draw)
            bad += bool(np.any((found.predict(every) != truth).mean(axis=0) > 0.2))
        return bad

    assert failures(best.n, 40) <= 4
    assert failures(best.n // 10, 20) > 2


def test_draws_and_counts_share_the_budget_and_spend_no_more():
    asked = task(costs="balanced", names=("no", "yes"))
    drawn, count, sizes = parts(asked)
    assert sum(one[0] for one in (drawn, count, sizes)) == 2
    assert sum(one[1] for one in (drawn, count, sizes)) == DELTA
    assert each_epsilon(asked) == adaptive_share(epsilon=drawn[0], delta=drawn[1], k=4)
    assert parts(task(error_share=0)) == ((2, DELTA), None, None)


@pytest.mark.parametrize("costs", [None, {"1": 20}], ids=["alike", "costs"])
@pytest.mark.parametrize("concepts", [Boxes, Intervals, Scores, BestRules])
def test_every_kind_of_rule_is_one_selection_of_bounded_range(concepts, costs):
    asked = task(concepts(complete([(0, 1), (0, 1)], bins=4)), costs=costs)
    found = SIDE_BY_SIDE.built(asked, 100)
    assert found.learner.event().epsilon <= each_epsilon(asked)
    assert SIDE_BY_SIDE in [option.algorithm for option in plan(asked).options]


def test_what_cannot_be_done_is_refused_in_words():
    assert SIDE_BY_SIDE.why_not(task(delta=0)) is None
    assert "several tasks" in SIDE_BY_SIDE.why_not(task(k=1))
    ignored = task(Boxes(SCHEMA), costs={"1": 3}, other="ignore")
    assert "no proof for costs where records are ignored" in SIDE_BY_SIDE.why_not(ignored)
    balanced = task(costs="balanced", names=("no", "yes"), k=50)
    with pytest.raises(BadInput, match="too few to balance 50 labels"):
        SIDE_BY_SIDE.built(balanced, 50)
    assert ALGORITHMS["direct-sum"].why_not(task()) is not None
    assert "counts their mistakes" in ALGORITHMS["direct-sum"].why_not(task(delta=0))
    assert ALGORITHMS["direct-sum"].why_not(task(delta=0, error_share=0)) is None


def test_learn_names_rules_and_errors_after_the_columns_of_labels():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"age": rng.uniform(0, 100, 900), "dose": rng.uniform(0, 1, 900)})
    labels = pd.DataFrame({"ill": frame["age"] >= 50, "well": frame["dose"] < 0.5})
    schema = complete({"age": (0, 100), "dose": (0, 1)}, bins=8)
    book = Ledger.memory(2, DELTA)
    asked = task(Trees(schema, depth=1), k=2)
    release = learn(asked, (frame, labels), positive=True, ledger=book, algorithm=SIDE_BY_SIDE.name)
    assert [one.label for one in release.certificate.several.labels] == ["ill", "well"]
    assert release.value.names == ("ill", "well")
    assert "well: if dose" in release.value.describe()
    assert release.certificate.needed == SIDE_BY_SIDE.bound(asked).n


def missing(records):
    """Records whose labels may be missing, each label by itself."""
    x = np.array([row for row, _ in records], dtype=object).reshape(len(records), -1)
    y = np.array([labels for _, labels in records], dtype=object).reshape(len(records), 2)
    labels = [Label(name=name, negative=0, positive=1) for name in "ab"]
    return MarkedSample(x, y, labels, ignore=True)


@pytest.mark.exact
@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
def test_labels_that_are_missing_cost_no_more(relation):
    """Every pair of neighbours of two records over one cell, labels missing among them."""
    records = [((0,), labels) for labels in product((0, 1, None), repeat=2)]
    asked = Task(
        Trees(complete([range(1)]), depth=0),
        privacy=Privacy(1, Fraction(1, 20), relation),
        accuracy=Accuracy("0.25", "0.25"),
        setting="agnostic",
        k=2,
        error_share=0,
        other="ignore",
    )
    made = SIDE_BY_SIDE.built(asked, 2)
    given = {"form": missing, "order": "ignored", "faint": Fraction(1, 1 << 24)}
    assert not exact(made, records, 2, **given).violated
    found = exact(made, records, 2, epsilon=Fraction(1, 2), delta=Fraction(1, 20), **given)
    assert found.violated


def test_each_label_has_costs_of_its_own():
    asked = task(label_costs=[(1, 1), (1, 9), (5, 1), (1, 1)])
    made = SIDE_BY_SIDE.built(asked, 500)
    learners = made._learners(())
    assert [one.costs for one in learners] == [(1, 1), (1, 9), (5, 1), (1, 1)]
    assert all(one.event().epsilon <= each_epsilon(asked) for one in learners)
    assert SIDE_BY_SIDE.bound(asked).n >= SIDE_BY_SIDE.bound(task()).n
    assert "costs where records are ignored" in SIDE_BY_SIDE.why_not(asked.with_(other="ignore"))
    said = "an error counts each of them once"
    for weighed in (asked, task(costs={"1": 2}), task(costs="balanced", names=("no", "yes"))):
        assert said in SIDE_BY_SIDE.built(weighed, 5000).drawn_from
    assert said not in SIDE_BY_SIDE.built(task(), 5000).drawn_from
    both = asked.with_(costs={"1": 2})
    assert "for all labels, or for each" in SIDE_BY_SIDE.why_not(both)


def test_without_a_delta_each_range_is_an_equal_part_of_epsilon():
    drawn, count, sizes = parts(task(delta=0))
    assert (drawn, count, sizes) == ((Fraction(9, 5), 0), (Fraction(1, 5), 0), None)
    assert each_epsilon(task(delta=0)) == Fraction(9, 20)
    assert each_epsilon(task(delta=0, error_share=0)) == Fraction(1, 2)

    def made(each):
        learner = ListedRuleLearner(concept_class=Intervals(SCHEMA), epsilon=each)
        return SideBySide(learner=learner, k=4, epsilon=Fraction(2), delta=Fraction(0))

    assert made(Fraction(1, 2)).event() == Pure(epsilon=Fraction(2), relation=REPLACE_ONE)
    with pytest.raises(BadInput, match="more than its share"):
        made(Fraction(1, 2) + Fraction(1, 1 << 30))
