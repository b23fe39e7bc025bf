"""Tests of ``tacit.checks.attacks.faulty``."""

from fractions import Fraction as F

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from tacit.checks.attacks import membership
from tacit.checks.attacks.tracing import trace_learner
from tacit.core import BadInput


def test_membership_in_a_tree_that_remembers_and_one_that_does_not():
    generator = np.random.default_rng(1)
    x = generator.normal(size=(1200, 4))
    y = (x[:, 0] + generator.normal(size=1200) > 0).astype(int)
    sides = {"members": (x[:600], y[:600]), "outsiders": (x[600:], y[600:])}
    deep = DecisionTreeClassifier(random_state=0).fit(x[:600], y[:600])
    stump = DecisionTreeClassifier(max_depth=1, random_state=0).fit(x[:600], y[:600])
    assert membership.infer(deep, **sides).advantage > F(1, 5)
    assert membership.infer(stump, **sides).advantage == 0


def test_an_attack_says_what_it_needs():
    with pytest.raises(BadInput, match="needs k"):
        trace_learner(lambda x, y: y, k=5, n=4)
    with pytest.raises(BadInput, match="code must be"):
        trace_learner(lambda x, y: y, code="morse")
    with pytest.raises(BadInput, match="every record for every task"):
        trace_learner(lambda x, y: y[:, :1])
