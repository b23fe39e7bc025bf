"""The words of a certificate: one screen for a data-protection officer, then an annex."""

from __future__ import annotations

from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING

from tacit.core.account_words import account_words
from tacit.core.cost_words import cost_words
from tacit.core.counted_words import (
    alarm_words,
    answered_words,
    base_rate,
    counted_on,
    declared,
    no_rate,
    percent,
    possible,
    promised,
    rate_words,
    records_of,
    uncounted,
)
from tacit.core.numbers import counted, show, show_rounded_up
from tacit.core.relation import Relation
from tacit.core.said import complete_columns, impossible_combinations, public_facts
from tacit.core.several_words import several_words
from tacit.core.task_fields import RECORD

if TYPE_CHECKING:
    from tacit.core.certificate import Certificate, Measured

_AGAINST = {
    Relation.REPLACE_ONE: "replacing any one record",
    Relation.ADD_REMOVE: "adding or removing any one record",
    Relation.LABEL: "changing any one label (the features are public)",
}
_NEIGHBOURS = {
    Relation.REPLACE_ONE: "Two data sets are neighbours if they have equally many records and "
    "differ in one of them.",
    Relation.ADD_REMOVE: "Two data sets are neighbours if one is the other without one record.",
    Relation.LABEL: "Two data sets are neighbours if they differ in the label of one record.",
}
_AGAINST_PERSONS = {
    Relation.REPLACE_ONE: "replacing any one person with all their rows",
    Relation.ADD_REMOVE: "adding or removing any one person with all their rows",
    Relation.LABEL: "changing the labels of any one person (the features are public)",
}
_NEIGHBOURING_PERSONS = {
    Relation.REPLACE_ONE: "Two data sets are neighbours if they have equally many persons and "
    "differ in all rows of one of them.",
    Relation.ADD_REMOVE: "Two data sets are neighbours if one is the other without all rows of "
    "one person.",
    Relation.LABEL: "Two data sets are neighbours if they differ in the labels of one person.",
}
_RATES = ("0.001", "0.01", "0.1")
_EXACT = Context(prec=60)
SAMPLER = (
    "Drawn exactly: no floating-point number decides the draw. The random bits come from the "
    "operating system through AES-256 in counter mode."
)
TIMING = (
    "How long the program ran is not protected: a noisy count takes longer the larger its noise. "
    "Do not publish running times."
)


def _exp(value: Fraction) -> Decimal:
    """``exp(value)``, rounded up in the fiftieth digit."""
    quotient = _EXACT.divide(Decimal(value.numerator), Decimal(value.denominator))
    return _EXACT.multiply(_EXACT.exp(quotient), Decimal("1." + "0" * 48 + "1"))


def _percent_up(share: Decimal) -> str:
    rounded = (share * 1000).to_integral_value(rounding=ROUND_CEILING)
    return f"{(min(rounded, Decimal(1000)) / 10).normalize():f} %"


def belief(epsilon: Fraction) -> str:
    """What a belief of one half can become at most, in per cent, rounded up."""
    if epsilon > 700:
        return "100 %"
    grown = _exp(epsilon)
    return _percent_up(_EXACT.divide(grown, 1 + grown) + Decimal("1e-20"))


def caught(epsilon: Fraction, delta: Fraction, rate: Fraction) -> str:
    """The largest true-positive rate of an attack with this false-positive rate, rounded up.

    At a rate ``f`` it is ``min(1, e^epsilon f + delta, 1 - e^-epsilon (1 - f - delta))``.
    """
    if epsilon > 700:
        return "100 %"
    grown = _exp(epsilon)
    false, slack = (
        _EXACT.divide(Decimal(x.numerator), Decimal(x.denominator)) for x in (rate, delta)
    )
    low = grown * false + slack
    high = 1 - _EXACT.divide(max(Decimal(0), 1 - false - slack), grown)
    return _percent_up(min(low, high, Decimal(1)) + Decimal("1e-20"))


