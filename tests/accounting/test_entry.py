"""One entry of a ledger: what the digest covers cannot be changed."""

import json

import pytest

from tacit.accounting.about import About
from tacit.accounting.entry import new_entry, read_entry
from tacit.core import REPLACE_ONE, BadInput, Pure

PREVIOUS = "0" * 64


def stored(entry):
    names = ("index", "at", "event", "note", "about", "release", "digest")
    return dict(zip(names, entry.row(), strict=True)) | {"previous": PREVIOUS}


def made(**changes):
    event = Pure(epsilon="0.5", relation=REPLACE_ONE)
    return new_entry(event, note="first", about=About(), last=None, start=PREVIOUS, **changes)


def test_an_entry_comes_back_as_it_was_stored():
    entry = made()
    assert read_entry(**stored(entry)) == entry
    assert entry.cost.to_dict() == Pure(epsilon="0.5", relation=REPLACE_ONE).to_dict()


CHANGES = {
    "index": 2,
    "at": "2001-01-01T00:00:00+00:00",
    "event": json.dumps(Pure(epsilon="0.1", relation=REPLACE_ONE).to_dict()),
    "note": "another",
    "about": "{}",
    "release": "f" * 64,
    "digest": "f" * 64,
    "previous": "1" * 64,
}


@pytest.mark.parametrize("field", CHANGES)
def test_no_field_can_be_changed(field):
    with pytest.raises(BadInput, match="damaged or was changed by hand"):
        read_entry(**stored(made()) | {field: CHANGES[field]})


@pytest.mark.parametrize("event", ["[" * 5000, "nothing", '{"kind": "unknown"}'])
def test_what_is_no_event_is_damage_and_no_crash(event):
    with pytest.raises(BadInput, match="entry 1 is wrong"):
        read_entry(**stored(made()) | {"event": event})


def test_an_entry_that_names_a_release_costs_nothing():
    first = made()
    entry = new_entry(None, note="", about=About(), last=first, release="a" * 64)
    assert entry.index == 2
    assert read_entry(**stored(entry) | {"previous": first.digest}) == entry
    with pytest.raises(BadInput, match="costs nothing"):
        entry.cost  # noqa: B018
