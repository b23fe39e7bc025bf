"""Trees of four levels: the law against a plain recursion, and privacy, exactly."""

from fractions import Fraction

import numpy as np
import pytest
from tests.complete import complete
from tests.problems.tables.table_deep_cases import ROWS, SCHEMA, TINY, functions, placed

from tacit.core import BadInput
from tacit.domains import Schema
from tacit.exact.balls import at, ball
from tacit.problems.tables.deep_trees import DeepTrees
from tacit.problems.tables.tree_weights import Weigher
from tacit.problems.tables.trees import Trees

pytestmark = pytest.mark.exact


def test_the_sum_over_all_trees_of_four_levels():
    rate = Fraction(2, 3)
    with at(256):
        for trees in (Trees(SCHEMA, depth=3), DeepTrees(SCHEMA)):
            weigher = Weigher(trees, rate)
            found = weigher.total(weigher.root(*placed(ROWS)), trees.depth)
            stated = sum(functions(ROWS, trees.depth, rate).values(), ball(0))
            assert abs(found / stated - 1) < TINY


@pytest.mark.parametrize("n", [0, 1, 40, 700])
def test_float_weights_of_four_levels_stay_within_their_proved_error(n):
    rng = np.random.default_rng(n)
    schema = complete([("a", "b", "c"), bool])
    x = [("abc"[rng.integers(3)], bool(rng.integers(2))) for _ in range(n)]
    x = x or np.empty((0, 2), dtype=object)
    weigher = Weigher(DeepTrees(schema), Fraction(3, 2))
    root = weigher.root(schema.coerce(x), rng.integers(0, 2, n).astype(bool))
    m, z = weigher.choices(root, 4)
    bound = Fraction(weigher.relative_error(4))
    assert bound < Fraction(1, 10**9)
    with at(400):
        for mistakes, value, true in zip(
            m.tolist(), z.tolist(), weigher.balls(root, 4), strict=True
        ):
            ratio = ball(Fraction(value)) * (-ball(Fraction(3, 2)) * mistakes).exp() / true
            assert abs(ratio - 1) < ball(bound)


def test_what_is_admitted_has_the_error_that_the_proof_states():
    for schema in (
        complete([range(2)] * 52),
        Schema.of([range(16)] * 6),
        Schema.of([range(12)] * 8),
    ):
        assert DeepTrees.can_be_weighed(schema, None)
        assert Weigher(DeepTrees(schema), Fraction(1)).relative_error(4) < 1e-11
    assert not DeepTrees.can_be_weighed(Schema.of([range(16)] * 6 + [bool]), None)
    assert not DeepTrees.can_be_weighed(complete([range(9)] * 10), 10**9)
    # A quarter of a minute at 200 000 records on two cores, and linear from there on.
    assert DeepTrees.can_be_weighed(Schema.of([range(16)] * 6), 200_000)
    assert not DeepTrees.can_be_weighed(Schema.of([range(16)] * 6), 2_000_000)
    with pytest.raises(BadInput, match="depth"):
        DeepTrees(SCHEMA, depth=5)
