"""Tests of ``tacit.bounds.lower.communication``."""

from fractions import Fraction as F
from math import ceil, log

import pytest
from tests.problems.several.bounds_theorems_cases import A, B, E

from tacit.bounds.lower import communication, shattered

pytestmark = pytest.mark.exact


def test_messages_and_the_branch_that_supersedes_them():
    e = 1 / 3
    entropy = -(e * log(e) + (1 - e) * log(1 - e)) / log(2)
    assert communication.message_bits(littlestone=64, error=F(1, 3)) == ceil((1 - entropy) * 64)
    for d in (16, 64, 500):
        old = communication.through_messages(littlestone=d, alpha=A, beta=B, epsilon=E).n
        assert old <= shattered.branch(dimension=d, alpha=A, beta=B, epsilon=E).n
    assert communication.class_table(name="halfspaces", bits=4, dimension=3)["littlestone"] == 12
    assert communication.class_table(name="balls", bits=4, dimension=3) == {
        "littlestone": 12,
        "vc": 4,
    }
