"""Agnostic learning by a representation: the score, exact privacy, failures at the planned n."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from tacit import Accuracy, Privacy, Task
from tacit.bounds.upper import selection
from tacit.checks.audit.registered import audit_exactly
from tacit.classes import Table
from tacit.core import ALGORITHMS, BadInput, Sample
from tacit.problems.protocols.found import Represented
from tacit.problems.protocols.near_concept import NearConcept
from tacit.problems.protocols.near_concept_upper import near_concept
from tacit.testing import seeded
from tacit.theory.dimensions.deterministic import itself
from tacit.theory.dimensions.incidence import read

ENTRY = ALGORITHMS["near-concept"]
TABLE = Table([[0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]])


def represented():
    return Represented(TABLE, itself(read(TABLE), alpha=Fraction(1, 50)))


@pytest.mark.exact
def test_the_score_is_its_definition():
    rng = np.random.default_rng(2)
    for _ in range(30):
        concepts = rng.integers(0, 2, (4, 3)).astype(bool)
        hypotheses = rng.integers(0, 2, (5, 3)).astype(bool)
        x, y = rng.integers(0, 3, 7), rng.integers(0, 2, 7).astype(bool)
        counts = [np.bincount(x[y == label], minlength=3) for label in (False, True)]
        found = NearConcept(concepts, hypotheses)((counts[0], counts[1])).errors
        for h, score in zip(hypotheses, found.tolist(), strict=True):
            wrong = [int(((c[x] != h[x]) | (c[x] != y)).sum()) for c in concepts]
            assert score == min(wrong) >= int((h[x] != y).sum())


@pytest.mark.exact
def test_privacy_over_all_neighbours():
    found, why = audit_exactly(ENTRY.instance(), epsilon=Fraction(1), seconds=120)
    assert found is not None, why
    assert not found.violated
    wrong, _ = audit_exactly(
        ENTRY.instance(), epsilon=Fraction(1), claimed=Fraction(1, 4), seconds=120
    )
    assert wrong is not None
    assert wrong.violated


@pytest.mark.statistical
def test_failures_at_the_planned_number_of_records():
    task = Task(
        represented(),
        privacy=Privacy(1),
        accuracy=Accuracy("0.2", "0.1"),
        setting="agnostic",
    )
    n = ENTRY.bound(task).n
    learner = ENTRY.built(task, n)
    rng = np.random.default_rng(4)
    laws = (np.array([0.25] * 4), np.array([0.6, 0.2, 0.1, 0.1]))
    rates = (np.array([0.61, 0.39, 0.61, 0.39]), np.array([0.5, 0.71, 0.29, 0.5]))
    seen = 0
    for law, rate in product(laws, rates):
        errors = [float((law * np.where(row, 1 - rate, rate)).sum()) for row in TABLE.matrix]
        for run in range(20):
            x = rng.choice(4, n, p=law)
            y = rng.random(n) < rate[x]
            rule = learner._release(Sample(x, y), rng=seeded(f"near {run}"))
            said = rule.predict(np.arange(4))
            error = float((law * np.where(said, 1 - rate, rate)).sum())
            seen += error > min(errors) + 0.2
    assert seen <= 8, seen  # a tenth of 80 is allowed


def test_the_size_of_a_representation_costs_privacy_only():
    asked = {"alpha": Fraction(1, 10), "beta": Fraction(1, 20), "epsilon": Fraction(1)}
    huge = near_concept(hypotheses=2**4000, rho=Fraction(1, 100), vc=1, **asked).n
    plain = selection.agnostic(size=2**4000, rho=Fraction(1, 100), **asked).n
    assert huge < plain / 2
    private = {**asked, "epsilon": Fraction(1, 10)}
    assert (
        near_concept(hypotheses=2**40, rho=0, vc=1, **private).n
        > near_concept(hypotheses=2**40, rho=0, vc=1, **asked).n
    )
    with pytest.raises(BadInput, match="below alpha"):
        near_concept(hypotheses=2, rho=Fraction(1, 10), vc=1, **asked)
