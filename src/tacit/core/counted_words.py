"""The words for what is counted beside a rule's mistakes."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from tacit.core.numbers import counted, show, show_rounded_up
from tacit.core.printable import one_line
from tacit.core.said import MOST
from tacit.core.task_fields import RECORD

if TYPE_CHECKING:
    from tacit.core.certificate import (
        Answered,
        Certificate,
        Counted,
        Measured,
        Rates,
    )

_MOST_FIT = Fraction(9, 10)  # a smaller share of values as declared is warned of
_FITTED = (
    (
        "labels",
        (
            "Labels with a declared value",
            "many labels are neither of the declared values; look at the declaration.",
        ),
    ),
    (
        "columns",
        (
            "Nothing missing or undeclared in the columns that the rule reads (a number beyond its "
            "range counts as the end of it)",
            "many values are missing or not declared; look at the declaration.",
        ),
    ),
)


OTHER = {
    "negative": "A label that is missing or was not declared counts as the negative one.",
    "ignore": "A record whose label is missing or was not declared is ignored: it is one of the "
    "records, and no rule errs on it.",
}
"""What becomes of other labels."""
SAME = "the same answer for everybody"
_MOST = 10**6  # tenths of a percent; more are not written out
_NO_POSITIVE = " So few that there may be none: is the positive label declared as it is written?"
_UNMEASURED = (
    "WARNING: nothing here says that the declaration fits the records. Whoever holds the table can "
    "look: `tacit doctor FILE --schema SCHEMA` (its answer is not for publication)."
)


def other_labels(of: Certificate) -> str:
    """What becomes of a label that is missing or was not declared."""
    values, other = of.asked.values, of.asked.other
    if other == "class":
        return "Labels that are missing or were not declared are together one more label, 'other'."
    if not values and other == "negative" and _many_valued(of):
        return (
            "A label that is missing or was not declared counts as the negative one; of a label "
            "with more than two values as the first of them."
        )
    if not values or other == "ignore":
        return OTHER[other]
    return (
        f"A label that is missing or was not declared counts as {values[0]}, the first of the "
        "declared ones."
    )


def _many_valued(of: Certificate) -> bool:
    """Whether one of several labels has more than two values."""
    told = (of.recipe or {}).get("label_values")
    each = told if isinstance(told, list) else []
    return any(isinstance(one, list) and len(one) > 2 for one in each)


def percent(value: Fraction) -> str:
    """A share in per cent, rounded up."""
    tenths = -(-value * 1000 // 1)
    # A file of somebody else may state any number; ours are fractions of one.
    return f"{max(-_MOST, min(tenths, _MOST)) / 10:g} %"


def counted_on(of: Certificate, *, n: int | None = None) -> str:
    """What is counted: records, or one row of each person; ``n`` of them where that is told."""
    thing = "record" if of.asked.unit == RECORD else "person"
    told = f"{thing}s" if n is None else counted(n, thing)
    return told if thing == "record" else f"{told} (one row of each)"


def possible(noisy: int, n: int | None) -> int:
    """A noisy number of mistakes among ``n`` as it is told: noise can take it beyond both ends."""
    return max(0, noisy if n is None else min(noisy, n))


def records_of(of: Certificate, found: Measured) -> int:
    """How many records there are, or, where that is private, were counted with noise."""
    return max(0, found.noisy_mistakes + (found.noisy_right or 0)) if of.n is None else of.n


def base_rate(of: Certificate, found: Measured) -> str:
    """What the error stands beside: how often the same answer for everybody would err.

    Where records are ignored for their label, no answer errs on them.
    """
    if of.n is None:
        return _private_base(of, found)
    n, all_of = of.n, counted_on(of)
    if not found.beside:  # a selection: each draw would pay for such a number anew
        return f" {not_counted(of)} whether the rule is better than {SAME} is not said."
    if of.asked.values:
        return _most_frequent(of, n, found)
    base = found.counted("positive")
    if base is None:
        return ""
    if base.count is None or base.within is None:
        return _unmeasured(of, base)
    share = share_of(base.count, n)
    if of.asked.other == "ignore":
        return (
            f" Always the negative answer would err on {_about(share, base.within, n)} of the "
            f"{all_of}: so many have the positive label."
        )
    always = min(share, 1 - share)
    answer = "negative" if always == share else "positive"
    return (
        f" The same answer for everybody, the {answer} one, would err on "
        f"{_about(always, base.within, n)} of the {all_of}."
        + (_NO_POSITIVE if base.count <= base.within else "")
    )


def _private_base(of: Certificate, found: Measured) -> str:
    """What the most frequent label would do as the answer for everybody, of so many records as
    were counted of all labels.
    """
    base, every = found.counted("values"), max(1, sum(one.count for one in found.values))
    if base is None or base.within is None or not found.values:
        return f" {not_counted(of)} whether the rule is better than {SAME} is not said."
    place, most = max(enumerate(found.values), key=lambda one: one[1].count)
    right, within = share_of(most.count, every), _either_way(found, base.within)
    answer = most.label if of.asked.values else f"the {('negative', 'positive')[place]} one"
    ignored = ", ignored ones left out" if of.asked.other == "ignore" else ""
    told = (
        f" The same answer for everybody, {answer}, would err on {_near(1 - right)} "
        f"(± {percent(within)}) of the {counted_on(of)}{ignored}."
    )
    few = not of.asked.values and found.values[1].count <= base.within
    return told + (_NO_POSITIVE if few else "")


def _either_way(found: Measured, within: int) -> Fraction:
    """How far the share of the most frequent label is off at most, where no number of records of
    a label is off by more than ``within``.
    """
    most = max(one.count for one in found.values)
    every = sum(one.count for one in found.values)
    others = within * (len(found.values) - 1)
    low, high = Fraction(0), Fraction(1)
    if most > within:
        low = Fraction(most - within, every + others - within)
    if every - others + within > most + within > 0:
        high = Fraction(most + within, every - others + within)
    share = share_of(most, max(1, every))
    return max(high - share, share - low)


def not_counted(of: Certificate) -> str:
    return f"How many {each_of(of)} have each label was not counted:"


def each_of(of: Certificate) -> str:
    return "records" if of.asked.unit == RECORD else "persons"


def no_rate(of: Certificate) -> str:
    """Why there is no rate, and none to compare it with, where the number of records is private."""
    return (
        f"The number of {each_of(of)} is private under {of.asked.relation.value}, where no rate is "
        "proved of mistakes with costs: nothing here says how good the rule is. A release without "
        "costs states a rate, and one under replace-one, which makes that number public, states "
        "it with costs."
    )


def _unmeasured(of: Certificate, base: Counted) -> str:
    all_of = counted_on(of)
    return (
        f" How many {all_of} have each label was not measured; would need n >= {base.needed} "
        f"{each_of(of)}. Nothing here says that the rule is better than the same answer for "
        "everybody."
    )


def _most_frequent(of: Certificate, n: int, found: Measured) -> str:
    """What the most frequent of several labels would do as the answer for everybody."""
    base, all_of = found.counted("values"), counted_on(of)
    if base is None:
        return ""
    if base.count is None or base.within is None or not found.values:
        return _unmeasured(of, base)
    most = max(found.values, key=lambda one: one.count)
    shares = [_near(share_of(one.count, n)) for one in found.values]
    listed = f"{shares[0]} have the label {found.values[0].label}"
    for share, one in zip(shares[1:], found.values[1:], strict=True):
        listed += f", {share} {one.label}"
    within = percent(Fraction(base.within, n))
    each = f"Of the {all_of} {listed} (± {within} each)."
    right = share_of(most.count, n)
    if of.asked.other == "ignore":
        return (
            f" Always the answer {most.label} would be right on {_about(right, base.within, n)} "
            f"of the {all_of}. {each} Ignored ones count as no mistake."
        )
    return (
        f" The same answer for everybody, {most.label}, would err on "
        f"{_about(1 - right, base.within, n)} of the {all_of}. {each}"
    )


def alarm_words(of: Certificate, found: Measured) -> str:
    """How many alarms a rule with a budget of them raises, and how many records it misses."""
    told, n = "", records_of(of, found)
    for what, does in (
        ("alarms", "calls {} of the {} positive"),
        ("missed", "misses {} of the {} that are positive, as a share of all"),
    ):
        one = found.counted(what)
        if one is None or one.count is None or one.within is None or one.rate is None:
            continue
        about = _about(share_of(one.count, n), one.within, n)
        told += f" It {does.format(about, counted_on(of))}; {found.about}: at most "
        told += f"{percent(one.rate)}, with probability at least {show(1 - of.beta)}."
    return told


def share_of(count: int, n: int) -> Fraction:
    return min(max(Fraction(count, n), Fraction(0)), Fraction(1))


def _about(share: Fraction, within: int, n: int) -> str:
    """A share of the records, with the reach of its noise."""
    return f"{_near(share)} (± {percent(Fraction(within, n))})"


def _near(share: Fraction) -> str:
    return f"{float(round(share * 1000)) / 10:g} %"


def declared(of: Certificate) -> str | None:
    """What other labels did, and how many labels and values fitted what was declared."""
    if of.asked.goal != "learn":
        return None
    told, found, unmeasured = [other_labels(of)], of.measured, False
    ignored = of.asked.other == "ignore"
    for what, words in _FITTED if found is not None and of.n is not None else ():
        assert found is not None
        assert of.n is not None
        one = found.counted(what)
        if one is None:
            continue
        if one.count is None or one.within is None:
            unmeasured = True
            told.append(f"{words[0]}: not measured; would need n >= {one.needed} {each_of(of)}.")
            continue
        share = share_of(one.count, of.n)
        apart = " (ignored ones are not counted)" if ignored and what == "columns" else ""
        about = _about(share, one.within, of.n)
        told.append(f"{words[0]}: {about} of the {counted_on(of)}{apart}.")
        if share + Fraction(one.within, of.n) < _MOST_FIT and not apart:
            told.append(f"WARNING: {words[1]}")
    return " ".join([*told, *([_UNMEASURED] if unmeasured else [])])


def uncounted(of: Certificate, every: str) -> str:
    """Why no mistakes are stated: none were counted, or nothing follows from their number."""
    share = (of.recipe or {}).get("error_share", "0")
    several_rows = of.asked.rows == "independent" and of.asked.rows_per_unit > 1
    if of.asked.k > 1 and share != "0" and (of.n is None or several_rows):
        why = f"the number of {every} is private"
        if of.n is not None:
            why = "several rows of each person were used"
        return (
            f"Mistakes were counted with noise, and are not stated: {why}, and no bound for rules "
            "that are drawn together is proved there (error_share = 0 saves what they cost)."
        )
    set_aside = "No part of the budget was set aside to count mistakes"
    if of.n is None and of.asked.k > 1:
        return (
            f"{set_aside}: the number of {every} is private, and no bound for rules that are drawn "
            "together is proved there."
        )
    return f"{set_aside} (error_share = 0)."


_MEANS = ("SharedTrees", "EitherTrees")
"""Classes of several labels whose error is a mean over them: ``Averaged``."""


def promised(of: Certificate, alpha: str, new: str) -> str:
    """What a theorem says of the rules of a release: of errors, of their mean, or of costs."""
    recipe, k = of.recipe or {}, of.asked.k
    above = "above the best of the class" if of.asked.setting == "agnostic" else "in all"
    most = f"at most a fraction {alpha} ({above}) of"
    if of.algorithm == "alarms":
        return (
            "the rule misses a positive record, or raises an alarm beyond the budget, on "
            f"{most} {new}"
        )
    if recipe.get("class", {}).get("kind") in _MEANS:
        return f"the {k} rules err, as a mean over the labels, on {most} {new}"
    if recipe.get("costs") or recipe.get("label_costs"):
        whose = "the rule" if k == 1 else f"each of the {k} rules"
        return (
            f"the mistakes of {whose} cost {most} the greatest cost of a mistake, as a mean over "
            f"{new}"
        )
    if k == 1:
        return f"the rule errs on {most} {new}"
    return f"each of the {k} rules{_labels_of(recipe)} errs on {most} {new}"


def _labels_of(recipe: Mapping[str, object]) -> str:
    """The labels of several rules, where they have names; the first of them where they are many."""
    told = recipe.get("labels")
    names = [one for one in told if isinstance(one, str)] if isinstance(told, list) else []
    if not names:
        return ""
    more = len(names) - MOST
    shown = ", ".join(map(one_line, names[:MOST]))
    return f" ({shown} and {more} more)" if more > 0 else f" ({shown})"


def rate_words(of: Certificate, found: Rates) -> str:
    """What the numbers beside the parts of a rule are, and what they cost."""
    most, every = of.asked.rows_per_unit, "records of each label"
    if of.asked.unit != RECORD:
        kept = "one row of each person" if most == 1 else f"at most {most} rows of each person"
        every = f"rows of each label ({kept})"
    rules, alone = "the rule", ""
    if of.asked.k > 1:  # words beside a rule know nothing of the others
        rules = f"the {of.asked.k} rules"
        alone = (
            " What stands after ± beside a rule is for the numbers of that rule by itself, with "
            "the same probability."
        )
    return (
        f"In {'the one part' if found.parts == 1 else f'each of the {found.parts} parts'} of "
        f"{rules} the {every} were counted with noise, for epsilon = "
        f"{show_rounded_up(found.epsilon)} of the total. With probability at least "
        f"{show(1 - found.unsure)} none of these numbers is off by more than {found.within}.{alone}"
    )


def answered_words(of: Certificate, found: Answered) -> str:
    """How wrong the answers of a table can be."""
    worst = possible(found.noisy_worst, found.records)
    public = "" if of.n == found.records else " (their number is private; this is a noisy one)"
    return (
        f"With probability at least {show(1 - of.beta)} {found.promise} is within "
        f"{third(found.error)} of the truth on the records. The worst error was counted with "
        f"noise: about {worst} of {counted(found.records, 'record')}{public}."
    )


def third(error: Fraction) -> str:
    """A share with three digits, rounded up."""
    return f"{float(-(-error * 1000 // 1)) / 1000:g}"
