"""Tests of ``tacit.core.size``."""

from fractions import Fraction as F

import pytest

from tacit import Accuracy, Privacy, Task
from tacit.accounting import total
from tacit.classes import Points, Thresholds
from tacit.core import ALGORITHMS, Size


@pytest.mark.parametrize("k", [2, 5, 10, 40, 200])
@pytest.mark.parametrize("concepts", [Points(bits=32), Thresholds(bits=32)])
def test_plans_with_delta_use_nearly_all_of_epsilon(k, concepts):
    job = Task(concepts, privacy=Privacy(1, "1e-6"), accuracy=Accuracy("0.1", "0.1"), k=k)
    entry = ALGORITHMS["direct-sum"]
    bound = entry.bound(job)
    event = entry.build(job, bound, Size(bound.n)).event()
    spent = total([event], delta=F(1, 10**6))
    assert F(99, 100) <= spent.epsilon <= 1
    assert spent.delta <= F(1, 10**6)
