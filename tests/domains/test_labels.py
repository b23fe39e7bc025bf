"""Tests of ``tacit.domains.labels``."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.domains.domains_total_cases import COLUMNS, PLAIN, _column

from tacit.core import BadInput, Sample
from tacit.core.label_values import LabelValues
from tacit.domains import Bits, Integers
from tacit.domains.labels import check_values, truth
from tacit.domains.schema import Schema
from tacit.estimators import TreeClassifier
from tacit.sources.samples import as_sample

pytestmark = pytest.mark.property


@given(st.lists(PLAIN, min_size=1, max_size=8), st.sampled_from([1, True, "yes", 0, 2.5, None]))
def test_a_label_is_read_by_itself(labels, positive):
    together = truth(Sample([0] * len(labels), labels, positive)).tolist()
    assert together == [truth(Sample([0], [label], positive)).tolist()[0] for label in labels]


def test_the_cases_that_numpy_gets_wrong():
    big = 2**63 + 1
    for other in (-1, 0.5, "x", None, True):
        assert int(Integers(bits=64).coerce([big, other])[0]) == big
    assert truth(Sample([0] * 3, [True, False, "x"])).tolist() == [True, False, False]
    assert Bits(columns=2).coerce([[True, False], ["x", 1]]).tolist() == [2, 1]


@given(labels=COLUMNS, positive=st.sampled_from([1, "yes", True, 2.5]))
def test_labels_are_total(labels, positive):
    found = truth(Sample([0] * len(labels), _column(labels), positive))
    assert found.dtype == bool
    assert len(found) == len(labels)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.float32, np.int64, bool])
def test_number_labels_of_any_type_agree(kind):
    labels = np.array([0, 1, 1, 0], dtype=kind)
    for positive in (1, True, 1.0, np.int64(1)):
        assert truth(Sample(range(4), labels, positive)).tolist() == [False, True, True, False]
    for absent in (10**30, 10**400, -7):
        assert not truth(Sample(range(4), labels, absent)).any()


def test_labels_need_one_column():
    assert truth(Sample([0], np.array([[1]]))).tolist() == [True]
    with pytest.raises(BadInput, match="one label"):
        truth(Sample([0, 1], np.zeros((2, 2))))


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ((1, True, "c"), "different values"),
        (("a", "b", " a"), "different values"),
        (("1", 1.0), "two different values"),
        (("a", float("nan"), "b"), "a missing one cannot be declared"),
        (("a", ""), "a missing one cannot be declared"),
    ],
)
def test_label_values_that_are_one_or_none_are_refused(values, words):
    """The last of equal ones took all records, and one that stands for none took missing ones."""
    with pytest.raises(BadInput, match=words):
        check_values(values, name="classes")
    with pytest.raises(BadInput, match=f"two different public labels|{words}"):
        TreeClassifier(domain={"x": (0, 9)}, classes=values).fit([[1], [2]], [1, 2])
    data, told = (np.array([[1], [2]]), np.array(["a", "b"])), LabelValues(tuple(values))
    with pytest.raises(BadInput, match=words):
        as_sample(data, domain=Schema.of({"x": (0, 9)}), values=told)
