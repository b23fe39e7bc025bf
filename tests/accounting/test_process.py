"""Tests of ``tacit.accounting.process``."""

import os
import warnings

import pytest
from tests.accounting.ledger_memory_cases import in_child, pure

import tacit.accounting.process as process
from tacit.core import (
    BudgetRefused,
)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_the_process_ledger_refuses_in_a_forked_child():
    own = process.ledger()
    own.charge(pure("1/8"), note="parent")
    before = len(own.entries)

    def refused():
        try:
            process.ledger().charge(pure("1/8"), note="child")
        except BudgetRefused:
            return True
        return False

    assert in_child(refused) == 0
    assert len(own.entries) == before
    assert own.epsilon is None


def test_the_process_ledger_warns_once(monkeypatch):
    monkeypatch.setattr(process._ProcessLedger, "_warned", False)
    with pytest.warns(process.UncountedWarning, match="no limit"):
        process.ledger().charge(pure("1/8"))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        process.ledger().charge(pure("1/8"))
