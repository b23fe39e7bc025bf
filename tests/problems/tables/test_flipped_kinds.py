"""Tests of ``tacit.problems.tables.flipped_kinds``."""

import json
from fractions import Fraction

import numpy as np
import pytest
from tests.problems.tables.table_kinds_cases import RECORDS, SCHEMA, by_flips, flipped

from tacit import Ledger, run
from tacit.checks.audit import law
from tacit.checks.testing import neighbours, seeded
from tacit.core import BadInput, Relation, Sample
from tacit.problems.tables.flipped_kinds import FlippedKinds
from tacit.problems.tables.trees import TreeRule, Trees

pytestmark = pytest.mark.exact


def test_lists_alone_have_the_law_of_permute_and_flip():
    """The enumerated law is the definition's; copies count."""
    assert min(flipped().copies) == 1
    for made in (flipped(), flipped(shares=(Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)))):
        for records in ([(0, 1), (1, 0), (1, 0)], [(0, 0), (1, 1)], [(0, 0)] * 3, []):
            x = np.array([v for v, _ in records], dtype=object).reshape(-1, 1)
            found = law(made, Sample(x, np.array([y for _, y in records], dtype=int)))
            masses: dict = {}
            for key, mass in found.masses.items():
                rule = json.dumps(found.values.get(key, key).to_dict())
                masses[rule] = masses.get(rule, 0.0) + float(mass)
            said = by_flips(made, records)
            assert said.keys() >= masses.keys()
            assert all(abs(masses.get(rule, 0.0) - said[rule]) < 1e-9 for rule in said)


@pytest.mark.parametrize("relation", Relation)
def test_lists_alone_are_exactly_epsilon_private(relation):
    made = flipped(relation=relation)
    worst = 0.0
    for left, right in neighbours(RECORDS, 2, relation):
        one, other = by_flips(made, left), by_flips(made, right)
        worst = max(worst, *(abs(np.log(one[rule] / other[rule])) for rule in one))
    assert 0.2 < worst < 1 + 1e-9


def test_copies_of_lists_alone_follow_their_shares():
    """A sampler that forgot the copies has another law."""
    made = flipped(shares=(Fraction(8, 10), Fraction(1, 10), Fraction(1, 10)), epsilon=Fraction(1))
    records = [(0, 1), (1, 0)]
    key = json.dumps(TreeRule(schema=SCHEMA, root=True).to_dict())
    right, wrong = by_flips(made, records)[key], by_flips(flipped(), records)[key]
    x = np.array([[0], [1]], dtype=object)
    rng, book, draws = seeded("copies"), Ledger.memory(), 2000
    found = [
        run(made, Sample(x, np.array([1, 0])), ledger=book, rng=rng).value for _ in range(draws)
    ]
    share = sum(json.dumps(rule.to_dict()) == key for rule in found) / draws
    spread = 4 * (0.25 / draws) ** 0.5
    assert abs(share - right) < spread
    assert abs(share - wrong) > spread
    with pytest.raises(BadInput, match="only constant labels"):
        FlippedKinds(
            schema=SCHEMA,
            trees=(Trees(SCHEMA, depth=1),),
            lists=(),
            shares=(1,),
            epsilon=Fraction(1),
        )