def attack(of: Certificate) -> dict[str, str] | None:
    """True-positive rates at fixed false-positive rates, for whoever tests for one record."""
    if of.epsilon is None or not of.private:
        return None
    return {rate: caught(of.epsilon, of.delta, Fraction(rate)) for rate in _RATES}


def _of_persons(of: Certificate) -> bool:
    """Whether persons are protected, with all their rows."""
    return of.asked.unit != RECORD


def things(of: Certificate, *, n: int | None = None) -> str:
    """What is counted and independent: records, or persons; ``n`` of them where that is told."""
    thing = "person" if _of_persons(of) else "record"
    return f"{thing}s" if n is None else counted(n, thing)


def assumed(of: Certificate) -> tuple[str, ...]:
    """What is taken for granted, in sentences."""
    unit, every = of.asked.unit, things(of)
    told = [
        f"The column {unit!r} tells persons apart: all rows of one person have one id there."
        if _of_persons(of)
        else "Each person has one record: whoever has m records is protected m times less.",
        "Column names, ranges, categories and labels were declared from public knowledge, not "
        "read off the records.",
        "The random bits of the operating system are unpredictable.",
    ]
    told += [f"Public, as the caller says: {fact}." for fact in public_facts(of.recipe or {})]
    if complete := complete_columns(of.recipe or {}):
        told.append(f"No value is missing or undeclared, as the caller says, in {complete}.")
    if impossible := impossible_combinations(of.recipe or {}):
        told.append(f"Cannot occur, as the caller says, so the table has none of it: {impossible}.")
    if of.asked.relation is Relation.REPLACE_ONE:
        told.append(f"The number of {every} is public.")
    if of.asked.relation is Relation.LABEL:
        told.append(f"All features, and the number of {every}, are public.")
    if of.asked.rows == "independent":
        told.append(
            f"For the error only: each person has exactly {of.asked.rows_per_unit} rows, and they "
            "are drawn independently, too."
        )
    if of.asked.goal != "sanitize" and (of.planned or of.measured or of.several):
        told.append(
            f"For the error only: the {every} are drawn independently from what the rule will be "
            "used on. Privacy does not need this."
        )
    if of.asked.setting == "realizable":
        told.append("For the error only: some rule of the class makes no error.")
    if of.asked.marginal != "any":
        told.append(f"For the error only: the features' law is as stated ({of.asked.marginal}).")
    return tuple(told)


def not_protected(of: Certificate) -> tuple[str, ...]:
    """What the promise leaves out, in words."""
    told = ["column names and declared ranges", "how long the program ran"]
    if of.asked.relation.size_is_public:
        told.insert(0, f"the number of {things(of)}")
    if of.asked.relation is Relation.LABEL:
        told.insert(1, "every feature of every record")
    return tuple(told)


def privacy(of: Certificate) -> str:
    """The promise in one or two sentences."""
    if not of.private:
        return "NOT PRIVATE: drawn from a test seed."
    if of.epsilon is None:
        return "NOT STATED: this event has no epsilon at the task's delta."
    delta = f" and delta = {show_rounded_up(of.delta)}" if of.delta else ""
    against = _AGAINST_PERSONS if _of_persons(of) else _AGAINST
    return (
        f"Differentially private with epsilon = {show_rounded_up(of.epsilon)}{delta} against "
        f"{against[of.event.relation]}."
    )


def meaning(of: Certificate) -> str:
    """What epsilon means for one person, in odds."""
    if not of.private or of.epsilon is None:
        return "Nothing is promised."
    if of.event.relation is Relation.LABEL:
        about = "about one person's label"
    else:
        about = "about one person" if _of_persons(of) else "about one record"
    except_for = ""
    if of.delta:
        except_for = f", but for a chance of {show_rounded_up(of.delta)}"
    risk = ""
    if of.epsilon > 10:
        risk = " At this epsilon the promise is empty: treat the release as if it were the data."
    elif of.epsilon > 3:
        risk = " This is a weak promise: do not rely on it alone."
    return (
        f"Whoever believed something {about} with 50 % before seeing this believes it with at "
        f"most {belief(of.epsilon)} after{except_for}, whatever else they know.{risk}"
    )


