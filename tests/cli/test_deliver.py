"""A paid release arrives, or is said to be kept, whatever becomes of the ledger meanwhile."""

import json
from contextlib import contextmanager

import pytest
from tests.fuzz import faults

from tacit.accounting import Ledger
from tacit.accounting.sqlite import SqliteStore
from tacit.cli import main
from tacit.cli.deliver import Delivery
from tacit.core import REPLACE_ONE, BudgetRefused, Pure
from tacit.report.verify import verify


@pytest.fixture
def here(tmp_path, monkeypatch):
    faults.template(tmp_path / "x")
    monkeypatch.chdir(tmp_path / "x")
    return tmp_path / "x"


@pytest.fixture
def unreachable(monkeypatch):
    """The ledger is gone from its first charge on: a cable is pulled, or it is locked for good."""
    charge = Ledger.charge

    @contextmanager
    def gone(self):
        del self
        raise BudgetRefused("the ledger cannot be used now")
        yield

    def charged(self, event, *, note=""):
        entry = charge(self, event, note=note)
        monkeypatch.setattr(SqliteStore, "reading", gone)
        monkeypatch.setattr(SqliteStore, "writing", gone)
        return entry

    monkeypatch.setattr(Ledger, "charge", charged)
    yield
    monkeypatch.undo()


def test_a_paid_release_arrives_although_its_ledger_is_gone(here, unreachable, monkeypatch):
    assert main([*faults.STUMP, "--ledger", "b.db", "-o", "out.json"]) == 0
    monkeypatch.undo()
    book = Ledger.open(here / "b.db")
    assert len(book.entries) == 1
    record = json.loads((here / "out.json").read_text())
    assert record["certificate"]["account"]["left_epsilon"] == "2"
    found = verify(here / "out.json", ledger=book, seconds=None)
    assert found
    assert "the ledger names no release for it" in str(found)


def test_what_was_spent_is_said_although_the_ledger_is_gone(here, unreachable, monkeypatch, capsys):
    def closed(text):
        del text
        raise BrokenPipeError

    monkeypatch.setattr("tacit.cli.deliver.say", closed)
    assert main([*faults.STUMP, "--ledger", "b.db"]) == 5
    told = " ".join(capsys.readouterr().err.split())
    assert "was spent" in told
    assert "tacit budget recover" in told


def test_the_charges_of_colleagues_are_not_this_commands(here):
    book = Ledger.open(here / "b.db")
    with Delivery({}, inputs={}, ledger=book, force=False) as delivery:
        Ledger.open(here / "b.db").charge(Pure(epsilon="1/2", relation=REPLACE_ONE))
        book.charge(Pure(epsilon="1/4", relation=REPLACE_ONE))
        assert delivery.spent() == "epsilon = 0.25 was spent"


def test_an_account_is_what_the_charge_left(here):
    book, other = Ledger.open(here / "b.db"), Ledger.open(here / "b.db")
    entry = book.charge(Pure(epsilon=1, relation=REPLACE_ONE))
    other.charge(Pure(epsilon="1/2", relation=REPLACE_ONE))
    assert (book.account(entry).spent_epsilon, book.account(entry).left_epsilon) == (1, 2)
    assert other.account(entry).spent_epsilon == 1.5
    assert book.spent.epsilon == 1.5


def test_an_interrupt_is_not_told_what_an_earlier_command_of_the_process_spent(
    here, monkeypatch, capsys
):
    assert main([*faults.STUMP, "--ledger", "b.db", "-o", "out.json"]) == 0

    def stop(*given, **named):
        raise KeyboardInterrupt

    capsys.readouterr()
    monkeypatch.setattr("tacit.cli._main", stop)
    assert main(["--version"]) == 130
    assert capsys.readouterr().err == "interrupted: nothing was spent\n"
