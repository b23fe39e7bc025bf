"""Costs as data: immutable, hashable, readable back."""

import dataclasses
import json
from fractions import Fraction

import pytest
from tests.core.core_event_cases import EVENTS, NESTED

from tacit.core import (
    LABEL,
    REPLACE_ONE,
    ZCDP,
    Approximate,
    BadInput,
    Event,
    Pure,
    Selection,
    event_from_dict,
    privacy_event,
)


@pytest.mark.parametrize("event", [*EVENTS, NESTED], ids=lambda event: type(event).__name__)
def test_events_survive_being_written_down(event):
    assert event_from_dict(json.loads(json.dumps(event.to_dict()))) == event
    assert hash(event) == hash(event_from_dict(event.to_dict()))
    assert event.describe()
    with pytest.raises(dataclasses.FrozenInstanceError):
        event.relation = LABEL


def test_equal_numbers_of_different_meaning_differ():
    pure = Pure(epsilon=1, relation=REPLACE_ONE)
    assert pure != Selection(epsilon=1, relation=REPLACE_ONE)
    assert pure != Pure(epsilon=1, relation=LABEL)
    assert pure == Pure(epsilon="1", relation=REPLACE_ONE)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Pure(epsilon=0, relation=REPLACE_ONE),
        lambda: Selection(epsilon=-1, relation=REPLACE_ONE),
        lambda: Approximate(epsilon=1, delta=0, relation=REPLACE_ONE),
        lambda: Approximate(epsilon=1, delta=1, relation=REPLACE_ONE),
        lambda: ZCDP(rho=float("inf"), relation=REPLACE_ONE),
        lambda: event_from_dict({"kind": "Gaussian", "relation": "label"}),
        lambda: event_from_dict({}),
        lambda: event_from_dict({"kind": ["Pure"]}),
        lambda: event_from_dict({"kind": "Pure", "relation": "label"}),
        lambda: event_from_dict({"kind": "Pure", "epsilon": "1"}),
        lambda: event_from_dict({"kind": "Pure", "relation": "label", "epsilon": "1", "x": "1"}),
        lambda: event_from_dict({"kind": "Composed", "relation": "label", "events": [3]}),
        lambda: event_from_dict({"kind": "Pure", "relation": "nobody", "epsilon": "1"}),
    ],
)
def test_what_is_no_event_is_refused(make):
    with pytest.raises(BadInput):
        make()


def test_the_abstract_event_cannot_be_described():
    with pytest.raises(TypeError, match="abstract"):
        Event(relation=LABEL).describe()


def test_a_plain_promise_is_pure_without_delta():
    one, tiny = Fraction(1), Fraction(1, 10**6)
    assert privacy_event(epsilon=one, delta=Fraction(0), relation=LABEL) == Pure(
        epsilon=one, relation=LABEL
    )
    assert privacy_event(epsilon=one, delta=tiny, relation=LABEL) == Approximate(
        epsilon=one, delta=tiny, relation=LABEL
    )
