"""Values that are known by proof, and the shape of what is returned."""

from fractions import Fraction

import numpy as np
import pytest

from tacit.classes import Points, Table, Thresholds
from tacit.core import BadInput, NumericalDoubt
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
        Lines(5),
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


def test_a_class_that_is_too_large_is_not_written_out():
    with pytest.raises(BadInput, match="too large"):
        vc(Thresholds(bits=64))


def test_boxes_on_a_grid_have_vc_dimension_four_not_three():
    assert vc(named.boxes(6)).value == 4


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
    assert all(verify(certificate, table) for certificate in found.certificates)


def test_littlestone_can_exceed_the_deterministic_dimension():
    table = named.thresholds(7)
    assert representation(table, alpha="1/3").value < littlestone(table).value == 3


@pytest.mark.parametrize(("size", "least"), [(3, 3), (4, 3)])
def test_probabilistic_dimension_of_points(size, least):
    found = representation(named.points(size), alpha="1/4", beta="1/4")
    assert (found.least, found.most) == (least, least)
    assert all(verify(certificate, named.points(size)) for certificate in found.certificates)


def test_public_coins_beat_private_ones_on_equality():
    public = communication(named.points(4), error="1/3")
    private = communication(named.points(4), error="1/3", coins="private")
    assert (public.value, private.value) == (1, 2)
    assert all(
        verify(certificate, named.points(4))
        for certificate in (*public.certificates, *private.certificates)
    )


def test_no_time_gives_a_proved_interval():
    table = named.boxes(6)
    found = littlestone(table, time_limit=0)
    assert (found.lower, found.upper) == (0, 8)
    assert verify(found.certificate, table)
    with pytest.raises(NumericalDoubt, match="time_limit"):
        _ = found.value
    assert vc(table, time_limit=0).decided is False
    open_ = representation(table, alpha="1/3", time_limit=0)
    assert (open_.least, open_.most, open_.certificates) == (1, len(table), ())
    small = named.boxes(3)
    for found in (
        representation(small, alpha="1/3", time_limit=0),
        representation(small, alpha="1/3", beta="1/3", time_limit=0),
        communication(small, error="1/3", time_limit=0),
        communication(small, error="1/3", coins="private", time_limit=0),
    ):
        assert not found.decided
        assert all(verify(certificate, small) for certificate in found.certificates)


def test_the_empty_class_and_a_single_concept():
    assert (vc(np.zeros((0, 3))).value, littlestone(np.zeros((0, 3))).value) == (-1, -1)
    assert (vc([[0, 1]]).value, littlestone([[0, 1]]).value) == (0, 0)
    assert representation([[0, 1]], alpha="1/3").least == 1
    assert communication([[0, 1]], error="1/3").value == 0


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
        assert all(verify(certificate, twice) for certificate in again.certificates)


def test_a_csv_file_may_have_a_heading_and_names(tmp_path):
    file = tmp_path / "class.csv"
    file.write_text("concept,a,b\nfirst,0,1\nsecond,1,1\n")
    assert read(file).rows == (2, 3)
    file.write_text("0,1\n1,1\n")
    assert read(file).rows == (2, 3)
    file.write_text("0,1\n1\n")
    with pytest.raises(BadInput, match="equally long"):
        read(file)
    with pytest.raises(BadInput, match="cannot read"):
        read(tmp_path / "missing.csv")


@pytest.mark.parametrize("bad", [[[0, 2]], [0, 1], "", [[0], [1, 0]], None])
def test_what_is_not_a_table_is_refused(bad):
    with pytest.raises(BadInput):
        vc(bad)


@pytest.mark.parametrize("alpha", [0, 1, -1, "x", True])
def test_bad_errors_are_refused(alpha):
    with pytest.raises(BadInput):
        representation([[0, 1], [1, 0]], alpha=alpha)
    with pytest.raises(BadInput):
        communication([[0, 1], [1, 0]], error=alpha)


def test_numbers_are_read_exactly():
    assert representation([[0, 1], [1, 0]], alpha=0.1).certificate.alpha == Fraction(1, 10)
