"""Verifiers of shattered sets, trees, bounds and thresholds: each change is found."""

from dataclasses import replace

import pytest
from tests.theory.dimensions.checks.combinatorial_cases import EMBEDDED, STEPS

from tacit.theory.dimensions.checks.combinatorial import CHECKS
from tacit.theory.dimensions.incidence import read
from tacit.theory.dimensions.witnesses import (
    MistakeBound,
    MistakeTree,
    ShatteredSet,
)

EVERY = read([[x >> i & 1 for i in range(2)] for x in range(4)])

SHATTERED = ShatteredSet(digest="", points=(0, 1), witnesses=(0, 1, 2, 3))

TREE = MistakeTree(digest="", points=(0, 1, 1), leaves=(0, 2, 1, 3))

BOUND = MistakeBound(digest="", sets=("f",), limits=(2,))


@pytest.mark.parametrize(
    ("right", "table"), [(SHATTERED, EVERY), (TREE, EVERY), (BOUND, EVERY), (EMBEDDED, STEPS)]
)
def test_a_true_witness_passes(right, table):
    assert CHECKS[type(right)](right, table) is None


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (replace(SHATTERED, points=(0, 2)), "does not exist"),
        (replace(SHATTERED, witnesses=(0, 1, 2)), "each labelling"),
        (replace(SHATTERED, witnesses=(0, 1, 3, 2)), "labels it stands for"),
        (replace(TREE, leaves=(0, 2, 1)), "not complete"),
        (replace(TREE, leaves=(2, 0, 1, 3)), "contradicts"),
        (replace(TREE, leaves=(0, 2, 1, 4)), "does not exist"),
        (replace(BOUND, limits=(1,)), "does not follow"),
        (replace(BOUND, sets=("7",)), "whole class"),
        (replace(BOUND, sets=("zz",)), "hexadecimal"),
        (replace(BOUND, sets=("ff",)), "does not exist"),
        (replace(BOUND, limits=()), "one limit"),
    ],
)
def test_a_wrong_one_is_refused_with_its_reason(wrong, reason):
    assert reason in CHECKS[type(wrong)](wrong, EVERY)
