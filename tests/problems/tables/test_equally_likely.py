"""Lists of equally likely rules: every rule of a list has its prior, any other has none."""

from dataclasses import replace

import numpy as np
import pytest
from tests.problems.tables.test_scores import verify_record

from tacit import Ledger
from tacit.accounting import About
from tacit.domains import Schema
from tacit.estimators import BoxClassifier, ConjunctionClassifier, IntervalClassifier
from tacit.problems.marginals.unequal_rules import UnequalRules
from tacit.problems.tables.clauses import Formulas
from tacit.problems.tables.informed import KnownRules
from tacit.problems.tables.products import Boxes, Conjunctions, Intervals, ProductRule
from tacit.problems.tables.short_lists import FewCuts, Totals
from tacit.problems.tables.trees import TreeRule, Trees
from tacit.report.release_file import release_record

SCHEMA = Schema.of({"a": (0, 3), "b": ["x", "y", "z"], "c": bool}, bins=3)
DEEP = Trees(SCHEMA, depth=2)
FAMILIES = [
    Intervals(SCHEMA),
    Intervals(SCHEMA, chosen=((0,), (2,))),
    Boxes(SCHEMA),
    Boxes(SCHEMA, chosen=((0, 1),)),
    Conjunctions(SCHEMA),
    *(Formulas(SCHEMA, form=form, clauses=many) for form in ("cnf", "dnf") for many in (1, 2)),
    Formulas(SCHEMA, chosen=((0, 2),)),
    FewCuts(SCHEMA),
    Totals(SCHEMA),
    UnequalRules(Intervals(SCHEMA)),
    UnequalRules(Trees(SCHEMA, depth=1)),
]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda one: one.describe()[:40])
def test_every_rule_of_a_list_has_its_prior(family):
    rules = [family.hypothesis(one) for one in range(0, family.size, max(1, family.size // 500))]
    assert len(rules) >= 5
    assert {family.prior(rule) for rule in rules} == {family.least_prior()}


@pytest.mark.parametrize("family", FAMILIES, ids=lambda one: one.describe()[:40])
def test_a_rule_of_another_kind_has_no_prior(family):
    assert family.prior(_deep()) == 0


def _deep():
    """A tree of two levels that is no rule of any of these lists."""
    low, high = DEEP.cuts[0], DEEP.cuts[-1]
    return TreeRule(schema=SCHEMA, root=(low, (high, False, True), (high, True, False)))


def test_conditions_outside_a_list_have_no_prior():
    box = next(
        rule
        for rule in map(Boxes(SCHEMA).hypothesis, range(Boxes(SCHEMA).size))
        if len(rule.conditions) == 2 and rule.conditions[0].column == 0
    )
    first, second = box.conditions
    assert Boxes(SCHEMA).has(box)
    assert Boxes(SCHEMA).has(replace(box, inside=not box.inside))
    for changed in (
        (second, first),  # the columns of a rule ascend
        (first, first),
        (),
        (replace(first, outside=not first.outside), second),
        (first, second, replace(first, column=2, first=0, last=0)),
    ):
        assert not Boxes(SCHEMA).has(ProductRule(schema=SCHEMA, conditions=changed, inside=True))
    assert not Intervals(SCHEMA).has(box)
    assert not Boxes(SCHEMA, chosen=((1, 2),)).has(box)
    middle = ProductRule(schema=SCHEMA, conditions=(replace(first, first=1, last=1),), inside=True)
    assert Intervals(SCHEMA).has(middle)
    assert not Conjunctions(SCHEMA).has(middle)  # one-sided ranges alone


def test_clauses_outside_a_list_have_no_prior():
    one, two = Formulas(SCHEMA, clauses=1), Formulas(SCHEMA, clauses=2)
    rules = map(two.hypothesis, range(two.size - 1, 0, -1))
    pair = next(rule for rule in rules if len(rule.clauses) == 2)
    assert two.has(replace(pair, clauses=pair.clauses[::-1]))  # the same function
    assert not one.has(pair)
    assert not Formulas(SCHEMA, form="dnf").has(pair)
    assert not two.has(replace(pair, clauses=(pair.clauses[0], pair.clauses[0])))
    atom = pair.clauses[0][0]
    assert not two.has(replace(pair, clauses=((atom, atom, atom),)))
    assert not two.has(replace(pair, clauses=((replace(atom, first=0, last=9),),)))


def test_public_rules_have_their_prior_and_others_none():
    known = KnownRules(SCHEMA, (_deep(),))
    assert known.prior(_deep()) == 1
    assert known.prior(TreeRule(schema=SCHEMA, root=True)) == 0


@pytest.mark.parametrize("model", [BoxClassifier, ConjunctionClassifier, IntervalClassifier])
def test_a_release_whose_rule_is_a_tree_does_not_verify(model, tmp_path):
    rng = np.random.default_rng(1)
    x = rng.random((300, 2))
    fitted = model(domain=(0, 1), bins=4, epsilon=1, ledger=Ledger.memory(epsilon=1))
    release = fitted.fit(x, (x[:, 0] > 0.5).astype(int)).release_
    told = release_record(release, about=About(), counted=True)
    assert verify_record(told, tmp_path / "own.json")
    schema = Schema.of(told["rule"]["schema"])
    cuts = Trees(schema, depth=2).cuts
    deep = TreeRule(schema=schema, root=(cuts[0], (cuts[-1], False, True), True))
    told["rule"] = deep.to_dict()
    assert not verify_record(told, tmp_path / "other.json")
