"""A learner with the rates of its rule's parts: one event, the draws of both, and refusals."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

from tacit.checks.testing import seeded
from tacit.core import Accuracy, BadInput, Composed, Privacy, Pure, Relation, Sample, Task
from tacit.domains.schema import Schema
from tacit.mechanisms.calibration import noise_scale
from tacit.problems.tables.leaf_rates import LeafRates
from tacit.problems.tables.rated_learner import RatedLearner, read_rate_share
from tacit.problems.tables.tree_learner import TreeLearner
from tacit.problems.tables.trees import Trees

SCHEMA = Schema.of({"age": (0, 4), "dose": (0, 4)}, bins=4)
TREES = Trees(SCHEMA, depth=2)


def made(relation=Relation.REPLACE_ONE):
    learner = TreeLearner(trees=TREES, epsilon=Fraction(3, 4), relation=relation)
    return RatedLearner(learner=learner, rule_of=lambda rule: rule, epsilon=Fraction(1, 4))


def sample(n=500):
    rng = np.random.default_rng(2)
    x = pd.DataFrame(rng.uniform(0, 4, (n, 2)), columns=["age", "dose"])
    return Sample(x, (x["age"] > 2).to_numpy().astype(int))


@pytest.mark.parametrize("relation", Relation)
def test_it_costs_the_learner_and_the_numbers(relation):
    both = made(relation)
    rates = Pure(epsilon=Fraction(1, 4), relation=relation)
    assert both.event() == Composed(events=(both.learner.event(), rates), relation=relation)
    counting = both.counting(TREES.hypothesis(True))
    assert counting.event() == rates
    assert counting.scale == noise_scale(epsilon=Fraction(1, 4), relation=relation)


def test_it_is_the_learner_and_then_the_rates_of_its_rule():
    both, data = made(), sample()
    found = both._release(data, rng=seeded(9))
    rng = seeded(9)
    rule = both.learner._release(data, rng=rng)
    apart = LeafRates(rule=rule, epsilon=Fraction(1, 4))
    assert found.found == rule
    assert found.rated == apart.rated(apart._release(data, rng=rng))


def asked(**more):
    return Task(TREES, privacy=Privacy(1), accuracy=Accuracy("0.1", "0.05")).with_(**more)


def test_shares_are_above_0_and_below_1():
    assert read_rate_share("20%", asked()) == Fraction(1, 5)
    for share in (0, 1, "-0.1", 2):
        with pytest.raises(BadInput, match="above 0 and below 1"):
            read_rate_share(share, asked())


def test_what_has_no_rates_is_refused_from_public_numbers():
    with pytest.raises(BadInput, match="of all records"):
        read_rate_share("0.2", asked(other="ignore"))
