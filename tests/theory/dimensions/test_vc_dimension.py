"""Tests of ``tacit.theory.dimensions.vc_dimension``."""

import pytest

from tacit.classes import Thresholds
from tacit.core import BadInput
from tacit.theory.dimensions import vc


def test_a_class_that_is_too_large_is_not_written_out():
    with pytest.raises(BadInput, match="too large"):
        vc(Thresholds(bits=64))


@pytest.mark.parametrize("bad", [[[0, 2]], [0, 1], "", [[0], [1, 0]], None])
def test_what_is_not_a_table_is_refused(bad):
    with pytest.raises(BadInput):
        vc(bad)
