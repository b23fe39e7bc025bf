"""Tracing at the certified lengths: who learns without privacy is caught, who learns with it not."""

from fractions import Fraction as F

import numpy as np
import pytest

from tacit.checks.attacks.faulty import majority_learner
from tacit.checks.attacks.tracing import trace_learner
from tacit.checks.testing import seeded
from tacit.classes import Thresholds
from tacit.core import Accuracy, Privacy, Task
from tacit.domains import Integers
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.several.direct_sum import DIRECT_SUM, DirectSum

pytestmark = pytest.mark.statistical

XI = F(1, 100)


def test_boneh_shaw_traces_a_non_private_learner_always():
    found = trace_learner(majority_learner, n=5, xi=XI, runs=60, rng=seeded("always"))
    assert found.unaccused == 0
    assert found.epsilon > 2
    assert found.exceeds(F(1), F(0))


@pytest.mark.parametrize("always", [False, True])
@pytest.mark.parametrize("code", ["boneh-shaw", "tardos"])
def test_a_constant_answer_is_not_convicted(always, code):
    def constant(x, labels):
        return np.full(labels.shape, always)

    found = trace_learner(constant, n=3, xi=XI, runs=60, code=code, rng=seeded("constant"))
    assert not found.exceeds(F(1), F(0))
    assert found.epsilon == 0


def test_tardos_traces_a_non_private_learner_but_for_xi():
    found = trace_learner(
        majority_learner, n=4, xi=XI, runs=150, code="tardos", rng=seeded("tardos")
    )
    assert found.unaccused <= 15 + 12  # 300 runs at 1/20, and three standard errors
    assert found.exceeds(F(1), F(0))
    assert found.epsilon > 1


def test_a_private_learner_on_a_full_code_is_not_traced():
    """epsilon 1 in all, on as many tasks as the certified code is long."""
    columns = 739
    learner = FiniteClassLearner(
        concept_class=Thresholds(size=2, orientation="<"), epsilon=F(1, columns)
    )
    private = DirectSum(learner=learner, domain=Integers(size=2), k=columns)
    found = trace_learner(private, n=4, xi=F(1, 80), runs=8, code="tardos", rng=seeded("private"))
    assert found.columns == columns
    assert not found.exceeds(F(1), F(0))
    assert found.epsilon == 0


def test_a_private_learner_with_its_planned_records_is_not_traced():
    task = Task(
        Thresholds(size=2, orientation="<"),
        privacy=Privacy(1),
        accuracy=Accuracy("0.2", "0.1"),
        setting="agnostic",
        k=4,
    )
    n = DIRECT_SUM.bound(task).n
    found = trace_learner(
        DIRECT_SUM.built(task, n),
        k=task.k,
        n=n,
        xi=F(1, 20),
        runs=10,
        x=np.zeros(n, dtype=int),
        code="tardos",
        rng=seeded("planned"),
    )
    assert not found.exceeds(F(1), F(0))
    assert found.epsilon == 0


def test_three_records_teach_a_private_learner_next_to_nothing():
    from tacit.checks.attacks.faulty import majority_learner
    from tacit.checks.attacks.tracing import labels_right

    assert labels_right(majority_learner, 3, runs=2) > 0.8
    assert labels_right(lambda _, labels: ~labels, 3, runs=2) == 0
