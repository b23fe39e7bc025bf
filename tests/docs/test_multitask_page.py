"""The page on several rules says which plan is best, and how many records that needs."""

import re
from fractions import Fraction as F
from pathlib import Path

import pytest

from tacit.classes import Points
from tacit.core import Accuracy, Privacy, Task
from tacit.planner import plan
from tacit.problems.points import point_learner_upper

PAGE = Path(__file__).resolve().parents[2] / "docs" / "multitask.md"
TEXT = PAGE.read_text(encoding="utf-8")
TASK = Task(Points(bits=64), privacy=Privacy(1, "1e-6"), accuracy=Accuracy(F(1, 10), F(1, 10)))


@pytest.mark.parametrize("k", [10, 100, 1000])
def test_the_plan_of_the_first_example(k):
    name, records = re.search(r"# (\S+): (\d+) records, for any k", TEXT).groups()
    best = plan(TASK.with_(k=k)).best
    assert (best.name, best.n) == (name, int(records))


def test_what_one_task_needs():
    assert f"({plan(TASK).best.n} for points at alpha = beta = 0.1)" in TEXT


def test_what_the_two_step_learner_needs():
    ours, printed = re.search(r"\((\d+) records at [^)]* ask for ([\d,]+)\)", TEXT).groups()
    bound = point_learner_upper.point_learner(
        alpha=F(1, 10), beta=F(1, 20), epsilon=F(1), delta=F(1, 10**6)
    )
    assert (bound.n, bound.printed) == (int(ours), int(printed.replace(",", "")))
