"""CH11's lower bounds in the planner: what no number of records can do, and packings."""

from fractions import Fraction as F

import pytest

from tacit.classes import Halfspaces, RealBoxes, RealIntervals, RealThresholds
from tacit.core import Accuracy, Privacy, Task
from tacit.domains import band, uniform_cube, uniform_sphere
from tacit.planner import plan
from tacit.problems.reals.covers_lower import (
    halfspace_packing,
    packed_halfspaces,
    small_intervals,
)

pytestmark = pytest.mark.exact


def _task(concepts, **more):
    privacy = Privacy(
        more.pop("epsilon", 1), more.pop("delta", 0), more.pop("relation", "replace-one")
    )
    return Task(concepts, privacy=privacy, accuracy=Accuracy("0.05", "0.05"), **more)


@pytest.mark.parametrize(
    "concepts", [RealThresholds(), RealBoxes(columns=2), Halfspaces(columns=3)]
)
def test_no_number_suffices_for_pure_privacy_and_any_features(concepts):
    found = plan(_task(concepts))
    assert found.best is None
    assert found.lower_bounds[0].bound.impossible
    assert "No number of records suffices" in found.explain()
    assert "no number" in str(found)
    assert found.to_dict()["lower_bounds"][0]["n"] is None
    for other in ({"relation": "label"}, {"delta": "1e-6"}):
        assert not any(b.bound.impossible for b in plan(_task(concepts, **other)).lower_bounds)


def test_known_features_have_a_floor_below_what_suffices():
    for concepts, marginal in (
        (RealThresholds(), uniform_cube()),
        (RealThresholds(), uniform_cube(kappa=3)),
        (Halfspaces(columns=3), uniform_sphere(columns=3)),
    ):
        for epsilon in (F(1, 10), F(1)):
            found = plan(_task(concepts, marginal=marginal, epsilon=epsilon))
            assert found.lower_bounds
            assert 1 <= found.lower_bounds[0].n <= found.best.n
    assert not plan(
        _task(Halfspaces(columns=3), marginal=band(columns=3, gamma=F(1, 3)))
    ).lower_bounds


def test_halfspaces_need_more_in_more_dimensions():
    asked = {"alpha": F(1, 100), "beta": F(1, 20), "epsilon": F(1)}
    numbers = [packed_halfspaces(dimension=d, **asked).n for d in (3, 10, 20, 40)]
    assert numbers == sorted(numbers)
    assert numbers[-1] > 2 * numbers[1] > 100
    assert halfspace_packing(dimension=10, radius=F(1, 100)) == 512


def test_small_intervals_are_packed_and_bind_under_label_privacy():
    """The members as they are in the proof, and what the planner says of them."""
    alpha = F(1, 100)
    many = -(-1 // alpha) - 1
    length = F(1, many)
    assert length > alpha  # disjoint, so any two disagree on twice as much
    found = small_intervals(alpha=alpha, beta=F(1, 20), epsilon=F(1))
    assert found.n == 486
    for family in (RealIntervals(), RealBoxes(columns=2)):
        task = Task(
            family,
            privacy=Privacy(1, relation="label"),
            accuracy=Accuracy("0.01", "0.05"),
            marginal="uniform",
        )
        answer = plan(task)
        assert answer.lower_bounds[0].name == "small intervals"
        assert answer.best is None or answer.best.n >= answer.lower_bounds[0].n
    assert small_intervals(alpha=F(9, 10), beta=F(1, 20), epsilon=F(1)).n == 1
