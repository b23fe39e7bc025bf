"""A ledger's name: a path is made real, an address is left alone."""

from fractions import Fraction

import pytest

from tacit.accounting import Ledger
from tacit.accounting.budget import Budget
from tacit.accounting.places import check_same, place, store_at
from tacit.accounting.sqlite import SqliteStore
from tacit.core import ADD_REMOVE, REPLACE_ONE, BadInput

ADDRESS = "postgresql://nobody@localhost/none"


def test_two_names_of_one_file_are_one_place(tmp_path):
    link = tmp_path / "link.db"
    link.symlink_to(tmp_path / "book.db")
    assert place(link) == place(tmp_path / "book.db")
    assert place(ADDRESS) == ADDRESS


def test_the_name_says_which_store_it_is(tmp_path):
    path = str(tmp_path / "book.db")
    with pytest.raises(BadInput, match="no ledger file"):
        store_at(path)
    Ledger.create(path, 1)
    assert isinstance(store_at(path), SqliteStore)


def test_a_ledger_is_opened_only_with_its_own_budget():
    stored = Budget(epsilon=Fraction(1), delta=Fraction(0), relation=REPLACE_ONE, order=None)
    check_same(stored, epsilon=None, delta=None, relation=None)
    check_same(stored, epsilon=Fraction(1), delta=Fraction(0), relation=REPLACE_ONE)
    with pytest.raises(BadInput, match="epsilon and relation was asked for"):
        check_same(stored, epsilon=Fraction(2), delta=None, relation=ADD_REMOVE)


def test_a_name_that_no_file_can_have_is_bad_input():
    for make in (Ledger.open, lambda name: Ledger.create(name, 1)):
        with pytest.raises(BadInput, match="character 0"):
            make("a\0b")


@pytest.mark.parametrize(
    "name",
    [
        "Postgresql://u:SECRET@h/db?password=SECRET#x",
        "postgresql+psycopg://u:SECRET@h/db?password=SECRET#x",
        "postgresql:/u:SECRET@h/db",  # a path keeps one stroke
        "host=h password=SECRET",
        "host=h;password=SECRET",
    ],
)
def test_a_mistyped_address_is_no_file_and_not_repeated(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for make in (place, Ledger.open, lambda path: Ledger.create(path, 1)):
        with pytest.raises(BadInput, match="begins with postgresql://") as raised:
            make(name)
        assert "SECRET" not in str(raised.value)
    assert not list(tmp_path.iterdir())
