"""Tests of ``tacit.core.errors``."""

import pytest
from tests.core.core_event_cases import EVENTS, NESTED

from tacit.core import (
    REPLACE_ONE,
    BadInput,
    Composed,
    Pure,
    leaves,
)


def test_compositions_open_into_leaves():
    assert leaves(NESTED) == (Pure(epsilon=1, relation=REPLACE_ONE), EVENTS[0], EVENTS[3])
    assert leaves(EVENTS[1]) == (EVENTS[1],)
    for parts in ((), (EVENTS[0], EVENTS[1])):
        with pytest.raises(BadInput, match="composed"):
            Composed(events=parts, relation=REPLACE_ONE)
