"""Whatever the records are, every BBKN13 and FX14 learner answers with a readable rule."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tacit import Accuracy, Ledger, Privacy, Sample, Task, learn
from tacit.checks.testing import seeded
from tacit.classes import Points, Thresholds
from tacit.core import ALGORITHMS, hypothesis_from_dict
from tacit.problems.formulas.k_term_dnf import KTermDnf
from tacit.problems.lines.lines import Lines
from tacit.problems.points.pseudorandom import PseudorandomPoints

pytestmark = pytest.mark.property

POINTS, CUTS = Points(bits=12), Thresholds(bits=6)

HIDDEN, FORMULAS = PseudorandomPoints(bits=20, seed_bits=4), KTermDnf(columns=3, terms=2)

CLASSES = {
    "constant-points": Points(bits=100),
    "random-sets": POINTS,
    "plane-lines": POINTS,
    "heavy-to-proper": POINTS,
    "protocol-equality": POINTS,
    "pseudorandom-points": HIDDEN,
    "pseudorandom-points-efficient": HIDDEN,
    "independent-noise": CUTS,
    "noise-reconstruction": CUTS,
    "interval-switch": CUTS,
    "protocol-greater-than": CUTS,
    "k-cnf": FORMULAS,
    "lines": Lines(size=7),
}


def task_for(name):
    proper = ALGORITHMS[name].proper
    delta = "1e-6" if name == "lines" else 0
    return Task(
        CLASSES[name],
        privacy=Privacy(1, delta),
        accuracy=Accuracy("0.4", "0.2"),
        output="proper" if proper else "improper",
    )


def columns(name):
    return {"k-cnf": 3, "lines": 2}.get(name, 1)


ODD = st.one_of(
    st.integers(-5, 5000),
    st.integers(0, 2**120),
    st.floats(allow_nan=True, allow_infinity=True),
    st.none(),
    st.text(max_size=2),
)


@pytest.mark.parametrize("name", CLASSES)
@settings(max_examples=12, deadline=None)
@given(data=st.data())
def test_any_records_whatever(name, data):
    width = columns(name)
    n = data.draw(st.integers(0, 12))
    rows = data.draw(
        st.lists(st.lists(ODD, min_size=width, max_size=width), min_size=n, max_size=n)
    )
    labels = data.draw(st.lists(st.one_of(ODD, st.booleans()), min_size=n, max_size=n))
    x = np.empty((n, width), dtype=object)
    for i, row in enumerate(rows):
        x[i] = row
    y = np.empty(n, dtype=object)
    y[:] = labels
    sample = Sample(x if width > 1 else x[:, 0], y)
    asked = task_for(name)
    mechanism = ALGORITHMS[name].built(asked, n)
    rule = mechanism._release(sample, rng=seeded(n))
    again = hypothesis_from_dict(json.loads(json.dumps(rule.to_dict())))
    assert (again.predict(sample.x) == rule.predict(sample.x)).all()
    assert rule.describe()


@pytest.mark.parametrize("name", CLASSES)
@pytest.mark.parametrize("label", [0, 1])
def test_constant_labels_and_too_few_records_through_the_front_door(name, label):
    asked = task_for(name)
    width = columns(name)
    x = np.arange(60 * width).reshape(60, width) % 5
    y = np.full(60, label)
    release = learn(
        asked,
        (x if width > 1 else x[:, 0], y),
        algorithm=name,
        ledger=Ledger.memory(epsilon=1, delta="1e-6"),
        rng=seeded(name),
    )
    assert release.event.relation is asked.privacy.relation
    assert not release.private
    assert release.value.predict(x if width > 1 else x[:, 0]).shape == (60,)


@pytest.mark.parametrize("name", CLASSES)
def test_events_stay_within_what_was_granted(name):
    asked = task_for(name)
    planned = ALGORITHMS[name].bound(asked).n
    for n in (0, 1, planned // 2, planned, 3 * planned):
        event = ALGORITHMS[name].built(asked, n).event()
        assert event.epsilon <= asked.privacy.epsilon
        assert getattr(event, "delta", 0) <= asked.privacy.delta
