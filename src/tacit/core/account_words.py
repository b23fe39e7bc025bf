"""The words for what a ledger has spent, and what is left of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.core.numbers import show, show_rounded_down, show_rounded_up

if TYPE_CHECKING:
    from tacit.core.certificate import Account


def account_words(paid: Account | None) -> str:
    """Which entry of which ledger paid, what it has spent in all, its limit, and what is left.

    At a limit with a delta there are two totals, and spent and left need not add up: that is said.
    """
    if paid is None:
        return "Counted in no ledger: nothing says what else was released from these records."
    if paid.limit_epsilon is None:
        return "Counted in a ledger without a limit, which limits nothing."
    name = "a ledger in memory" if paid.ledger is None else f"ledger {paid.ledger[:12]}"
    data = f" for {paid.data_set!r}" if paid.data_set else ""
    total = "more than is known"
    if paid.spent_epsilon is not None:
        total = show_rounded_up(paid.spent_epsilon)
    at = f" at delta = {show_rounded_up(paid.spent_delta)}" if paid.spent_delta else ""
    left = beside = ""
    if paid.left_epsilon is not None:
        left = f", left {show_rounded_down(paid.left_epsilon)} then"
        if paid.limit_delta:
            beside = (
                " What is left is stated for costs that are chosen after seeing results, so spent "
                "and left need not add up to the limit."
            )
    return (
        f"Entry {paid.entry} of {name}{data}: all its releases together have spent epsilon = "
        f"{total}{at} of {show(paid.limit_epsilon)}{left}.{beside}"
    )
