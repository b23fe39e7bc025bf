"""Rules with rates, of one label column or of several: which they are, and without their rates."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from tacit.core import BadInput, Hypothesis, NamedRule
from tacit.core.records import Stored, kinds
from tacit.exact.geometric_tails import width
from tacit.problems.several.rules import Rules
from tacit.problems.tables.rated_rule import RATED, WithRates


def rated_rules(value: object) -> tuple[WithRates, ...]:
    """The rules with rates of a release, one a label column; none where it has no rates."""
    if isinstance(value, WithRates):
        return (value,)
    if not isinstance(value, Rules):
        return ()
    each = [one.rule if isinstance(one, NamedRule) else one for one in value]
    rated = tuple(one for one in each if isinstance(one, WithRates))
    if rated and (len(rated) < len(each) or len({one.scale for one in rated}) > 1):
        raise BadInput("all of several rules have rates with equal noise, or none of them has any")
    return rated


def without_rates(value: object) -> object:
    """The same rule or rules, without the numbers beside their parts."""
    if isinstance(value, WithRates):
        return value.rule
    if not isinstance(value, Rules):
        return value
    return Rules(rules=tuple(_bare(one) for one in value))


def _bare(one: Hypothesis) -> Hypothesis:
    if isinstance(one, NamedRule):
        return replace(one, rule=_bare(one.rule))
    return one.rule if isinstance(one, WithRates) else one


def reach_of(rated: tuple[WithRates, ...], beta: Fraction) -> int:
    """No number of these rules is further off than this, but for probability ``beta`` in all."""
    numbers = sum(one.label_count * one.parts for one in rated)
    return width(rated[0].scale, beta / numbers)


def hidden_rates(rule: Stored) -> bool:
    """Whether a stored rule has rates inside another one that is not one of several rules."""
    each = [rule]
    if rule.get("kind") == Rules.kind and isinstance(rule.get("rules"), list):
        each = [one for one in rule["rules"] if isinstance(one, dict)]
        inner = [one.get("rule") if one.get("kind") == NamedRule.kind else one for one in each]
        each = [one for one in inner if isinstance(one, dict)]
    return any(RATED & kinds(list(one.values())) for one in each)
