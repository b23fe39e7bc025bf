"""Tests of ``tacit.core.registry``: entries join by existing, under one name each."""

from dataclasses import dataclass

import pytest

from tacit.core import ALGORITHMS, LOWER_BOUNDS, BadInput, concept_classes, theorems
from tacit.core.registry import EXTENSIONS, Registry, load_rooms, public_class
from tacit.planner.planning import KEPT

pytestmark = pytest.mark.unit


@dataclass(frozen=True)
class Entry:
    name: str


def test_entries_are_read_in_the_order_of_their_names_and_have_one_each():
    registry = Registry("thing")
    for name in ("pear", "apple"):
        registry.add(Entry(name))
    assert [entry.name for entry in registry] == ["apple", "pear"]
    assert registry["pear"] == Entry("pear")
    with pytest.raises(TypeError, match="two things are called 'pear'"):
        registry.add(Entry("pear"))
    with pytest.raises(BadInput, match="no thing called 'plum'; known: apple, pear"):
        registry["plum"]


def test_whoever_keeps_what_was_made_of_all_entries_forgets_it_when_one_is_added():
    registry, told = Registry("thing"), []
    registry.forget.append(lambda: told.append([entry.name for entry in registry]))
    registry.add(Entry("pear"))
    registry.add(Entry("apple"))
    assert told == [["pear"], ["apple", "pear"]]
    for plans in (ALGORITHMS, LOWER_BOUNDS):
        assert {forget.__self__ for forget in plans.forget} == set(KEPT)


def test_an_extension_that_is_not_there_is_told(monkeypatch):
    monkeypatch.setenv(EXTENSIONS, "no_such_module_of_mine")
    with pytest.raises(BadInput, match="no_such_module_of_mine"):
        list(ALGORITHMS)
    with pytest.raises(ModuleNotFoundError):
        load_rooms("tacit.no_such_room")


def test_two_public_classes_do_not_share_a_name():
    taken = next(iter(concept_classes()))
    with pytest.raises(TypeError, match=taken):
        public_class(type(taken, (), {}))


def test_theorems_are_sorted_by_citation():
    cited = [entry.claim.cite for entry in theorems()]
    assert len(cited) > 100
    assert cited == sorted(cited)
