"""Whole learners, every draw followed: the exact loss over all neighbours is within the claim.

Each loses more than a fifth of its claim on these tiny data sets, so the check is about
something, and each is found out when it claims less than it loses.
"""

from fractions import Fraction

import numpy as np
import pytest

from tacit.checks.audit import exact
from tacit.checks.testing import seeded
from tacit.classes import GridBoxes, GridHalfspaces, Intervals, Table, Thresholds
from tacit.core import Relation, Sample
from tacit.domains import Bits, Integers, Schema
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.parities.joint_parities import JointParities
from tacit.problems.parities.parity_learner import ParityElimination
from tacit.problems.points.hashed import HashedPointLearner
from tacit.problems.several.direct_sum import DirectSum
from tacit.problems.several.sanitize_then_learn import TableThenSelect, divided, told_apart
from tacit.problems.thresholds.blr_thresholds import ThresholdSelection
from tacit.tallies.distinct import Repeated

pytestmark = pytest.mark.exact

ONE = Fraction(1)

HALF = ONE / 2

SINGLE = [(x, y) for x in (0, 1) for y in (0, 1)]

PAIRS = [(x, (a, b)) for x in (0, 1) for a in (0, 1) for b in (0, 1)]


def through_a_table(base, candidates):
    return TableThenSelect(
        sanitizer=ThresholdSelection(domain=base.domain, rows=1, epsilon=HALF),
        candidates=candidates,
        domain=base.domain,
        k=2,
        each=HALF / 2,
        share=HALF,
        delta=Fraction(0),
    )


THRESHOLDS = Thresholds(size=2)

LISTED = Table(np.array([[0, 1], [1, 0], [1, 1]]))

CASES = {
    "thresholds through a table": (
        through_a_table(THRESHOLDS, lambda table: told_apart(THRESHOLDS, table)),
        PAIRS,
        2,
    ),
    "listed class through a table": (
        through_a_table(LISTED, lambda table: divided(LISTED, table)),
        PAIRS,
        2,
    ),
    **{
        f"joint parities, {relation.value}": (
            JointParities(domain=Bits(columns=1), k=2, epsilon=ONE, relation=relation),
            PAIRS,
            2,
        )
        for relation in Relation
    },
    "joint parities by coins": (
        JointParities(domain=Bits(columns=1), k=2, epsilon=ONE, selector="permute-and-flip"),
        PAIRS,
        2,
    ),
    "hashed points": (
        HashedPointLearner(domain=Integers(size=2), bits=1, hashes=1, epsilon=ONE),
        SINGLE,
        3,
    ),
    "parity elimination": (
        ParityElimination(
            domain=Bits(columns=1), tries=1, block=2, epsilon=ONE, epsilon_choice=ONE
        ),
        SINGLE,
        3,
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_exact_loss_is_within_the_claim(name):
    mechanism, records, n = CASES[name]
    found = exact(mechanism, records, n)
    assert found.claimed_epsilon == ONE
    assert not found.violated
    assert found.rest == 0
    assert found.epsilon[1] <= ONE + Fraction(1, 10**9)
    assert found.epsilon[0] > Fraction(1, 5)
    bold = exact(mechanism, records, n, epsilon=found.epsilon[0] * Fraction(4, 5), delta=0)
    assert bold.violated


def test_the_selections_of_all_tasks_are_in_the_event():
    mechanism, _, _ = CASES["thresholds through a table"]
    event = mechanism.event()
    assert len(event.events) == 1 + mechanism.k
    assert isinstance(mechanism._selections(None), DirectSum)


@pytest.mark.parametrize(
    "concepts",
    [
        GridHalfspaces(bits=2),
        GridBoxes(bits=2),
        Intervals(Schema.of({"a": (0, 4), "b": (0, 4)}, bins=4)),
    ],
)
def test_rows_of_several_cells_are_learned_from_as_they_come(concepts):
    """Two labels of rows, in memory and in batches: cells are no values, to be placed again."""
    x = np.random.default_rng(6).integers(0, 4, (400, 2)) + 0.5
    labels = np.stack([x[:, 0] >= 2, x[:, 1] < 1], axis=1)
    learner = FiniteClassLearner(concept_class=concepts, epsilon=Fraction(50))
    mechanism = DirectSum(learner=learner, domain=concepts.domain, k=2)
    assert not mechanism.streams(400)
    for data in (Sample(x, labels, True), Repeated(x, labels, np.ones(400, dtype=np.int64))):
        rules = seeded(3).part(mechanism, data).rules
        wrong = [
            np.count_nonzero(rule.predict(x) != y) for rule, y in zip(rules, labels.T, strict=True)
        ]
        assert wrong == [0, 0]
