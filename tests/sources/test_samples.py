"""From the front doors, too, no record changes how another one is read."""

import numpy as np
import pytest

from tacit import Accuracy, Ledger, Privacy, Task, learn, sanitize
from tacit.classes import Parities, Points, Thresholds, Trees
from tacit.core import BadInput, Sample
from tacit.domains import Integers, Schema
from tacit.estimators import ThresholdClassifier
from tacit.sources.samples import as_sample

BIG = 2**63 + 1


@pytest.mark.parametrize("other", [-1, 0.5, "x", None, True])
def test_learning_from_lists(other):
    domain = Integers(bits=64)
    sample = as_sample(([BIG, other], [True, "x"]), domain=domain)
    assert int(domain.coerce(sample.x)[0]) == BIG
    assert sample.y[0] is True


@pytest.mark.parametrize("other", [-1, 0.5, None, True])
def test_estimators_from_lists(other):
    column, _, _ = ThresholdClassifier(domain=Integers(bits=64))._records([[BIG], [other]])
    assert int(Integers(bits=64).coerce(column)[0]) == BIG


def test_two_labels_of_a_table_are_refused_by_name(tmp_path):
    """Before anything is charged, and in words."""
    path = tmp_path / "rows.csv"
    np.savetxt(path, np.zeros((3, 3)), delimiter=",", header="age,a,b", comments="")
    schema = Schema.of({"age": (0, 10)}, bins=5)
    with pytest.raises(BadInput, match="one label column"):
        as_sample(str(path), domain=schema, label=("a", "b"))


@pytest.mark.parametrize("last", [[1], [1, 2, 3], 5, None])
def test_a_list_with_a_row_of_another_length_is_refused_before_the_charge(last):
    ledger = Ledger.memory(epsilon=1)
    task = Task(
        Trees(Schema.of({"a": (0, 9), "b": (0, 9)}), depth=2),
        privacy=Privacy(1),
        accuracy=Accuracy("0.2", "0.1"),
    )
    rows = [[n % 10, n % 7] for n in range(50)]
    labels = [n % 2 for n in range(51)]
    with pytest.raises(BadInput, match="rows of equal length"):
        learn(task, ([*rows, last], labels), ledger=ledger)
    assert not ledger.entries
    assert learn(task, ([*rows, [1, 2]], labels), ledger=ledger).value is not None


ONE_COLUMN = [Thresholds(size=8), Points(size=8), Parities(bits=1)]


@pytest.mark.parametrize("concepts", ONE_COLUMN, ids=lambda one: one.name)
@pytest.mark.parametrize("last", [[1, 2], [1], 1, [[1], [2], 3, 4]], ids=str)
@pytest.mark.parametrize("first", [[1, 2], [1, 2, 3], 5], ids=str)
def test_records_with_other_columns_are_refused_before_the_charge(concepts, first, last):
    """Whatever the last record is: in a pair, in a sample, and without labels."""
    if first == last or (first == 5 and last == 1):
        return
    ledger = Ledger.memory(epsilon=9)
    task = Task(concepts, privacy=Privacy(1), accuracy=Accuracy("0.2", "0.1"))
    x, y = [*[first] * 40, last], [0, 1] * 20 + [1]
    for call in (
        lambda: learn(task, (x, y), ledger=ledger),
        lambda: learn(task, Sample(x, y), ledger=ledger),
        lambda: sanitize(x, concepts, privacy=Privacy(1), ledger=ledger),
        lambda: sanitize(Sample(x, None), concepts, privacy=Privacy(1), ledger=ledger),
    ):
        with pytest.raises(BadInput, match="rows of equal length"):
            call()
    assert not ledger.entries


@pytest.mark.parametrize("concepts", ONE_COLUMN, ids=lambda one: one.name)
def test_two_columns_for_one_are_refused_before_the_charge(concepts):
    ledger = Ledger.memory(epsilon=9)
    task = Task(concepts, privacy=Privacy(1), accuracy=Accuracy("0.2", "0.1"))
    x, y = [[1, 2]] * 40, [0, 1] * 20
    for call in (
        lambda: learn(task, (x, y), ledger=ledger),
        lambda: learn(task, Sample(x, y), ledger=ledger),
        lambda: learn(task, Sample([1] * 40, [[0, 1]] * 40), ledger=ledger),
        lambda: sanitize(x, concepts, privacy=Privacy(1), ledger=ledger),
        lambda: sanitize(Sample(x, None), concepts, privacy=Privacy(1), ledger=ledger),
    ):
        with pytest.raises(BadInput, match="column"):
            call()
    assert not ledger.entries


def test_a_table_of_complex_numbers_is_refused_before_the_charge():
    ledger = Ledger.memory(epsilon=1)
    trees = Trees(Schema.of({"a": (0, 9), "b": (0, 9)}), depth=1)
    task = Task(trees, privacy=Privacy(1), accuracy=Accuracy("0.2", "0.1"))
    with pytest.raises(BadInput, match="Complex"):
        learn(task, (np.ones((40, 2), dtype=complex), [0, 1] * 20), ledger=ledger)
    assert not ledger.entries
