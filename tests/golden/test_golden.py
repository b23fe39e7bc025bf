"""Seeded releases and exact laws are as recorded: a change of behaviour is seen, and meant."""

from collections import Counter

import pytest
from tests.golden import classifiers
from tests.golden.golden import algorithms, differences, estimators, laws, recorded

from tacit.checks.audit.registered import not_driven
from tacit.core import ALGORITHMS


def _compare(name, found):
    moved = list(differences(name, found))
    assert not moved, f"{len(moved)} of {len(found)} moved\n" + "\n".join(moved[:5])


def test_every_algorithm_releases_what_it_did():
    found = algorithms()
    _compare("algorithms", found)
    each = Counter(entry.split(" | ")[0] for entry in found)
    assert set(each) == {entry.name for entry in ALGORITHMS}
    assert len(each) >= 53
    assert len(found) >= 290


def test_every_classifier_fits_what_it_did():
    found = estimators()
    _compare("estimators", found)
    assert not classifiers.missing(list(found))
    assert len(found) >= 40


def test_every_exact_law_is_what_it_was():
    found = laws()
    _compare("laws", found)
    assert set(found) >= {entry.name for entry in ALGORITHMS}
    assert not not_driven()
    assert len(found) >= 79


@pytest.mark.parametrize("name", ["algorithms", "estimators", "laws"])
def test_a_value_that_moved_is_named(name):
    known = recorded(name)
    entry = min(known)
    assert list(differences(name, known)) == []
    (said,) = differences(name, {**known, entry: {"value": "another"}})
    assert entry in said
    (gone,) = differences(name, {one: known[one] for one in known if one != entry})
    assert entry in gone
