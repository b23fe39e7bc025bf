"""Tests of ``tacit.theory.dimensions.named``."""

import numpy as np
import pytest

from tacit.theory.dimensions import communication, named, representation, vc, verify


def test_boxes_on_a_grid_have_vc_dimension_four_not_three():
    assert vc(named.boxes(6)).value == 4


def test_discs_and_halfplanes_on_the_three_grid_are_all_there():
    # counted by linear separability of all 512 patterns, with and without lifting
    assert len(named.halfspaces(3)) == 58
    assert len(named.balls(3)) == 108
    assert len(np.unique(np.vstack([named.balls(3), ~named.balls(3)]), axis=0)) == 158


@pytest.mark.parametrize(
    ("table", "alpha", "size"),
    [
        (named.points(4), "1/4", 4),
        (named.thresholds(3), "1/4", 4),
        (named.points(7), "1/4", 7),
        (named.thresholds(6), "1/4", 7),
        (named.points(8), "1/3", 6),
        (named.thresholds(7), "1/3", 6),
    ],
)
def test_deterministic_dimension(table, alpha, size):
    found = representation(table, alpha=alpha)
    assert (found.least, found.most) == (size, size)
    assert all(verify(witness, table) for witness in found.witnesses)


@pytest.mark.parametrize(("size", "least"), [(3, 3), (4, 3)])
def test_probabilistic_dimension_of_points(size, least):
    found = representation(named.points(size), alpha="1/4", beta="1/4")
    assert (found.least, found.most) == (least, least)
    assert all(verify(witness, named.points(size)) for witness in found.witnesses)


def test_public_coins_beat_private_ones_on_equality():
    public = communication(named.points(4), error="1/3")
    private = communication(named.points(4), error="1/3", coins="private")
    assert (public.value, private.value) == (1, 2)
    assert all(
        verify(witness, named.points(4)) for witness in (*public.witnesses, *private.witnesses)
    )
