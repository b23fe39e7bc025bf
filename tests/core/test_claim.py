"""Tests of ``tacit.core.claim``."""

from dataclasses import dataclass

import pytest
from tests.core.core_charging_cases import CLAIM

from tacit.core import (
    BadInput,
    Claim,
)
from tacit.core.registry import Registry


def test_a_registry_holds_each_name_once():
    @dataclass(frozen=True)
    class Entry:
        name: str
        claim: Claim = CLAIM

    registry = Registry("thing")
    registry.add(Entry("b"))
    registry.add(Entry("a"))
    assert [entry.name for entry in registry] == ["a", "b"]
    assert registry["b"].name == "b"
    with pytest.raises(TypeError, match="two things"):
        registry.add(Entry("a"))
    with pytest.raises(BadInput, match="known: a, b"):
        registry["c"]


def test_where_a_claim_is_proved_in_plain_words():
    ours = Claim(paper="own", locator="Trees, Theorem 1", statement="s", proof="a/b.proof.md")
    assert ours.cite == "Tacit: Trees, Theorem 1"
    assert ours.words == "proved in Tacit's a/b.proof.md, Theorem 1"
    theirs = Claim(paper="BBKN13", locator="Theorem 3.2", statement="s", proof="a/b.proof.md")
    assert theirs.words == "BBKN13 Theorem 3.2, proved"
