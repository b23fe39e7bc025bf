"""Communication under a law: against all protocols, against public coins, and on product laws."""

from fractions import Fraction
from itertools import product
from math import ceil, log2

import numpy as np
import pytest

import tacit
from tacit.core import BadInput
from tacit.theory.dimensions.distributional import (
    distributional,
    product_law,
    shattered_law,
    table_labels,
)

pytestmark = pytest.mark.exact


def brute(labels, law, messages):
    """The least error over all maps from concepts to messages, Bob answering best."""
    best = Fraction(1)
    for sent in product(range(messages), repeat=len(labels)):
        error = Fraction(0)
        for m in range(messages):
            for x in range(len(labels[0])):
                mass = [Fraction(0), Fraction(0)]
                for f, message in enumerate(sent):
                    if message == m:
                        mass[labels[f][x]] += law[f][x]
                error += min(mass)
        best = min(best, error)
    return best


def test_the_fewest_messages_over_all_protocols():
    rng = np.random.default_rng(3)
    for _ in range(25):
        labels = rng.integers(0, 2, (4, 3))
        weights = rng.integers(0, 5, (4, 3)) + np.eye(4, 3, dtype=int)
        law = [[Fraction(int(w), int(weights.sum())) for w in row] for row in weights]
        for error in (Fraction(0), Fraction(1, 10), Fraction(1, 4)):
            found = distributional(labels, law, error=error)
            assert found.error <= error
            assert brute(table_labels(labels), law, found.messages) == found.error
            if found.messages > 1:
                assert brute(table_labels(labels), law, found.messages - 1) > error


def test_no_law_needs_more_than_public_coins():
    for labels in (np.eye(4, dtype=int), np.tril(np.ones((4, 4), dtype=int))):
        coins = tacit.dimensions.communication(labels, error="1/4")
        rng = np.random.default_rng(4)
        for _ in range(20):
            weights = rng.integers(1, 9, labels.shape)
            law = [[Fraction(int(w), int(weights.sum())) for w in row] for row in weights]
            # Yao: some fixing of the coins errs no more under the law.
            assert distributional(labels, law, error="1/4").bits <= coins.most


def test_a_shattered_set_is_hard_under_a_product_law():
    cube = list(product((0, 1), repeat=3))
    law = shattered_law(cube, (0, 1, 2))
    for error in (Fraction(0), Fraction(1, 10), Fraction(1, 6)):
        entropy = 0.0
        if error:
            e = float(error)
            entropy = -(e * log2(e) + (1 - e) * log2(1 - e))
        assert distributional(cube, law, error=error).bits >= ceil((1 - entropy) * 3 - 1e-9)
    assert distributional(cube, law, error=Fraction(1, 2)).messages == 1
    with pytest.raises(BadInput, match="not shattered"):
        shattered_law(np.eye(3), (0, 1))


def test_bad_laws_are_refused():
    with pytest.raises(BadInput, match="sum to 1"):
        distributional(np.eye(2), [["1/2", 0], [0, 0]], error=0)
    with pytest.raises(BadInput, match="a row for each"):
        distributional(np.eye(2), [["1/2", "1/2"]], error=0)
    assert product_law(["1/2", "1/2"], [1])[0][0] == Fraction(1, 2)
