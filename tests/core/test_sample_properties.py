"""Whatever the records, every sanitizer returns a table of the public domain; and says nothing."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit.checks.testing import seeded
from tacit.classes import Parities, Points, Table, Thresholds
from tacit.core import ALGORITHMS, Accuracy, BadInput, NeedMoreRecords, Privacy, Sample, Task

pytestmark = pytest.mark.property

CLASSES = (
    Thresholds(size=1),
    Thresholds(size=13),
    Thresholds(bits=64),
    Thresholds(bits=90, orientation="<="),
    Points(size=1),
    Points(size=7),
    Points(bits=90),
    Parities(bits=3),
    Table(np.array([[1, 0, 1], [0, 0, 0]])),
)

WEIRD = st.one_of(
    st.integers(-5, 20),
    st.integers(-(2**100), 2**100),
    st.floats(),
    st.none(),
    st.text(max_size=3),
)


def _pairs():
    privacy = Privacy(1, Fraction(1, 10))
    for concepts in CLASSES:
        task = Task(concepts, privacy=privacy, accuracy=Accuracy("0.4", "0.4"), goal="sanitize")
        for algorithm in ALGORITHMS:
            if algorithm.goal == "sanitize" and algorithm.why_not(task) is None:
                try:
                    algorithm.bound(task)
                except BadInput:
                    continue
                yield pytest.param(algorithm, task, id=f"{algorithm.name} {concepts.describe()}")


@pytest.mark.parametrize(("algorithm", "task"), list(_pairs()))
@settings(max_examples=12, deadline=None)
@given(records=st.lists(WEIRD, max_size=8), repeat=st.sampled_from([1, 40]))
def test_any_records_give_a_table(algorithm, task, records, repeat):
    x = np.empty(len(records) * repeat, dtype=object)
    x[:] = records * repeat
    try:
        mechanism = algorithm.built(task, len(x))
    except NeedMoreRecords:
        assert algorithm.name == "proposition-30"
        return
    table = mechanism._release(Sample(x, None), rng=seeded(len(x)))
    values = [value for value, _ in table.rows]
    assert values == sorted(set(values))
    assert all(0 <= value < task.concept_class.domain.size for value in values)
    assert all(count > 0 for _, count in table.rows)