def accuracy(of: Certificate) -> str:
    """How wrong the release can be."""
    if of.measured is not None:
        return _measured(of, of.measured)
    if of.answered is not None:
        return answered_words(of, of.answered)
    if of.several is not None:
        return several_words(of, of.several)
    without = uncounted(of, things(of))
    if of.planned is None:
        return without
    if of.asked.goal == "sanitize":
        return _answers(of)
    over_table = "schema" in (of.recipe or {}).get("class", {})
    return f"{without} {_rules(of)}" if over_table else _rules(of)


def _sure(of: Certificate) -> str:
    return show(1 - of.beta)


def _measured(of: Certificate, found: Measured) -> str:
    if found.labels:
        return cost_words(of, found)
    mistakes = counted(possible(found.noisy_mistakes, of.n), "mistake")
    if found.error is None:
        return f"About {mistakes} on the {counted_on(of)}, counted with noise. {no_rate(of)}"
    every, noise = counted_on(of, n=of.n), "counted with noise"
    if of.n is None:
        every = f"about {counted_on(of, n=records_of(of, found))}"
        noise = "both counted with noise: how many there are is private"
    return (
        f"About {mistakes} on {every}, {noise}. With probability at "
        f"least {_sure(of)} the rule errs on at most {percent(found.error)} of {found.about}."
        + base_rate(of, found)
        + alarm_words(of, found)
    )


def _rules(of: Certificate) -> str:
    assert of.planned is not None
    alpha = show(of.asked.alpha) if of.asked.alpha is not None else "?"
    every = things(of)
    new = "one row of each new person" if _of_persons(of) else "new records"
    promise = (
        f"with probability at least {_sure(of)} over the {every} and the draw, "
        f"{promised(of, alpha, new)}"
    )
    if of.asked.setting == "realizable":
        promise += ", provided some rule of the class makes no error"
    if of.asked.marginal != "any":
        promise += f", if the features' law is as stated ({of.asked.marginal})"
    if of.n is None:
        return f"If there were at least {of.needed} {every}: {promise}."
    if of.accurate:
        return f"From {things(of, n=of.n)} ({of.needed} suffice): {promise}."
    return (
        f"NOT CERTIFIED for alpha = {alpha}, beta = {show(of.beta)}: {things(of, n=of.n)}, and the "
        f"theorem needs {of.needed}. The privacy statement holds all the same. What "
        f"{things(of, n=of.n)} can certify, `tacit.plan.least_alpha(task, n)` tells."
    )


def _answers(of: Certificate) -> str:
    kept = "rows that were kept of them" if _of_persons(of) else "records"
    alpha = show(of.asked.alpha) if of.asked.alpha is not None else "?"
    promise = (
        f"with probability at least {_sure(of)} over the draw, every query of the class has an "
        f"answer within {alpha} of the truth on the {kept}"
    )
    every = things(of)
    if of.n is None:
        return f"If there were at least {of.needed} {every}: {promise}."
    if of.accurate:
        return f"From {things(of, n=of.n)} ({of.needed} suffice): {promise}."
    return f"NOT CERTIFIED: {things(of, n=of.n)}, and the theorem needs {of.needed}."


def budget(of: Certificate) -> str:
    """What was asked and spent, and what of the ledger is left."""
    spent = of.spent
    cost = "an event without a finite epsilon"
    if spent.epsilon is not None:
        cost = f"epsilon = {show_rounded_up(spent.epsilon)}"
        cost += f", delta = {show_rounded_up(spent.delta)}" if spent.delta else ""
    asked = f"epsilon = {show(of.asked.epsilon)}"
    asked += f", delta = {show(of.asked.delta)}" if of.asked.delta else ""
    text = f"Spent {cost}; asked for was {asked}. {_unspent(of)}"
    return text + account_words(of.account)


