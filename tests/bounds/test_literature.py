"""Tests of ``tacit.bounds.literature``: later results are listed, and none is planned with."""

import pytest

from tacit.bounds.literature import iterated_logarithm, log_star_needed
from tacit.cli import main
from tacit.core import ALGORITHMS, LOWER_BOUNDS, Status, theorems

LATER = ("ALMM19", "BNSV15", "CLNSS23", "GGKM21", "KLMNS20")


def test_the_iterated_logarithm_of_towers():
    # 2^2, 2^(2^2), 2^(2^(2^2)): each tower takes one logarithm more.
    assert [iterated_logarithm(bits) for bits in (2, 4, 16, 65536)] == [2, 3, 4, 5]
    assert iterated_logarithm(17) == 5


def test_each_says_what_is_known_of_its_constant():
    rows = [entry for entry in theorems() if entry.claim.paper in LATER]
    assert sorted(entry.claim.paper for entry in rows) == sorted(LATER)
    for entry in rows:
        assert entry.claim.status is Status.CITED
        known = "18,500 is quoted" if entry.claim.paper == "BNSV15" else "no constant is published"
        assert known in entry.claim.statement
        assert known in entry.function(**dict.fromkeys(_names(entry), 64))


def _names(entry):
    return entry.function.__kwdefaults__ or entry.function.__code__.co_varnames[:1]


def test_nothing_is_planned_with_them():
    assert not {entry.claim.paper for entry in (*ALGORITHMS, *LOWER_BOUNDS)} & set(LATER)


def test_the_command_line_evaluates_them(capsys):
    assert main(["bounds", "ALMM19 Section 1", "--bits", "64"]) == 0
    assert log_star_needed(bits=64) in capsys.readouterr().out


def test_a_domain_of_two_values_is_too_small():
    with pytest.raises(ValueError, match="bits"):
        iterated_logarithm(1)
