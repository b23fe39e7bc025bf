"""The words for mistakes of different costs."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from tacit.core.counted_words import (
    counted_on,
    each_of,
    no_rate,
    percent,
    possible,
    share_of,
    third,
)
from tacit.core.numbers import show
from tacit.core.task_fields import RECORD

if TYPE_CHECKING:
    from tacit.core.certificate import Certificate, Measured


def cost_words(of: Certificate, found: Measured) -> str:
    """Mistakes on each label, and what they cost at most."""
    each = [
        f"{possible(one.noisy_mistakes, of.n)} where the label is {one.label} "
        f"(cost {one.cost} each)"
        for one in found.labels
    ]
    every = f"{', '.join(each[:-1])} and {each[-1]}" if each[1:] else each[0]
    on = f"the {counted_on(of)}" if of.n is None else counted_on(of, n=of.n)
    told = f"About so many mistakes on {on}, counted with noise: {every}."
    if of.n is None or found.cost is None or found.error is None:
        return f"{told} {no_rate(of)}"
    sure = f"With probability at least {show(1 - of.beta)}"
    if found.balanced is not None:
        told += (
            f" Every label counts alike: costs follow from noisy numbers of their {each_of(of)}. "
            f"{sure} the rule errs on at most {percent(found.balanced)} of {found.about} of one "
            f"label, on average over the labels, and on at most {percent(found.error)} of all."
        )
        always = percent(1 - Fraction(1, len(found.labels)))
        return f"{told} The same answer for everybody would err on {always} on that average."
    return (
        f"{told} {sure} its mistakes cost at most {third(found.cost)} a {_one(of)} on average on "
        f"{found.about}, and it errs on at most {percent(found.error)} of them."
        + _constant_cost(of, of.n, found)
    )


def _constant_cost(of: Certificate, n: int, found: Measured) -> str:
    """What the same answer for everybody would cost, where the labels were counted."""
    base, answer = found.counted("positive"), ""
    if base is not None and base.count is not None and len(found.labels) == 2:
        shares = [1 - share_of(base.count, n), share_of(base.count, n)]
    elif found.values and len(found.values) == len(found.labels):
        shares = [share_of(one.count, n) for one in found.values]
    else:
        return ""
    each = [one.cost * share for one, share in zip(found.labels, shares, strict=True)]
    if found.values:
        answer = f", {found.labels[each.index(max(each))].label},"
    always = third(sum(each) - max(each))
    return f" The same answer for everybody{answer} would cost about {always} a {_one(of)}."


def _one(of: Certificate) -> str:
    return "record" if of.asked.unit == RECORD else "person"
