"""From the front doors, too, no record changes how another one is read."""

import numpy as np
import pytest

from tacit import Accuracy, Ledger, Privacy, Task, learn
from tacit.classes import Trees
from tacit.core import BadInput
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
    with pytest.raises(BadInput, match="2 columns, and these records do not"):
        learn(task, ([*rows, last], labels), ledger=ledger)
    assert not ledger.entries
    assert learn(task, ([*rows, [1, 2]], labels), ledger=ledger).value is not None
