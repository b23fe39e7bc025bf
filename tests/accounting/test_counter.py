"""The counter beside a ledger: appended to, never trusted when damaged."""

import pytest

from tacit.accounting.counter import Append, counter_path, read, start
from tacit.core import BadInput, BudgetRefused

FIRST, SECOND = "a" * 64, "b" * 64


@pytest.fixture
def ledger(tmp_path):
    path = str(tmp_path / "book.db")
    start(path, FIRST, mode=0o600)
    return path


def test_a_new_counter_stands_at_nothing(ledger):
    assert read(ledger) == (0, FIRST)
    assert counter_path(ledger).stat().st_mode & 0o777 == 0o600


def test_the_last_of_the_highest_counts_is_read(ledger):
    book = Append(ledger)
    book.note(1, SECOND)
    book.note(2, FIRST)
    book.close()
    assert read(ledger) == (2, FIRST)


@pytest.mark.parametrize("cut", ["9 abc", "9", "nine " + "c" * 64, ""])
def test_a_line_that_a_crash_cut_off_counts_nothing(ledger, cut):
    with counter_path(ledger).open("a") as file:
        file.write(cut)
    assert read(ledger) == (0, FIRST)


def test_a_missing_or_empty_counter_is_an_error_that_says_so(ledger):
    counter_path(ledger).write_bytes(b"\0\n")
    with pytest.raises(BadInput, match="damaged"):
        read(ledger)
    counter_path(ledger).unlink()
    with pytest.raises(BadInput, match="--new-counter"):
        read(ledger)
    with pytest.raises(BudgetRefused, match="nothing was touched"):
        Append(ledger)


def test_a_counter_that_is_there_is_not_made_again(ledger):
    with pytest.raises(FileExistsError):
        start(ledger, SECOND, mode=0o600)
    assert read(ledger) == (0, FIRST)
