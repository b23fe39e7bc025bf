"""Tests of ``tacit.theory.online.halving``."""

from tacit.theory.online import (
    Halving,
)


def test_halving_stays_when_no_expert_is_right():
    learner = Halving([[0, 0], [0, 1]])
    learner.learn(0, 1)
    assert learner.left == 2
    learner.learn(1, 1)
    assert (learner.left, learner.bound, learner.predict(1), learner.predict(0)) == (1, 0, 1, 0)
