"""A private learner as a protocol that runs, and back again as a learner."""

from fractions import Fraction

import numpy as np
import pytest

from tacit import Accuracy, Privacy, Task
from tacit.classes import Points, Table
from tacit.core import ALGORITHMS, BadInput, Sample
from tacit.problems.protocols.learner_protocol import LearnerProtocol, message
from tacit.problems.protocols.protocol import ProtocolLearner
from tacit.testing import seeded

TABLE = Table([[0, 1], [1, 1]])


def protocol(failure=Fraction(1, 3)):
    task = Task(TABLE, privacy=Privacy("1/4"), accuracy=Accuracy("1/5", "2/5"))
    return LearnerProtocol.of(task, ALGORITHMS["permute-and-flip"], failure=failure)


@pytest.mark.statistical
def test_bob_is_right_at_every_point_for_every_concept():
    made = protocol()
    assert made.length.runs * made.length.tries < 400
    assert made.error <= Fraction(1, 3)
    wrong = 0
    for run in range(2):
        coins = made.coins(seeded(f"coins {run}"))
        for concept in range(TABLE.size):
            sent = made.alice(concept, coins)
            assert 0 <= sent < made.messages
            said = made.rule(sent, coins).predict(np.arange(2))
            wrong += int((said != TABLE.matrix[concept]).any())
    assert wrong == 0  # allowed: a third; what a list lacks is far rarer than the bound says


def test_too_few_runs_of_the_learner_fail():
    made = protocol()
    coins = made.coins(seeded("few"))
    # One rule a list cannot serve two concepts: Alice has nothing to choose.
    lone = LearnerProtocol(made.task, made.algorithm, type(made.length)(made.length.runs, 1))
    said = {
        lone.rule(lone.alice(concept, coins[:, :1]), coins[:, :1]).values for concept in range(2)
    }
    assert len(said) == 1
    assert lone.error == 1


def test_the_message_is_as_long_as_stated():
    asked = {"alpha": Fraction(1, 4), "beta": Fraction(1, 2), "failure": Fraction(1, 3)}
    short = message(records=12, points=4, epsilon=Fraction(1, 4), **asked)
    more = message(records=24, points=4, epsilon=Fraction(1, 4), **asked)
    # Twelve more records at epsilon 1/4: e^3 times as many tries, 3 / ln 2 more bits a run.
    assert more.bits - short.bits in (4 * short.runs, 5 * short.runs)
    with pytest.raises(BadInput, match="below 1/2"):
        message(records=1, points=2, epsilon=Fraction(1), **{**asked, "alpha": Fraction(1, 2)})


def test_a_protocol_is_a_learner_again():
    task = Task(Table([[0, 0], [1, 1]]), privacy=Privacy("1/4"), accuracy=Accuracy("1/3", "2/5"))
    made = LearnerProtocol.of(task, ALGORITHMS["permute-and-flip"])
    small = LearnerProtocol(task, made.algorithm, type(made.length)(1, 64))
    learner = ProtocolLearner(protocol=small, copies=1, epsilon=Fraction(3))
    x = np.tile([0, 1], 20)
    rule = learner._release(Sample(x, np.ones(40, dtype=int)), rng=seeded("again"))
    assert rule.predict([0, 1]).tolist() == [True, True]


def test_what_cannot_be_made_a_protocol_is_refused():
    points = Task(Points(size=4), privacy=Privacy(1), accuracy=Accuracy("0.2", "0.2"))
    with pytest.raises(BadInput, match="listed class"):
        LearnerProtocol.of(points, ALGORITHMS["exponential"])
    loose = Task(TABLE, privacy=Privacy(1, 0, "add-remove"), accuracy=Accuracy("0.2", "0.2"))
    with pytest.raises(BadInput, match="replace-one"):
        LearnerProtocol.of(loose, ALGORITHMS["exponential"])
