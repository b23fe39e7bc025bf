"""A part of the blows to a ledger; ``python -m tests.fuzz.kill`` deals 500 of them."""

import os
import random

import pytest
from tests.fuzz import kill

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork"),
    pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning"),
]


def test_nothing_acknowledged_is_lost_to_a_kill(tmp_path):
    assert kill.kills(tmp_path, 25, random.Random(1)) >= 5


def test_a_full_disk_leaves_whole_charges_or_none(tmp_path):
    assert kill.starved(tmp_path) > 1


def test_sixteen_processes_get_exactly_what_fits(tmp_path):
    assert kill.crowded(tmp_path, each=8, room=60) == 60


def test_a_clock_that_is_set_back_changes_nothing(tmp_path, monkeypatch):
    from tacit.accounting import Ledger, entry
    from tacit.core import BudgetRefused

    class Back(entry.datetime):
        @classmethod
        def now(cls, zone=None):
            return cls(1999, 1, 1, tzinfo=zone)

    ledger = Ledger.create(tmp_path / "b.db", "3/1000")
    ledger.charge(kill.STEP)
    monkeypatch.setattr(entry, "datetime", Back)
    Ledger.open(tmp_path / "b.db").charge(kill.STEP)
    monkeypatch.undo()
    ledger.charge(kill.STEP)
    for _ in range(2):
        with pytest.raises(BudgetRefused):
            ledger.charge(kill.STEP)
        monkeypatch.setattr(entry, "datetime", Back)
    assert kill.sound(tmp_path / "b.db", 3, 3) == 3
    assert [one.at[:4] == "1999" for one in Ledger.open(tmp_path / "b.db").entries] == [
        False,
        True,
        False,
    ]
