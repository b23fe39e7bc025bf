"""Rows of persons are private: not shown, not pickled."""

import pickle

import numpy as np
import pytest

from tacit.core.persons import PersonRows
from tacit.core.sample import Sample

ROWS = PersonRows(Sample(np.array([41, 42]), np.array([True, False])), np.array([0, 0]))


def test_their_values_are_not_shown():
    assert repr(ROWS) == "PersonRows(private)"


def test_they_are_not_pickled():
    with pytest.raises(TypeError, match="private"):
        pickle.dumps(ROWS)
