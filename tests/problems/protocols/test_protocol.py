"""Protocol and reconstructing learners as wholes: every draw followed, all neighbours compared."""

from fractions import Fraction

import pytest

from tacit import Accuracy, Privacy, Task
from tacit.checks.audit import exact
from tacit.classes import Thresholds
from tacit.core import ALGORITHMS
from tacit.domains import Integers
from tacit.problems.protocols.one_way_protocols import Equality
from tacit.problems.protocols.protocol import ProtocolLearner

pytestmark = pytest.mark.exact

RECORDS = [(x, y) for x in (0, 1) for y in (0, 1)]


@pytest.mark.parametrize(
    ("name", "concepts"),
    [
        ("protocol-greater-than", Thresholds(size=2)),
        ("independent-noise", Thresholds(size=2)),
        ("noise-reconstruction", Thresholds(size=2)),
    ],
)
def test_the_exact_loss_is_within_the_claim(name, concepts):
    task = Task(concepts, privacy=Privacy(1), accuracy=Accuracy("0.4", "0.4"))
    within_claim(ALGORITHMS[name].built(task, 2))


def test_equality_is_private_over_all_coins_of_its_hash():
    # The planned hash has six bits, whose coins are too many to follow.
    protocol = Equality(Integers(size=2), 1)
    within_claim(ProtocolLearner(protocol=protocol, copies=1, epsilon=Fraction(1)))


def within_claim(mechanism):
    found = exact(mechanism, RECORDS, 2)
    assert found.claimed_epsilon <= 1
    assert not found.violated
    assert found.rest == 0
    assert found.epsilon[0] > Fraction(1, 2)
    assert exact(mechanism, RECORDS, 2, epsilon=found.epsilon[0] * Fraction(4, 5), delta=0).violated
