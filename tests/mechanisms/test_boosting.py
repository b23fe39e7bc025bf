"""Tests of ``tacit.mechanisms.boosting``."""

from fractions import Fraction

import pytest
from tests.mechanisms.bbkn13_privacy_cases import BITS, largest_ratio, laws_of, records, sample

from tacit.core import Pure, Relation
from tacit.domains.integers import Integers
from tacit.exact.balls import at, ball
from tacit.mechanisms.boosting import BoostConfidence, Stage
from tacit.mechanisms.star_sampling import StarSampling
from tacit.problems.finite.constant import NEVER
from tacit.problems.finite.listed_rules import ListedRules
from tacit.problems.points.constant_sample import (
    paper_try,
)

pytestmark = pytest.mark.exact


def test_boosting_costs_no_more_than_its_dearest_part():
    domain = Integers(size=1)
    one = StarSampling(inner=paper_try(domain=domain, alpha=Fraction(1, 4)), epsilon=Fraction(1, 2))
    stage = Stage(mechanism=one, records=1)

    def gather(found):
        return ListedRules(domain, tuple(NEVER if rule is None else rule for rule in found))

    mechanism = BoostConfidence(stages=(stage, stage), gather=gather, epsilon=Fraction(3, 4))
    assert mechanism.event() == Pure(epsilon=Fraction(3, 4), relation=Relation.REPLACE_ONE)
    with at(BITS):
        worst = largest_ratio(laws_of(mechanism, records(1), 3, sample), records(1))
        assert ball(Fraction(1, 10)).exp() < worst < ball(Fraction(3, 4)).exp()
