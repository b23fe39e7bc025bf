"""What a certificate says of its ledger."""

from fractions import Fraction

import pytest

from tacit.core.account_words import account_words
from tacit.core.certificate import Account


def account(*, delta):
    return Account(
        ledger="abc",
        entry=1,
        digest="d",
        data_set="ward 7",
        limit_epsilon=Fraction(9),
        limit_delta=delta,
        spent_epsilon=Fraction(3, 4),
        spent_delta=delta,
        left_epsilon=Fraction(11, 2),
    )


def test_what_is_spent_at_a_delta_is_said_with_it_and_why_it_need_not_add_up():
    said = account_words(account(delta=Fraction(1, 1000)))
    assert "have spent epsilon = 0.75 at delta = 0.001 of 9, left 5.5 then." in said
    assert "spent and left need not add up to the limit." in said


@pytest.mark.parametrize("part", ["delta", "add up"])
def test_without_a_delta_sums_are_plain(part):
    said = account_words(account(delta=Fraction(0)))
    assert said.endswith("have spent epsilon = 0.75 of 9, left 5.5 then.")
    assert part not in said
