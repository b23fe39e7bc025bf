"""Tests of ``tacit.theory.dimensions.communication_complexity``."""

import numpy as np
import pytest

from tacit.core import BadInput
from tacit.theory.dimensions import communication, littlestone, representation, vc


def test_the_empty_class_and_a_single_concept():
    assert (vc(np.zeros((0, 3))).value, littlestone(np.zeros((0, 3))).value) == (-1, -1)
    assert (vc([[0, 1]]).value, littlestone([[0, 1]]).value) == (0, 0)
    assert representation([[0, 1]], alpha="1/3").least == 1
    assert communication([[0, 1]], error="1/3").value == 0


@pytest.mark.parametrize("alpha", [0, 1, -1, "x", True])
def test_bad_errors_are_refused(alpha):
    with pytest.raises(BadInput):
        representation([[0, 1], [1, 0]], alpha=alpha)
    with pytest.raises(BadInput):
        communication([[0, 1], [1, 0]], error=alpha)
