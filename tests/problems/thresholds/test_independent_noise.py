"""BBKN13 section 5 and Observation 2.7: reconstructions, checked on every rule there is."""

import json
from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from tests.problems.thresholds.bbkn13_intervals_cases import ORIENTATIONS, RULES, SIZE, concepts

from tacit.core import BadInput, hypothesis_from_dict
from tacit.problems.formulas.k_term_dnf import CnfRule, KTermDnf
from tacit.problems.thresholds import reductions_upper as reductions
from tacit.problems.thresholds import thresholds_upper as threshold_bounds
from tacit.problems.thresholds.independent_noise import (
    IndependentNoiseLearner,
    mismatches,
    reconstruct,
)
from tacit.problems.thresholds.thresholds import Thresholds


@pytest.mark.parametrize("orientation", ORIENTATIONS)
def test_mismatches_and_reconstruction_by_brute_force(orientation):
    thresholds = Thresholds(size=SIZE, orientation=orientation)
    table = concepts(thresholds)
    for rule in RULES:
        counts = mismatches(rule, orientation=thresholds.orientation)
        assert {b: counts[b] for b in table} == {b: (table[b] != rule).sum() for b in table}
        boundary, only = reconstruct(rule, thresholds)
        least = min(counts[b] for b in table)
        nearest = [b for b in table if counts[b] == least]
        assert (boundary, only) == (nearest[0], len(nearest) == 1)


@pytest.mark.parametrize("noise", [Fraction(1, 50), Fraction(1, 10), Fraction(1, 4)])
def test_theorem_5_8_reconstruction_fails_with_at_most_four_times_the_noise(noise):
    size = 10
    thresholds = Thresholds(size=size, orientation="INTERVAL")
    everywhere = np.arange(size, dtype=np.uint64)
    flips = [np.array(rule, dtype=bool) for rule in product((False, True), repeat=size)]
    worst = Fraction(0)
    for boundary in range(size + 1):
        inner = thresholds.hypothesis(boundary).predict(everywhere)
        fail = sum(
            noise ** int(flip.sum()) * (1 - noise) ** int((~flip).sum())
            for flip in flips
            if reconstruct(inner ^ flip, thresholds) != (boundary, True)
        )
        worst = max(worst, fail)
    assert worst <= 4 * noise
    assert worst > 2 * noise, "half the bound would be too little"


def test_bounds_of_the_reductions():
    numbers = {"alpha": Fraction(1, 10), "beta": Fraction(1, 20), "epsilon": Fraction(1)}
    size = (1 << 10) + 1
    direct = threshold_bounds.exact_tail(size=size, **numbers).n
    blurred = reductions.independent_noise(size=size, **numbers)
    seen_through = reductions.reconstructed(size=size, **numbers)
    switched = reductions.interval_switch(size=size, points=1 << 10, **numbers)
    assert blurred.choices["noise"] == Fraction(1, 1600)
    assert seen_through.choices["noise"] == Fraction(1, 320)
    assert direct < seen_through.n < blurred.n < switched.n
    assert switched.choices["switches"] == 2 * 2 + 3
    assert reductions.tries_needed(Fraction(1, 20)) == 13
    with pytest.raises(BadInput):
        IndependentNoiseLearner(
            concept_class=Thresholds(bits=32), epsilon=Fraction(1), noise=Fraction(1, 100)
        )


def terms_over(variables):
    """Every conjunction of literals, as the set of rows on which it is 1."""
    rows = list(product((0, 1), repeat=variables))
    for pattern in product((0, 1, None), repeat=variables):
        yield frozenset(
            row
            for row in rows
            if all(p is None or p == v for p, v in zip(pattern, row, strict=True))
        )


@pytest.mark.parametrize(("variables", "terms"), [(3, 1), (3, 2), (2, 3), (4, 2)])
def test_observation_2_7_clauses_that_hold_on_the_formula_are_the_formula(variables, terms):
    formulas = KTermDnf(columns=variables, terms=terms)
    rows = np.array(list(product((0, 1), repeat=variables)))
    cells = formulas.domain.coerce(rows)
    single = sorted(set(terms_over(variables)), key=sorted)
    some = [frozenset()] + [
        frozenset().union(*choice)
        for k in range(1, terms + 1)
        for choice in combinations(single, k)
    ]
    for formula in set(some):
        ones = np.array([tuple(row) in formula for row in rows.tolist()])
        counts = formulas.false_counts(cells[ones], np.ones(ones.sum(), dtype=np.int64))
        assert counts.sum() == ones.sum() * (formulas.clauses >> formulas.width)
        kept = tuple(formulas.clause(i) for i in range(formulas.clauses) if counts[i] == 0)
        rule = CnfRule(domain=formulas.domain, clauses=kept)
        assert (rule.predict(rows) == ones).all()


def test_cnf_rules_read_well_and_come_back():
    formulas = KTermDnf(columns=3, terms=2)
    rule = CnfRule(domain=formulas.domain, clauses=((0b110, 0b010), (0b011, 0b000)))
    assert rule.describe() == "1 if (x1 or not x2) and (x2 or x3), else 0"
    assert rule.predict([[0, 1, 0], [0, 0, 0], [1, 1, 0]]).tolist() == [False, False, True]
    assert hypothesis_from_dict(json.loads(json.dumps(rule.to_dict()))) == rule
    assert CnfRule(domain=formulas.domain, clauses=()).predict([[0, 0, 0]]).tolist() == [True]
