"""What certificates state about costs: of one event, and of the ledger that paid."""

from fractions import Fraction

import pytest

from tacit import Ledger
from tacit.accounting.statement import account_of, spent_of
from tacit.core import REPLACE_ONE, Composed, Pure, Release, Selection
from tacit.mechanisms.noise import Geometric

pytestmark = pytest.mark.unit


def test_an_event_costs_what_its_parts_cost_together():
    parts = (
        Pure(epsilon="1/4", relation=REPLACE_ONE),
        Selection(epsilon="1/2", relation=REPLACE_ONE),
    )
    event = Composed(relation=REPLACE_ONE, events=parts)
    spent = spent_of(event, delta=Fraction(0))
    assert (spent.event, spent.epsilon, spent.delta) == (event, Fraction(3, 4), 0)


def test_the_account_is_that_of_the_ledger_that_paid():
    ledger = Ledger.memory(1)
    ledger.charge(Pure(epsilon="1/8", relation=REPLACE_ONE))
    receipt = ledger.charge(Pure(epsilon="1/4", relation=REPLACE_ONE))
    release = Release(
        value=0, event=receipt.event, claim=Geometric.CLAIM, private=True, receipt=receipt
    )
    account = account_of(release, ledger)
    assert (account.entry, account.digest) == (2, receipt.digest)
    assert (account.spent_epsilon, account.left_epsilon) == (Fraction(3, 8), Fraction(5, 8))
    assert (account.limit_epsilon, account.limit_delta) == (1, 0)
    assert (account.spent_epsilon, account.spent_delta) == (
        ledger.spent.epsilon,
        ledger.spent.delta,
    )


def test_a_release_that_no_ledger_paid_has_no_account():
    event = Pure(epsilon=1, relation=REPLACE_ONE)
    release = Release(value=0, event=event, claim=Geometric.CLAIM, private=True)
    assert account_of(release, None) is None
    assert account_of(release, Ledger.memory(1)) is None
