"""Tests of ``tacit.problems.tables.tree_or_score``."""

from fractions import Fraction

import numpy as np
import pytest
from tests.complete import complete
from tests.problems.tables.table_trees_cases import every_tree, mistakes

from tacit.core import Sample
from tacit.exact.balls import at, ball
from tacit.exact.entropy import CounterRng
from tacit.problems.tables.scores import Scores
from tacit.problems.tables.tree_or_score import TreeOrScoreLearner
from tacit.problems.tables.trees import Trees

pytestmark = pytest.mark.exact


def test_trees_and_scores_share_one_law():
    """The class is picked by its whole weight, by floats and by balls alike."""
    schema = complete([(0, 1), bool], bins=3)
    trees, scores = Trees(schema, 1), Scores(schema, 2, 1)
    learner = TreeOrScoreLearner(trees=trees, scores=scores, epsilon=Fraction(3))
    rng = np.random.default_rng(4)
    x = [(rng.random(), bool(rng.integers(2))) for _ in range(9)]
    y = rng.integers(0, 2, 9).astype(bool)
    rate = learner.rate
    with at(200):
        tree_weight = sum(
            (
                ball(trees.prior(tree)) * (-ball(rate) * mistakes(trees, tree, x, y)).exp()
                for tree in every_tree(trees, 1)
            ),
            ball(0),
        )
        score_weight, candidate = ball(0), 0
        for many, factor in zip(scores.many, scores.factors, strict=True):
            for _ in range(many):
                wrong = int(np.sum(scores.hypothesis(candidate).predict(x) != y))
                score_weight += factor * (-ball(rate) * wrong).exp() / scores.size
                candidate += 1
        seen = {}

        class Spy(CounterRng):
            def cell(self, weights, *, relative, absolute, balls, seen=seen):
                if not seen:
                    seen["floats"], seen["balls"] = weights, list(balls())
                    return 0
                return super().cell(weights, relative=relative, absolute=absolute, balls=balls)

        learner._release(Sample(x, y), rng=Spy(bytes(32)))
        for enclosed, stated in zip(seen["balls"], (tree_weight, score_weight), strict=True):
            assert abs(enclosed / stated - 1) < ball(Fraction(1, 10**50))
        ratio = ball(Fraction(seen["floats"][0])) / ball(Fraction(seen["floats"][1]))
        assert abs(ratio * score_weight / tree_weight - 1) < ball(Fraction(1, 10**13))
