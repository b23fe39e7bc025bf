"""What every registered mechanism must fulfil; a new file joins by existing."""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from tacit.checks.testing.contract import check_mechanism, check_mechanism_class
from tacit.classes import Points, Table, Thresholds
from tacit.core import Relation, Sample
from tacit.core.registry import mechanisms
from tacit.domains import Integers
from tacit.mechanisms import Exponential, Geometric, Mistakes, PermuteAndFlip
from tacit.problems.finite.finite_class import FiniteClassLearner
from tacit.problems.points.hashed import HashedPointLearner

SECRET = 8_675_309
EPSILON = Fraction(1, 2)


@pytest.mark.parametrize("cls", mechanisms(), ids=lambda cls: cls.__qualname__)
def test_the_class_keeps_the_contract(cls):
    check_mechanism_class(cls)


def _samples():
    """Ordinary, empty, lone, constant, contradictory and hostile records."""
    return [
        Sample(np.array([SECRET, 3, 5]), np.array([1, 0, 1])),
        Sample(np.array([], dtype=np.int64), np.array([], dtype=np.int64)),
        Sample(np.array([SECRET]), np.array([1])),
        Sample(np.array([SECRET] * 6), np.zeros(6, dtype=int)),
        Sample(np.array([SECRET] * 6), np.array([0, 1] * 3)),
        Sample([SECRET, None, "x", float("nan"), -1, 2**80], [1, None, "no", float("inf"), 1, 0]),
        Sample(np.array([np.inf, -np.inf, np.nan, SECRET]), np.array([True, False, True, True])),
    ]


@dataclass(frozen=True)
class Total:
    unit = Fraction(1)

    def __call__(self, data):
        return (Fraction(int(np.count_nonzero(np.asarray(data.x, dtype=object) == SECRET))),)

    def sensitivity(self, relation):
        return Fraction(1)


CLASSES = {
    "points": Points(bits=40),
    "thresholds": Thresholds(bits=64),
    "big thresholds": Thresholds(bits=1000, orientation="THRESH"),
    "table": Table(np.eye(5)),
}


@pytest.mark.parametrize("relation", Relation)
@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("kind", [Exponential, PermuteAndFlip])
def test_selections(kind, name, relation):
    mechanism = kind(score=Mistakes(CLASSES[name]), epsilon=EPSILON, relation=relation)
    check_mechanism(mechanism, _samples(), secret=str(SECRET))


@pytest.mark.parametrize("relation", Relation)
@pytest.mark.parametrize("selector", ["exponential", "permute-and-flip"])
@pytest.mark.parametrize("name", CLASSES)
def test_the_finite_class_learner(name, selector, relation):
    learner = FiniteClassLearner(
        concept_class=CLASSES[name], epsilon=EPSILON, relation=relation, selector=selector
    )
    check_mechanism(learner, _samples(), secret=str(SECRET))


@pytest.mark.parametrize("bits", [16, 64, 1000])
def test_the_hashed_point_learner(bits):
    learner = HashedPointLearner(domain=Integers(bits=bits), bits=5, hashes=3, epsilon=EPSILON)
    check_mechanism(learner, _samples(), secret=str(SECRET))


@pytest.mark.parametrize("grid", [Fraction(1), Fraction(1, 8), Fraction(3)])
def test_geometric_noise(grid):
    mechanism = Geometric(query=Total(), epsilon=EPSILON, grid=grid)
    check_mechanism(mechanism, _samples(), secret=str(SECRET))


def test_the_check_can_fail():
    """A mechanism that remembers, or whose event looks at the data, does not pass."""

    @dataclass(frozen=True, kw_only=True)
    class Remembers(FiniteClassLearner):
        seen: tuple = ()

        def _release(self, data, *, rng):
            object.__setattr__(self, "seen", (*self.seen, len(data)))
            return FiniteClassLearner._release(self, data, rng=rng)

    leaky = Remembers(concept_class=CLASSES["points"], epsilon=EPSILON)
    with pytest.raises(AssertionError, match="leave nothing"):
        check_mechanism(leaky, _samples(), secret=str(SECRET))

    @dataclass(kw_only=True)
    class Melted(FiniteClassLearner.__mro__[1]):
        CLAIM = FiniteClassLearner.CLAIM

        def event(self):
            raise NotImplementedError

        def _release(self, data, *, rng):
            raise NotImplementedError

    with pytest.raises(AssertionError, match="frozen"):
        check_mechanism_class(Melted)
