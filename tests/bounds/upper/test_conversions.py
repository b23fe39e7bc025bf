"""Tests of ``tacit.bounds.upper.conversions``."""

import pytest
from tests.problems.one_way.b20_learners_cases import ONE, SOME, TINY

from tacit import BadInput
from tacit.bounds.upper import conversions
from tacit.classes import OneWaySequences, Parities
from tacit.core import Relation
from tacit.domains import Integers
from tacit.mechanisms.amplification import Resampled
from tacit.mechanisms.interior_point import InteriorPoint
from tacit.mechanisms.robust_minimum import RobustMinimum
from tacit.mechanisms.stable_prefix import StablePrefix, StableRobustMinimum
from tacit.problems.parities.parity_learner import ParityElimination, ParityVotes
from tacit.problems.thresholds import interior_point_upper as interior_point


def test_bad_parameters_are_named():
    domain = Integers(bits=8)
    for wrong in (
        lambda: OneWaySequences(bits=3),
        lambda: OneWaySequences(bits=64, seed_bits=3),
        lambda: OneWaySequences(index_bits=64, seed_bits=128),
        lambda: RobustMinimum(domain=domain, low=3, high=2, epsilon=ONE),
        lambda: RobustMinimum(domain=domain, low=0, high=2, epsilon=ONE),
        lambda: ParityVotes(
            domain=Parities(bits=2).domain,
            rows=1,
            blocks=1,
            epsilon=ONE,
            delta=TINY,
            relation=Relation.ADD_REMOVE,
        ),
        lambda: ParityElimination(
            domain=Parities(bits=2).domain,
            tries=1,
            block=1,
            epsilon=ONE,
            epsilon_choice=ONE * 2,
        ),
        lambda: conversions.to_pac(vc=1, alpha=SOME, beta=SOME, setting="other"),
    ):
        with pytest.raises(BadInput):
            wrong()
    choices = interior_point.stable_prefix(bits=8, beta=SOME, epsilon=ONE, delta=TINY).choices
    free = StablePrefix(domain=domain, delta=TINY, relation=Relation.ADD_REMOVE, **choices)
    with pytest.raises(BadInput, match="REPLACE_ONE"):
        StableRobustMinimum(inner=free, low=1, high=2)
    with pytest.raises(BadInput, match="REPLACE_ONE"):
        Resampled(
            inner=InteriorPoint(domain=domain, epsilon=ONE, relation=Relation.ADD_REMOVE),
            draws=1,
            records=2,
        )
