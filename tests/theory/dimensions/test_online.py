"""Tests of ``tacit.theory.dimensions.online``."""

from itertools import product

import pytest

from tacit.theory.dimensions import (
    littlestone,
    named,
)

pytestmark = pytest.mark.property


def test_the_standard_learner_never_exceeds_the_dimension():
    from tacit.theory.dimensions import StandardOptimal

    for table in (named.thresholds(6), named.intervals(4), named.lines(3)):
        limit = littlestone(table).value
        for target in table:
            for order in (range(table.shape[1]), range(table.shape[1] - 1, -1, -1)):
                learner, mistakes = StandardOptimal(table), 0
                for x in order:
                    mistakes += learner.predict(x) != target[x]
                    learner.learn(x, int(target[x]))
                assert mistakes <= limit


def test_augmented_index_is_answered_by_the_class():
    from tacit.theory.dimensions import AugmentedIndex

    table = named.boxes(3)
    tree = littlestone(table).witness
    game = AugmentedIndex(tree=tree)
    for bits in product((0, 1), repeat=tree.depth):
        for i in range(tree.depth):
            assert table[game.concept(bits), game.point(bits[:i])] == bits[i]
