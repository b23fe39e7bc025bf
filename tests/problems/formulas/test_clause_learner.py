"""Tests of ``tacit.problems.formulas.clause_learner``."""

import numpy as np
import pytest
from tests.mechanisms.bbkn13_privacy_cases import records, sample

from tacit.core import Relation
from tacit.problems.formulas.clause_learner import FalseClauses
from tacit.problems.formulas.k_term_dnf import KTermDnf

pytestmark = pytest.mark.exact


@pytest.mark.parametrize("relation", list(Relation))
@pytest.mark.parametrize(("variables", "terms"), [(2, 1), (3, 2), (2, 3)])
def test_clause_counts_move_by_their_sensitivity(relation, variables, terms):
    query = FalseClauses(KTermDnf(columns=variables, terms=terms))
    entries = records(1 << variables)
    counts = {entry: np.array(query(sample([entry])), dtype=object) for entry in entries}
    nothing = np.array(query(sample([])), dtype=object)
    moves = {
        Relation.ADD_REMOVE: [(counts[a], nothing) for a in entries],
        Relation.LABEL: [(counts[(x, 0)], counts[(x, 1)]) for x in range(1 << variables)],
        Relation.REPLACE_ONE: [(counts[a], counts[b]) for a in entries for b in entries],
    }[relation]
    assert max(abs(a - b).sum() for a, b in moves) == query.sensitivity(relation)
