"""Tests of ``tacit.planner.planning``."""

from fractions import Fraction as F

import pytest

from tacit.classes import Points, RealThresholds, Table, Thresholds
from tacit.core import (
    Accuracy,
    BadInput,
    Privacy,
    Task,
)
from tacit.estimators import TreeClassifier
from tacit.planner import plan
from tacit.planner.explain import summary


def test_plan_wants_a_task():
    with pytest.raises(BadInput, match="Task"):
        plan(Points(bits=4))


def points(**changes):
    rest = {"privacy": Privacy(1), "accuracy": Accuracy(0.1, 0.05), **changes}
    return Task(Points(bits=rest.pop("bits", 64)), **rest)


def test_points_of_every_domain_need_the_same_few_records():
    sizes = {plan(points(bits=bits)).best.n for bits in (16, 64, 1000)}
    assert len(sizes) == 1
    assert sizes.pop() <= 320


def test_proper_points():
    p = plan(points(output="proper"))
    assert p.best.algorithm.proper
    assert p.best.n <= 1250
    assert p.lower_bounds[0].n >= 500
    assert "any kind of answer" in p.explain()


def test_no_lower_bound_stands_above_an_option():
    tables = [Table([[0, 1], [1, 0], [1, 1]]), Points(bits=8), Thresholds(bits=8)]
    for concepts in tables:
        for setting in ("realizable", "agnostic"):
            for output in ("any", "proper"):
                for relation in ("replace-one", "add-remove", "label"):
                    task = Task(
                        concepts,
                        privacy=Privacy(1, 0, relation),
                        accuracy=Accuracy(0.2, 0.1),
                        setting=setting,
                        output=output,
                    )
                    p = plan(task)
                    assert p.best is not None
                    assert all(needed.n <= p.best.n for needed in p.lower_bounds)


def test_lower_bounds_keep_to_what_they_prove():
    def speaking(**changes):
        return {needed.name for needed in plan(points(**changes)).lower_bounds}

    assert "rare point" in speaking(output="proper")
    assert "rare point" not in speaking(output="any")
    assert "rare point" not in speaking(output="proper", privacy=Privacy(1, 0, "label"))
    assert "two concepts" in speaking(privacy=Privacy(1, 0, "label"))
    assert speaking(marginal="uniform") == set()
    assert "two biases" in speaking(setting="agnostic")
    assert "two biases" not in speaking()
    assert "label vectors" in speaking(k=5)
    assert "planted value" in speaking(goal="sanitize")
    assert "two concepts" not in speaking(goal="sanitize")


def test_inversions_round_trip():
    task = Task(Thresholds(bits=16), privacy=Privacy(1), accuracy=Accuracy(0.1, 0.05))
    n = plan(task).best.n
    alpha = plan.least_alpha(task, n)
    assert F(99, 1000) <= alpha <= F(1, 10) * F(1002, 1000)
    assert plan(task.with_(alpha=alpha)).best.n <= n
    epsilon = plan.least_epsilon(task, n)
    assert F(99, 100) <= epsilon <= F(1001, 1000)
    assert plan(task.with_(epsilon=epsilon)).best.n <= n
    assert plan.most_tasks(task, n) >= 1
    assert plan.most_tasks(task, 1) == 0


def test_what_cannot_be_had_is_none():
    task = Task(Thresholds(bits=64), privacy=Privacy("1/1000"), accuracy=Accuracy(0.1, 0.05))
    assert plan.least_alpha(task, 2) is None
    assert plan.least_epsilon(task, 2) is None


def test_what_records_buy_is_told_of_algorithms_that_run():
    domain = {"age": (0, 110), "dose": (0, 20), "sex": ["f", "m"]}
    task = TreeClassifier(domain=domain, epsilon="0.5").task()
    alpha = plan.least_alpha(task, 3000)
    reached = plan(task.with_(alpha=alpha).at(3000))
    assert reached.runnable.n <= 3000
    assert not reached.best.runs  # a proof alone would need fewer records, and buy more
    assert reached.best.n < reached.runnable.n


@pytest.mark.parametrize("declared", [True, False])
def test_what_records_buy_is_what_learn_promises_with_the_epsilon_that_counting_leaves(declared):
    domain = {"age": (0, 110), "dose": (0, 20), "sex": ["f", "m"]}
    task = TreeClassifier(domain=domain, epsilon="0.5").task()
    alpha = plan.least_alpha(task, 3000)
    learned = task.with_(alpha=alpha).at(3000, declared=declared)
    assert learned.drawn.privacy.epsilon > task.drawn.privacy.epsilon
    assert plan.chosen(learned).n <= 3000
    # More epsilon promises less here, so leaving out the most that counts may take is not safe.
    tempting = task.drawn.with_(alpha=alpha * F(97, 100))
    assert plan.chosen(tempting).n <= 3000 < plan.chosen(learned.with_(alpha=alpha * F(97, 100))).n
    open_ended = plan(task.with_(alpha=alpha * F(97, 100))).runnable.n
    assert plan.chosen(task.with_(alpha=alpha * F(97, 100)).at(open_ended)).n <= open_ended


def test_a_plan_says_which_part_of_epsilon_counts_mistakes():
    classifier = TreeClassifier(domain={"age": (0, 110)}, epsilon="0.5")
    task = classifier.task()
    part = task.privacy.epsilon - task.at(3000).drawn.privacy.epsilon
    assert f"Of epsilon = 0.5, {float(part):.3g} counts the rule's mistakes" in plan(task).summary(
        n=3000
    )
    assert "Of epsilon = 0.5, up to 0.125 counts" in plan(task).summary()
    none = classifier.set_params(error_share=0).task()
    assert "counts the rule's mistakes" not in plan(none).summary()


def test_several_tasks_over_the_reals_are_told_of_a_release_each():
    task = Task(
        RealThresholds(),
        privacy=Privacy(1, "1e-6"),
        accuracy=Accuracy("0.2", "0.1"),
        k=4,
        marginal="uniform",
    )
    answer = plan(task)
    assert answer.best is None
    one = plan(task.with_(k=1, epsilon=F(1, 4), delta=F(1, 4 * 10**6), beta=F(1, 40))).best
    words = f"With 4 releases, one task each with 1/4 of epsilon, delta and beta, {one.n} records"
    assert words in answer.explain()
    assert words in summary(answer)
