"""Tests of ``tacit.problems.tables.shared_trees``."""

from fractions import Fraction

import pytest
from tests.complete import complete
from tests.problems.tables.shared_cases import every, leaves

from tacit.core import Accuracy, BadInput, Privacy, Task
from tacit.planner import plan
from tacit.planner.explain import summary
from tacit.problems.tables.shared_trees import SharedTrees
from tacit.problems.tables.trees import Trees


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_priors_of_questions_sum_to_one_and_the_least_is_stated(depth):
    family = SharedTrees(complete([(0, 1), bool], bins=2), depth=depth)
    trees = family.trees
    priors = [trees.prior(one) * 2 ** leaves(one) for one in every(trees, depth)]
    assert sum(priors) == 1
    assert min(priors) == family.least_questions()
    assert max(leaves(one) for one in every(trees, depth)) == family.leaves


def test_a_table_without_questions_has_one_leaf():
    family = SharedTrees(complete([range(1)]), depth=2)
    assert family.leaves == 1
    assert family.least_questions() == Fraction(1)
    assert family.size == 2


def test_more_levels_are_refused():
    with pytest.raises(BadInput, match="at most 2 levels"):
        SharedTrees(complete([bool]), depth=3)
    assert "same questions for all labels" in SharedTrees.tiny().describe()


def test_no_lower_bound_speaks_of_a_mean_over_labels_nor_of_costs_of_single_labels():
    """Half of many answers guessed right make half of the mean; a cheap mistake hardly counts."""
    schema = complete([(0, 1), bool], bins=2)
    told = {"privacy": Privacy(1, "1e-6"), "accuracy": Accuracy(0.1, 0.05), "k": 2}
    assert not plan(Task(SharedTrees(schema, depth=1), **told)).lower_bounds
    assert not plan(
        Task(Trees(schema, depth=1), label_costs=[(1, 100), (1, 1)], **told)
    ).lower_bounds
    assert plan(Task(Trees(schema, depth=1), **told)).lower_bounds


def test_a_plan_says_that_errors_are_means():
    schema = complete([(0, 1), bool], bins=2)
    told = {"privacy": Privacy(1, "1e-6"), "accuracy": Accuracy(0.1, 0.05), "k": 2}
    told["setting"] = "agnostic"
    mean = "above the best of the class as a mean over the labels"
    assert mean in summary(plan(Task(SharedTrees(schema, depth=1), **told)))
    assert "mean" not in summary(plan(Task(Trees(schema, depth=1), **told)))
