"""Tests of ``tacit.domains.marked``."""

import numpy as np
import pytest

from tacit.core import BadInput, Label, Sample
from tacit.domains.marked import MarkedSample, mark, marked, marks

LABELS = (
    Label(name="smoker", negative="no", positive="yes"),
    Label(name="grade", negative=1, positive=2),
)
Y = np.array([["yes", 2], ["no", None], [None, 1], ["maybe", 3]], dtype=object)


def test_each_label_has_values_of_its_own_and_leaves_out_its_own_records():
    kept = MarkedSample(np.zeros((4, 1)), Y, LABELS)
    assert kept.y.tolist() == [[1, 1], [-1, -1], [-1, -1], [-1, -1]]
    left = MarkedSample(np.zeros((4, 1)), Y, LABELS, ignore=True)
    assert left.y.tolist() == [[1, 1], [-1, 0], [0, -1], [0, 0]]
    assert (left.tasks, len(left), repr(left)) == (2, 4, "Sample(private)")
    assert marks(left, 2) is left.y


def test_every_record_is_read_by_itself():
    whole = MarkedSample(np.zeros((4, 1)), Y, LABELS, ignore=True).y
    for place in range(4):
        alone = MarkedSample(np.zeros((1, 1)), Y[place : place + 1], LABELS, ignore=True)
        assert alone.y.tolist() == [whole[place].tolist()]


def test_labels_are_not_looked_at_before_they_are_asked_for():
    class Refusing:
        def __eq__(self, other):
            raise AssertionError("a label was looked at")

        __hash__ = None

    told = np.array([[Refusing(), Refusing()]], dtype=object)
    assert len(MarkedSample(np.zeros((1, 1)), told, LABELS, ignore=True)) == 1


def test_other_samples_have_marks_by_their_one_positive_value():
    sample = Sample([0, 1], np.array([["a", "b"], ["b", "a"]]), "a")
    assert marks(sample, 2).tolist() == [[1, -1], [-1, 1]]
    assert mark(np.array([True, False]), None).tolist() == [1, -1]


def test_what_cannot_be_read_is_refused():
    with pytest.raises(BadInput, match="one label per row"):
        MarkedSample(np.zeros((3, 1)), Y, LABELS)
    half = (Label(name="smoker", negative=None, positive="yes"), LABELS[1])
    with pytest.raises(BadInput, match="declare both values of 'smoker'"):
        MarkedSample(np.zeros((4, 1)), Y, half, ignore=True)
    assert marked(Sample([0, 1], np.array([0, 1]), 1, 0)) is None
    found = marked(Sample([0, 1], np.array([[0, 1], [1, 2]]), 1, 0))
    assert found.y.tolist() == [[-1, 1], [1, 0]]
