"""The words for the errors and costs of the rules of several labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit.core.counted_words import SAME, counted_on, no_rate, not_counted, percent, third
from tacit.core.numbers import show

if TYPE_CHECKING:
    from tacit.core.certificate import Certificate, OneOfSeveral, Several


def several_words(of: Certificate, found: Several) -> str:
    """The errors of all rules of one release."""
    if all(one.error is None for one in found.labels):
        return no_rate(of)
    listed = "; ".join(
        f"{one.label} {percent(one.error)} ({_of_one(one)})"
        for one in found.labels
        if one.error is not None
    )
    sure = show(1 - of.beta)
    about = f"new {counted_on(of)}" if found.about is None else found.about
    return (
        f"With probability at least {sure}, for all {len(found.labels)} rules at once, each errs "
        f"on at most so much of {about}{_and_costs(found)}, as mistakes that were counted with "
        f"noise say: {listed}. {_beside(of, found)}"
    )


def _and_costs(found: Several) -> str:
    """What else is bounded where mistakes have costs."""
    if not any(one.values for one in found.labels):
        return ""
    if all(one.balanced is not None for one in found.labels):
        return (
            ", and on at most so much of the records of one of its label's values, on average over "
            "the values, which count alike"
        )
    return ", and its mistakes cost at most so much a record on average"


def _of_one(one: OneOfSeveral) -> str:
    """The mistakes of one label's rule, and what they cost at most where they have costs."""
    if not one.values:
        return f"about {max(0, one.noisy_mistakes)} mistakes"
    each = ", ".join(
        f"{max(0, value.noisy_mistakes)} where it is {value.label}"
        + ("" if one.balanced is not None else f" at {value.cost} each")
        for value in one.values
    )
    if one.balanced is not None:
        return f"on that average {percent(one.balanced)}; about so many mistakes: {each}"
    told = "" if one.cost is None else f"cost {third(one.cost)}; "
    return f"{told}about so many mistakes: {each}"


def _beside(of: Certificate, found: Several) -> str:
    """What the errors of several rules stand beside."""
    if found.variance is None and found.epsilon is None:
        return "Each rule has a certificate of its own, which says what its error stands beside."
    if all(one.balanced is not None for one in found.labels):
        return "The same answer for everybody would err on 50 % on that average."
    return f"{not_counted(of)} whether a rule is better than {SAME} is not said."
