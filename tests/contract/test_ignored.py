"""Every algorithm that may ignore records with other labels, exactly: they cost no more."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from tacit.checks.audit.enumeration import exact
from tacit.classes import Thresholds
from tacit.core import ALGORITHMS, Accuracy, BadInput, Privacy, Relation, Sample, Task, Tasks, Tiny
from tacit.core.mechanism import Mechanism
from tacit.core.tiny import labelled
from tacit.domains.persons import Owners
from tacit.domains.schema import Schema
from tacit.mechanisms.selection import Exponential
from tacit.problems.finite.wrong_persons import WRONG_PERSONS
from tacit.problems.tables.checked import CheckedLearner
from tacit.problems.tables.rule_counts import Beside
from tacit.problems.tables.tree_learner import TreeLearner
from tacit.problems.tables.trees import Trees
from tacit.sources.ignored import DeclaredSample
from tacit.sources.persons import DeclaredPersons, PersonSample

MARKED = [
    one
    for one in ALGORITHMS
    if one.applies.ignores and not one.applies.persons and one.applies.tasks is Tasks.ONE
]
"""Of several labels each leaves out its own records: ``test_side_by_side_rules.py``."""
EPSILON = Fraction(1)


def some(records):
    """These records, those that are ignored among them."""
    x = np.array([record[0] for record in records])
    y = np.array([record[1] for record in records], dtype=object)
    return DeclaredSample(Sample(x, y, 1, 0))


def every_record(tiny):
    return [*tiny.records, *((x, None) for x in {record[0] for record in tiny.records})]


def audited(mechanism, records, n, **more):
    return exact(mechanism, records, n, form=some, order="ignored", **more)


def test_rules_over_tables_and_every_finite_class_are_marked():
    assert {one.name for one in MARKED} >= {
        "best of several draws", "best rules", "fitting trees", "grown formulas", "grown trees",
        "listed rules", "scores", "trees", "exponential", "permute-and-flip",
    }  # fmt: skip
    assert WRONG_PERSONS.applies.ignores


@pytest.mark.parametrize("entry", MARKED, ids=lambda one: one.name)
def test_a_record_that_is_ignored_costs_no_more_than_another(entry):
    made = entry.tiny(entry)
    assert isinstance(made, Tiny)
    found = audited(made.make(EPSILON), every_record(made), 2, faint=made.faint)
    assert not found.violated, str(found)
    # The numbers are no formality: a sixth of the claim would be broken.
    assert found.epsilon[0] > EPSILON / 6


@pytest.mark.parametrize("relation", [Relation.REPLACE_ONE, Relation.ADD_REMOVE])
def test_a_rule_with_its_counts(relation):
    """Two numbers beside the rule under either: right answers are one where none is public."""
    schema = Schema.of([bool]).declared_complete()
    learner = TreeLearner(trees=Trees(schema, depth=1), epsilon=EPSILON / 2, relation=relation)
    counted = CheckedLearner(
        learner=learner,
        epsilon=EPSILON / 4 if relation.size_is_public else EPSILON / 2,
        beside=(Beside(what="labels", epsilon=EPSILON / 4),) if relation.size_is_public else (),
    )
    records = labelled([(False,), (True,)], labels=(0, 1, None))
    found = audited(counted, records, 1, faint=Fraction(1, 1 << 16))
    assert not found.violated, str(found)
    assert found.epsilon[0] > EPSILON / 4


@dataclass(frozen=True, kw_only=True)
class _ByNumber(Mechanism):
    """Draws by how many records it sees, for which the public number was to be taken."""

    inner: Exponential
    CLAIM = Exponential.CLAIM

    def event(self):
        return self.inner.event()

    def _release(self, data, *, rng):
        return len(data.x), rng.part(self.inner, data)


def test_what_reads_the_number_of_records_is_caught():
    entry = ALGORITHMS["exponential"]
    made = entry.tiny(entry)
    leaky = _ByNumber(inner=made.make(EPSILON)._selection)
    assert audited(leaky, every_record(made), 2).violated


class _Listed(PersonSample):
    """Persons written out, each with rows ``(x, label)``; a label may be ``None``."""

    tasks, _both_declared = 1, True

    def __init__(self, domain, persons):
        super().__init__(domain)
        self._persons = persons

    @property
    def number(self):
        return len(self._persons)

    def _rows(self):
        rows = [(i, x, y) for i, one in enumerate(self._persons) for x, y in one]
        x = np.array([row[1] for row in rows], dtype=np.int64)
        y = np.array([-1 if row[2] is None else row[2] for row in rows], dtype=np.int8)
        places = np.array([row[0] for row in rows], dtype=np.int64)
        return x, y, Owners([str(i) for i in range(self.number)], places)


PERSONS = [
    (), ((0, 1),), ((1, None),), ((0, 1), (1, None)), ((0, None), (1, None)), ((0, 0), (1, 1)),
]  # fmt: skip


def test_persons_with_ignored_rows_cost_no_more():
    made = WRONG_PERSONS.tiny(WRONG_PERSONS)
    domain = made.form(()).domain
    found = exact(
        made.make(EPSILON),
        PERSONS,
        2,
        form=lambda persons: DeclaredPersons(_Listed(domain, persons)),
    )
    assert not found.violated, str(found)
    assert found.epsilon[0] > EPSILON / 6


def test_ignored_rows_are_left_out_before_rows_are_chosen():
    crowd = (((0, None), (1, 1), (0, None), (0, None)),) * 20
    domain = WRONG_PERSONS.tiny(WRONG_PERSONS).form(()).domain
    every = _Listed(domain, crowd)
    kept = DeclaredPersons(every).at_most(1)
    assert kept.sample.x.tolist() == [1] * 20
    assert DeclaredPersons(every).number == 20
    assert sum(every.at_most(1).sample.y == -1) > 0


def test_what_has_no_proof_is_refused():
    entry = ALGORITHMS["thresholds"]
    task = _task(entry).with_(other="ignore")
    assert "ignored" in entry.why_not(task)
    with pytest.raises(BadInput, match="other must be one of"):
        _task(entry).with_(other="drop")
    assert "two label values" in entry.why_not(_task(entry).with_(other="class"))


def test_nothing_is_ignored_where_features_are_public():
    """A grid is read off the features there, without noise."""
    for entry in MARKED:
        task = _tiny_task(entry).with_(other="ignore")
        assert entry.why_not(task) is None, entry.name
        assert "public" in entry.why_not(task.with_(relation="label")), entry.name


def _tiny_task(entry):
    family = (entry.applies.classes or (Thresholds,))[0].tiny()
    return Task(
        family,
        privacy=Privacy(1),
        accuracy=Accuracy("0.2", "0.1"),
        setting="agnostic",
        values=3 if entry.applies.values else 2,
    )


def _task(entry):
    task = Task(Thresholds(size=8), privacy=Privacy(1), accuracy=Accuracy("0.2", "0.1"))
    assert entry.why_not(task) is None
    return task
