"""What so many records buy: the border lies where the plan begins to fit."""

from fractions import Fraction

import pytest

from tacit import Accuracy, Privacy, Task
from tacit.classes import Points
from tacit.core import BadInput
from tacit.domains import Schema
from tacit.planner.inverse import fewest, gentler, least_alpha, least_epsilon, most_tasks
from tacit.problems.tables.trees import Stumps

TASK = Task(Points(bits=8), privacy=Privacy(1), accuracy=Accuracy("0.1", "0.1"))


class Plain:
    """Records by a plain formula, so that the borders are known."""

    def __init__(self, most_alpha=Fraction(1)):
        self.most_alpha = most_alpha

    def records(self, task):
        if task.accuracy.alpha > self.most_alpha:
            return None
        return -(-10 * task.k // (task.accuracy.alpha * task.privacy.epsilon))


@pytest.mark.parametrize("n", [50, 100, 12345])
@pytest.mark.parametrize("most", [Fraction(1), Fraction(1, 2), Fraction(1, 4)])
def test_the_least_alpha_fits_and_one_in_a_thousand_less_does_not(n, most):
    planner = Plain(most)
    alpha = least_alpha(TASK, n=n, planner=planner)
    assert planner.records(TASK.with_(alpha=alpha)) <= n
    assert planner.records(TASK.with_(alpha=alpha * Fraction(998, 1000))) > n


def test_no_alpha_fits_too_few_records():
    assert least_alpha(TASK, n=5, planner=Plain()) is None


@pytest.mark.parametrize("n", [3, 40, 9999])
def test_the_least_epsilon_fits(n):
    epsilon = least_epsilon(TASK, n=n, planner=Plain())
    assert Plain().records(TASK.with_(epsilon=epsilon)) <= n
    assert Plain().records(TASK.with_(epsilon=epsilon * Fraction(998, 1000))) > n


def test_no_epsilon_is_called_private_beyond_sixty_four():
    assert least_epsilon(TASK, n=1, planner=Plain()) is None


class Spending(Plain):
    """Records that rise again above epsilon 1/4, and fall towards a half more."""

    def records(self, task):
        over = min(2, max(1, 4 * task.privacy.epsilon))
        return over * super().records(task.with_(epsilon=min(task.privacy.epsilon, Fraction(1, 4))))


def test_an_epsilon_below_those_that_do_not_suffice_is_found():
    # 400 records suffice at 1/4 only, 800 above 1/2: the search must look below 1.
    epsilon = least_epsilon(TASK, n=500, planner=Spending())
    assert epsilon is not None
    assert epsilon < Fraction(1, 3)
    assert Spending().records(TASK.with_(epsilon=epsilon)) <= 500
    assert least_epsilon(TASK, n=399, planner=Spending()) is None
    low = least_epsilon(TASK, n=10**6, planner=Spending())
    assert Spending().records(TASK.with_(epsilon=low * Fraction(998, 1000))) > 10**6


def test_a_smaller_epsilon_that_errs_less_is_named():
    found = gentler(TASK, n=400, planner=Spending())
    assert found is not None
    assert found[0] == Fraction(1, 4)
    assert Fraction(99, 1000) < found[1] < Fraction(101, 1000)
    assert gentler(TASK.with_(epsilon="1/4"), n=400, planner=Spending()) is None
    assert gentler(TASK, n=400, planner=Plain()) is None
    assert gentler(TASK, n=5, planner=Plain()) is None
    assert fewest(TASK, planner=Spending()) == (Fraction(1, 4), 400)
    assert fewest(TASK, planner=Plain()) == (1, 100)


class Enough:
    """One record that is always enough, as in a class of one rule."""

    def records(self, task):
        return 1


def test_searches_end_where_everything_suffices():
    assert 0 < least_alpha(TASK, n=5, planner=Enough()) < Fraction(1, 100)
    assert 0 < least_epsilon(TASK, n=5, planner=Enough()) < Fraction(1, 100)
    assert fewest(TASK, planner=Enough()) == (1, 1)


@pytest.mark.parametrize(("n", "k"), [(99, 0), (100, 1), (999, 9), (1000, 10), (12345, 123)])
def test_the_most_tasks_are_counted_exactly(n, k):
    assert most_tasks(TASK, n=n, planner=Plain()) == k


class Together(Plain):
    """Five labels or more are learned together, for as many records as three by themselves."""

    def records(self, task):
        return super().records(task.with_(k=task.k if task.k < 5 else task.k - 2))


def test_as_many_labels_as_are_asked_for_are_looked_at_first():
    assert most_tasks(TASK, n=300, planner=Together()) == 3
    assert most_tasks(TASK.with_(k=5), n=300, planner=Together()) == 5
    assert most_tasks(TASK.with_(k=5), n=2000, planner=Together()) == 22
    assert most_tasks(TASK.with_(k=5), n=299, planner=Together()) == 2


def test_the_most_tasks_are_not_said_of_labels_with_costs_of_their_own():
    """Two pairs of costs say nothing of a third label: the refusal was about four of them."""
    one = Task(Stumps(Schema.tiny()), privacy=Privacy(1, "1e-6"), accuracy=Accuracy("0.1", "0.1"))
    with pytest.raises(BadInput, match="of those labels alone"):
        most_tasks(one.with_(k=2, label_costs=[(1, 5), (1, 1)]), n=300, planner=Plain())
