"""Mistakes on one row of each person: what the count costs a person, and what it certifies."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from tests.tools.long import long_ones

from tacit.accounting import About, Ledger, total
from tacit.bounds.upper.noisy_count import certified_error
from tacit.checks.audit.enumeration import exact
from tacit.checks.testing import seeded
from tacit.core import Relation
from tacit.domains.persons import ListedPersons, persons_of
from tacit.domains.schema import Schema
from tacit.estimators import BestRuleClassifier, PrivateSelection, StumpClassifier, TreeClassifier
from tacit.mechanisms.persons import ForPersons
from tacit.problems.tables.checked import CheckedLearner
from tacit.problems.tables.rule_counts import Beside
from tacit.problems.tables.tree_learner import TreeLearner
from tacit.problems.tables.trees import Trees
from tacit.report.release_file import release_record, release_text
from tacit.report.verify import verify

pytestmark = pytest.mark.exact

SCHEMA = Schema.of([bool]).declared_complete()

ROWS = [((False,), 0), ((False,), 1), ((True,), 1)]


def counted(rows, relation):
    """A stump, then its mistakes and the positive labels, for persons."""
    inner = TreeLearner(
        trees=Trees(SCHEMA, depth=1),
        epsilon=Fraction(1, 8) if rows > 1 else Fraction(1, 2),
        relation=Relation.ADD_REMOVE if rows > 1 else relation,
    )
    return CheckedLearner(
        learner=ForPersons(inner=inner, rows=rows, relation=relation),
        epsilon=Fraction(1, 4),
        beside=(Beside(what="positive", epsilon=Fraction(1, 4)),),
    )


def form(persons):
    return ListedPersons(SCHEMA, persons)


@pytest.mark.parametrize("rows", [1, 2])
@pytest.mark.parametrize(
    "relation", long_ones([Relation.REPLACE_ONE, Relation.ADD_REMOVE], Relation.ADD_REMOVE)
)
def test_the_count_costs_a_person_no_more_than_is_charged(rows, relation):
    everybody = [one for one in persons_of(ROWS, most=2) if one]
    mechanism = counted(rows, relation)
    found = exact(mechanism, everybody, 1, form=form, faint=Fraction(1, 1 << 16))
    claimed = total([mechanism.event()], delta=Fraction(0)).epsilon
    assert not found.violated, str(found)
    assert found.epsilon[0] > claimed / 4


def test_a_count_of_all_rows_would_cost_more():
    """Two rows of one person move it by two."""

    class Both(CheckedLearner):
        def _release(self, data, *, rng):
            whole = data.at_most(2).sample
            pairs = zip(whole.x, whole.y, strict=True)
            one = ListedPersons(SCHEMA, tuple(((x, y),) for x, y in pairs))
            return CheckedLearner._release(self, one, rng=rng)

    learner = replace(counted(2, Relation.ADD_REMOVE).learner.inner, epsilon=Fraction(1, 64))
    persons = ForPersons(inner=learner, rows=2, relation=Relation.ADD_REMOVE)
    both = Both(learner=persons, epsilon=Fraction(1, 2))
    everybody = [one for one in persons_of(ROWS, most=2) if one]
    assert exact(both, everybody, 1, form=form, faint=Fraction(1, 1 << 16)).violated


def coins(seed, persons, rows):
    """Labels that nothing tells, the same in all rows of a person: every rule errs on half."""
    made = np.random.default_rng(seed)
    age, sick = made.random(persons), made.random(persons) < 0.5
    ids = np.repeat(np.arange(persons), rows)
    return pd.DataFrame({"age": np.repeat(age, rows)}), np.repeat(sick, rows).astype(int), ids


def test_the_certified_error_holds_for_persons_with_equal_rows():
    persons, rows, runs = 60, 8, 60
    held = as_if_rows = 0
    for seed in range(runs):
        x, y, ids = coins(seed, persons, rows)
        fitted = StumpClassifier(
            domain={"age": (0, 1)}, epsilon=8, beta=0.1, error_share=0.5,
            ledger=Ledger.memory(8), rng=seeded(seed),
        ).fit(x, y, groups=ids, rows_per_unit=rows)  # fmt: skip
        found = fitted.certificate_
        assert found.n == persons
        held += found.error >= Fraction(1, 2)
        wrong = int((fitted.predict(x) != y).sum())
        as_if_rows += Fraction(1, 2) <= certified_error(
            noisy_mistakes=wrong,
            n=persons * rows,
            prior=found.measured.prior,
            epsilon=found.measured.epsilon,
            beta=Fraction(1, 10),
        )
    assert held >= 0.9 * runs
    # The same statement about rows, as if they were independent, is false far more often.
    assert as_if_rows < 0.8 * runs


TABLE = {"domain": {"age": (0, 1)}, "epsilon": 1}

KINDS = {
    "tree": lambda **more: TreeClassifier(**TABLE, **more),
    "best rule": lambda **more: BestRuleClassifier(**TABLE, **more),
    "selection": lambda **more: PrivateSelection(
        estimators=[("tree", TreeClassifier()), ("stump", StumpClassifier())], **TABLE, **more
    ),
}


@pytest.mark.parametrize("name", KINDS)
def test_certificates_of_persons_state_an_error_and_verify(name, tmp_path):
    made = np.random.default_rng(3)
    ids = made.integers(0, 2000, 5000)
    x = pd.DataFrame({"age": made.random(5000)})
    fitted = KINDS[name](ledger=Ledger.memory(2)).fit(
        x, (x.age > 0.6).astype(int), groups=ids, rows_per_unit=3
    )
    found = fitted.certificate_
    assert found.epsilon == 1
    assert found.n == len(set(ids.tolist()))
    assert found.error < Fraction(1, 5)
    text = found.to_markdown()
    assert "persons (one row of each)" in text
    assert "of new persons (one row of each)" in text
    path = tmp_path / "r.json"
    path.write_text(release_text(release_record(fitted.release_, about=About(), counted=True)))
    assert verify(path, seconds=None), str(verify(path))
