"""Tests of ``tacit.checks.audit.instances``."""

from fractions import Fraction as F
from functools import partial

import pytest
from tests.checks.audit.audit_laws_cases import ONE, OVER

from tacit.checks.audit import exact
from tacit.checks.audit.instances import everything, formed
from tacit.problems.points.constant_sample import PointTry

pytestmark = pytest.mark.exact

TARGETS = {target.name: target for target in everything()}


def caught(mechanism, target, **more):
    given = {"form": partial(formed, target), "order": target.order, "pairs": target.only}
    found = exact(
        mechanism, target.records, target.n, faint=target.faint, epsilon=1, **given, **more
    )
    return found.violated


def test_parts_run_beyond_the_claim_are_caught():
    lines = TARGETS["lines"]
    assert not caught(lines.make(ONE), lines, delta=F(1, 20))
    assert caught(lines.make(OVER), lines, delta=F(1, 20))


@pytest.mark.parametrize("name", ["SparseHistogram", "PrintedHistogram", "StabilityHistogram"])
def test_histograms_beyond_the_claim_are_caught(name):
    target = TARGETS[name]
    delta = getattr(target.make(ONE), "delta", F(0))
    assert caught(target.make(OVER), target, delta=delta)


def test_tries_beyond_the_claim_are_caught():
    target = TARGETS["PointTry"]
    fair = target.make(ONE)
    over = PointTry(domain=fair.domain, blur=fair.blur, pick=F(1, 4), silence=fair.silence)
    claim = fair.event().epsilon
    found = exact(over, target.records, 2, form=target.form, order="ignored", epsilon=claim)
    assert found.violated