def _unspent(of: Certificate) -> str:
    """Why less was spent than was granted; nothing where all was."""
    spent = of.spent.epsilon
    if spent is None or spent >= of.asked.epsilon:
        return ""
    if of.asked.delta:
        return "With a delta above 0 a release may cost less epsilon than it was drawn with. "
    if of.accurate:
        return "The error above is proved for a draw at this epsilon: the rest was not spent. "
    return ""


def attack_words(of: Certificate) -> str:
    """What an attacker who tests for one record can reach."""
    rates = attack(of)
    if rates is None:
        return "No bound."
    parts = [
        f"at {_percent_of(rate)} false alarms at most {most} of the {things(of)} are found"
        for rate, most in rates.items()
    ]
    one = "person" if _of_persons(of) else "record"
    return f"Whoever tests whether one {one} is there: " + "; ".join(parts) + "."


def _percent_of(rate: str) -> str:
    return f"{float(rate) * 100:g} %"


def protected(of: Certificate) -> str:
    """Who is protected, and from whom they cannot be told."""
    if not _of_persons(of):
        return f"Each record: one row of the table. {_NEIGHBOURS[of.event.relation]}"
    most = of.asked.rows_per_unit
    used = f"at most {most} rows of each are used"
    if most == 1 or (of.measured is not None and of.asked.rows == "any"):
        # Nothing says that a person's rows are independent: no rule is drawn from several.
        used = "one row of each is used" + (f" (up to {most} were allowed)" if most > 1 else "")
    if most > 1 and of.rates is not None and of.asked.rows == "any":
        used = f"one row of each is used for learning, and at most {most} for the rates"
    return (
        f"Each person, with all rows that have their id in the column {of.asked.unit!r}; {used}, "
        f"and rows without an id are not. {_NEIGHBOURING_PERSONS[of.event.relation]}"
    )


def rows(of: Certificate) -> list[tuple[str, str]]:
    """The officer's screen: headings and sentences."""
    number = "private" if of.n is None else f"{of.n}"
    number += "; how many rows they have is private" if _of_persons(of) else ""
    fitted = declared(of)
    return [
        ("Privacy", privacy(of)),
        ("What that means", meaning(of)),
        ("Who is protected", protected(of)),
        (things(of).capitalize(), f"{number}."),
        ("Error" if of.measured or of.answered or of.several else "Accuracy", accuracy(of)),
        *((("Declaration", fitted),) if fitted else ()),
        *((("Rates", rate_words(of, of.rates)),) if of.rates is not None else ()),
        ("Budget", budget(of)),
        ("Attack", attack_words(of)),
        ("Not protected", ", ".join(not_protected(of)) + "."),
        ("Assumed", " ".join(assumed(of))),
        ("Sampling", f"{SAMPLER} {TIMING}"),
    ]


def annex(of: Certificate) -> list[str]:
    """Theorems and comparisons, for specialists."""
    lines = [f"Drawn by `{of.algorithm}` from {of.what}.", f"Cost: {of.event.describe()}."]
    lines.append(f"Privacy: {of.privacy_claim.statement} ({of.privacy_claim.words}).")
    accuracy_claim = of.measured or of.answered or of.several or of.planned
    if accuracy_claim is not None:
        claim = accuracy_claim.claim
        lines.append(f"Error: {claim.statement} ({claim.words}).")
    if of.rates is not None:
        lines.append(f"Rates: {of.rates.claim.statement} ({of.rates.claim.words}).")
    if of.compared is not None:
        about = of.measured.about if of.measured is not None else "new records"
        lines += [
            f"Against {one.what}: with probability at least {_sure(of)} the rule errs at most "
            f"{percent(one.excess)} of {about} more than the best of them, and at most "
            f"{percent(one.realizable)} if one of them makes no error "
            f"({of.compared.claim.words})."
            for one in of.compared.among
        ]
    return lines
