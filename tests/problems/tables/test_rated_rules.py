"""Rules with rates, one or several: found, taken off, and nowhere else."""

from fractions import Fraction

import pytest

from tacit.core import BadInput, Label, NamedRule
from tacit.domains.schema import Schema
from tacit.problems.several.rules import Rules
from tacit.problems.tables.rated_rule import RatedRule
from tacit.problems.tables.rated_rules import hidden_rates, rated_rules, reach_of, without_rates
from tacit.problems.tables.trees import TreeRule

BARE = TreeRule(schema=Schema.of({"age": (0, 2)}, bins=2), root=True)


def rated(scale=2):
    return RatedRule(rule=BARE, positives=(3,), others=(4,), scale=Fraction(scale))


def named(rule):
    return NamedRule(rule=rule, label=Label(name="a"))


def test_rates_are_found_and_taken_off():
    one, two = rated(), Rules(rules=(named(rated()), rated()))
    assert rated_rules(BARE) == rated_rules(Rules(rules=(BARE, named(BARE)))) == ()
    assert rated_rules(one) == (one,)
    assert rated_rules(two) == (one, one)
    assert without_rates(one) == without_rates(BARE) == BARE
    assert without_rates(two) == Rules(rules=(named(BARE), BARE))


def test_all_of_several_rules_have_rates_with_equal_noise():
    for other in (BARE, rated(3)):
        with pytest.raises(BadInput, match="equal noise, or none"):
            rated_rules(Rules(rules=(rated(), other)))


def test_all_numbers_of_all_rules_are_near_at_once():
    beta = Fraction(1, 20)
    assert reach_of((rated(),), beta) == rated().reach(beta)
    assert reach_of((rated(), rated()), beta) == rated().reach(beta / 2) > rated().reach(beta)


def test_rates_are_on_the_outside_of_each_rule():
    for sound in (BARE, rated(), Rules(rules=(rated(), named(rated())))):
        assert not hidden_rates(sound.to_dict())
    inner = rated().to_dict() | {"rule": rated().to_dict()}
    for bad in (inner, named(rated()).to_dict(), {"kind": "majority", "rules": [inner["rule"]]}):
        for rule in (bad, {"kind": "rules", "rules": [named(BARE).to_dict() | {"rule": bad}]}):
            assert hidden_rates(rule)
