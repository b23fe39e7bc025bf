"""The best of a geometric number of runs costs three times one run, exactly."""

from fractions import Fraction

import numpy as np
import pytest
from tests.complete import complete

from tacit import Ledger
from tacit.core import BadInput
from tacit.estimators import PrivateSelection, StumpClassifier, TreeClassifier
from tacit.exact.balls import at, ball
from tacit.problems.tables.best_of import BestOf
from tacit.problems.tables.checked import CheckedLearner
from tacit.problems.tables.tree_learner import TreeLearner
from tacit.problems.tables.trees import Trees

pytestmark = pytest.mark.exact


def best_law(run, tries):
    """The stated law for one run given as masses from best to worst."""
    g, out, tail = Fraction(1, tries), [], ball(1)

    def total(s):
        return ball(g) * s / (1 - ball(1 - g) * s)

    for mass in run:
        out.append(total(tail) - total(tail - mass))
        tail = tail - mass
    return out


@pytest.mark.parametrize("tries", [1, 2, 10])
def test_three_times_the_cost_of_one_run_suffices_and_twice_does_not(tries):
    """Over all pairs of three-output laws with log-ratios in {-e, .., e} on a grid."""
    with at(200):
        e = Fraction(1, 5)
        worst = ball(0)
        grow = ball(e).exp()
        for third in range(1, 30):
            p = [ball(Fraction(1, 1000)), ball(Fraction(third, 31)), ball(0)]
            p[2] = 1 - p[0] - p[1]
            # The best output becomes likelier, the middle one too; the rest pays.
            q = [p[0] / grow, p[1] / grow, ball(0)]
            q[2] = 1 - q[0] - q[1]
            if not q[2] < p[2] * grow:
                continue
            for a, b in zip(best_law(p, tries), best_law(q, tries), strict=True):
                worst = worst.max((a / b).log().max((b / a).log()))
        assert worst < 3 * ball(e) + ball(Fraction(1, 10**40))
        if tries == 10:
            assert worst > ball(e) * ball(Fraction(3, 2))


def test_candidates_may_not_overspend():
    trees = Trees(complete([bool]), depth=1)
    checked = CheckedLearner(
        learner=TreeLearner(trees=trees, epsilon=Fraction(1, 3)), epsilon=Fraction(1, 100)
    )
    with pytest.raises(BadInput, match="third"):
        BestOf(candidates=(checked,), epsilon=Fraction(1))
    assert BestOf(candidates=(checked,), epsilon=Fraction(2)).event().epsilon == 2


@pytest.mark.parametrize("costs", [{1: 20}, "balanced"], ids=str)
def test_costs_of_a_classifier_are_refused_and_not_dropped(costs):
    book = Ledger.memory(epsilon=10)
    tree = TreeClassifier(domain=[(0, 1)], depth=1, costs=costs)
    for one in (tree, PrivateSelection([("deeper", tree)], domain=[(0, 1)])):
        chosen = PrivateSelection(
            [("stump", StumpClassifier()), ("tree", one)], domain=[(0, 1)], ledger=book
        )
        with pytest.raises(BadInput, match="has costs, and draws are compared by their number"):
            chosen.fit(np.linspace(0, 1, 50)[:, None], np.arange(50) % 2)
    assert not book.entries


def test_the_certificate_says_that_nothing_stands_beside_the_error():
    """Each draw would pay anew for the number of records of each label, so it is not counted."""
    rng = np.random.default_rng(3)
    x = rng.random((300, 2))
    model = PrivateSelection(
        [("stump", StumpClassifier())],
        domain=complete([(0, 1)] * 2, bins=4),
        ledger=Ledger.memory(),
    ).fit(x, (x[:, 0] > 0.5).astype(int))
    assert model.certificate_.measured.beside == ()
    told = model.certificate_.summary().replace("\n", " ")
    assert "How many records have each label was not counted: whether the rule is better" in told
