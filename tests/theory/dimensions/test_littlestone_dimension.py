"""Tests of ``tacit.theory.dimensions.littlestone_dimension``."""

import numpy as np
import pytest

from tacit.classes import Points, Table, Thresholds
from tacit.core import NumericalDoubt
from tacit.problems.lines.lines import Lines
from tacit.problems.parities.parities import Parities
from tacit.theory.dimensions import communication, littlestone, named, representation, vc, verify
from tacit.theory.dimensions.incidence import read


@pytest.mark.parametrize("b", range(1, 7))
def test_thresholds_on_two_to_the_b_points(b):
    table = named.thresholds(2**b)
    assert (vc(table).value, littlestone(table).value) == (1, b)


@pytest.mark.parametrize("p", [2, 3, 5, 7, 11])
def test_lines_have_littlestone_dimension_two(p):
    assert littlestone(named.lines(p)).value == 2


@pytest.mark.parametrize(
    "concepts",
    [
        Thresholds(bits=4),
        Thresholds(size=9, orientation="<="),
        Points(bits=3),
        Parities(bits=3),
        Lines(size=5),
        Table(named.thresholds(5)),
    ],
    ids=lambda concepts: concepts.describe(),
)
def test_classes_are_written_out(concepts):
    assert read(concepts).concepts == concepts.size
    assert read(concepts).points == concepts.domain.size
    if not isinstance(concepts, Table):
        assert (vc(concepts).value, littlestone(concepts).value) == (
            concepts.vc,
            concepts.littlestone,
        )


@pytest.mark.parametrize(
    ("family", "sizes"),
    [
        ("points", (2,)),
        ("points", (9,)),
        ("thresholds", (10,)),
        ("intervals", (9,)),
        ("boxes", (4,)),
        ("halfspaces", (3,)),
        ("balls", (3,)),
        ("lines", (5,)),
        ("parities", (4,)),
        ("conjunctions", (4,)),
        ("one_way_sequences", (3,)),
    ],
)
def test_closed_forms_agree_with_the_search(family, sizes):
    known = named.FORMULAS[family]
    table = known.table(*sizes)
    assert known.vc(*sizes) in (None, vc(table).value)
    assert known.littlestone(*sizes) in (None, littlestone(table).value)
    assert littlestone(table).value >= known.littlestone_at_least(*sizes)


def test_littlestone_can_exceed_the_deterministic_dimension():
    table = named.thresholds(7)
    assert representation(table, alpha="1/3").value < littlestone(table).value == 3


def test_no_time_gives_a_proved_interval():
    table = named.boxes(6)
    found = littlestone(table, time_limit=0)
    assert (found.lower, found.upper) == (0, 8)
    assert verify(found.witness, table)
    with pytest.raises(NumericalDoubt, match="time_limit"):
        _ = found.value
    assert vc(table, time_limit=0).decided is False
    open_ = representation(table, alpha="1/3", time_limit=0)
    assert (open_.least, open_.most, open_.witnesses) == (1, len(table), ())
    small = named.boxes(3)
    for found in (
        representation(small, alpha="1/3", time_limit=0),
        representation(small, alpha="1/3", beta="1/3", time_limit=0),
        communication(small, error="1/3", time_limit=0),
        communication(small, error="1/3", coins="private", time_limit=0),
    ):
        assert not found.decided
        assert all(verify(witness, small) for witness in found.witnesses)


def test_duplicate_concepts_and_points_change_nothing():
    table = named.thresholds(3)
    twice = np.hstack([table, ~table, table[:, :1]])[[0, 0, 1, 2, 3, 3]]
    for found, again in (
        (vc(table), vc(twice)),
        (littlestone(table), littlestone(twice)),
        (representation(table, alpha="1/3"), representation(twice, alpha="1/3")),
        (communication(table, error="1/4"), communication(twice, error="1/4")),
    ):
        assert found.value == again.value
        assert all(verify(witness, twice) for witness in again.witnesses)
