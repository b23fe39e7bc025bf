"""Protocol and reconstructing learners as wholes: every draw followed, all neighbours compared."""

from fractions import Fraction

import pytest

from tacit import Accuracy, Privacy, Task
from tacit.audit import exact
from tacit.classes import Points, Thresholds
from tacit.core import ALGORITHMS

RECORDS = [(x, y) for x in (0, 1) for y in (0, 1)]


@pytest.mark.parametrize(
    ("name", "concepts"),
    [
        ("protocol-equality", Points(size=2)),
        ("protocol-greater-than", Thresholds(size=2)),
        ("independent-noise", Thresholds(size=2)),
        ("noise-reconstruction", Thresholds(size=2)),
    ],
)
def test_the_exact_loss_is_within_the_claim(name, concepts):
    task = Task(concepts, privacy=Privacy(1), accuracy=Accuracy("0.4", "0.4"))
    mechanism = ALGORITHMS[name].mechanism(task, 2)
    found = exact(mechanism, RECORDS, 2)
    assert found.claimed_epsilon <= 1
    assert not found.violated
    assert found.rest == 0
    assert found.epsilon[0] > Fraction(1, 2)
    assert exact(mechanism, RECORDS, 2, epsilon=found.epsilon[0] * Fraction(4, 5), delta=0).violated
