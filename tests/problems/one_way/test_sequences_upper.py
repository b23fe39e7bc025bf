"""The front door to one-way sequences, parities, Littlestone dimension 1 and conversions."""

import json
from fractions import Fraction

import numpy as np
import pytest
from tests.problems.one_way.b20_learners_cases import ONE, SOME, TINY

import tacit
from tacit import Accuracy, Ledger, Privacy, Task, learn
from tacit.checks.testing import seeded
from tacit.classes import OneWaySequences, Parities, Points, Table, Thresholds
from tacit.core import Relation, hypothesis_from_dict
from tacit.problems.finite import littlestone_one_upper as littlestone_one
from tacit.problems.one_way import sequences_upper as one_way
from tacit.problems.parities import parities_upper as parities
from tacit.problems.thresholds import interior_point_upper as interior_point

MATRIX = 1 - np.eye(5, dtype=int)

NAMES = {
    "one-way-sequences": (OneWaySequences(bits=16), "any"),
    "one-way-sequences-stable": (OneWaySequences(index_bits=3, seed_bits=20), "any"),
    "parity-votes": (Parities(bits=7), "uniform"),
    "parity-elimination": (Parities(bits=70), "any"),
    "parity-selection": (Parities(bits=7), "uniform"),
    "littlestone-one": (Table(MATRIX), "any"),
    "empirical-selection": (Points(bits=8), "any"),
    "resampled-selection": (Thresholds(bits=8), "any"),
}


def job(name, **more):
    concepts, marginal = NAMES[name]
    given = {"epsilon": 1, "delta": TINY, "relation": "replace-one"} | more
    return Task(
        concepts,
        privacy=Privacy(given["epsilon"], given["delta"], given["relation"]),
        accuracy=Accuracy(0.25, 0.1),
        marginal=marginal,
    )


@pytest.mark.parametrize("name", NAMES)
def test_learn_by_name_and_keep_the_rule(name):
    task = job(name)
    n = tacit.core.ALGORITHMS[name].bound(task).n
    x = np.array([0, 1] * n)[:n]
    ledger = Ledger.memory(1, TINY)
    release = learn(task, (x, x % 2), algorithm=name, ledger=ledger, rng=seeded(1))
    assert release.event.epsilon <= 1
    assert getattr(release.event, "delta", 0) <= TINY
    assert str(n) in release.certificate.to_markdown()
    again = hypothesis_from_dict(json.loads(json.dumps(release.value.to_dict())))
    assert again.predict(x).tolist() == release.value.predict(x).tolist()
    assert release.value.describe()


@pytest.mark.parametrize("n", [1, 3])
@pytest.mark.parametrize("name", NAMES)
def test_too_few_records_never_cost_more_or_fail(name, n):
    task = job(name)
    release = learn(
        task,
        (np.arange(n), np.arange(n) % 2),
        algorithm=name,
        ledger=Ledger.memory(1, TINY),
        rng=seeded(1),
    )
    assert release.event.epsilon <= 1
    assert release.value.predict(np.arange(4)).shape == (4,)


def test_refusals_say_why():
    cases = [
        ("one-way-sequences-stable", {"delta": 0}, "delta above 0"),
        ("littlestone-one", {"delta": 0}, "delta above 0"),
        ("parity-votes", {"delta": 0}, "delta above 0"),
        ("parity-votes", {"relation": "add-remove"}, "number must be public"),
        ("parity-elimination", {"relation": "add-remove"}, "number must be public"),
        ("resampled-selection", {"relation": "add-remove"}, "number must be public"),
    ]
    for name, more, words in cases:
        assert words in tacit.core.ALGORITHMS[name].why_not(job(name, **more))
    entries = tacit.core.ALGORITHMS
    assert "uniform" in entries["parity-votes"].why_not(job("parity-elimination"))
    assert "uniform" in entries["parity-selection"].why_not(job("parity-elimination"))
    assert "made for" in entries["littlestone-one"].why_not(job("parity-votes"))
    big = job("parity-selection")
    big = Task(Parities(bits=64), privacy=big.privacy, accuracy=big.accuracy, marginal="uniform")
    assert "too many" in entries["parity-selection"].why_not(big)
    assert entries["exponential"].too_large(big) is not None
    wide = Table(np.array([[0, 0], [0, 1], [1, 0], [1, 1]]))
    task = Task(wide, privacy=big.privacy, accuracy=big.accuracy)
    assert "Littlestone" in entries["littlestone-one"].why_not(task)


def test_sizes_move_the_right_way():
    base = {"alpha": Fraction(1, 10), "beta": SOME, "epsilon": ONE, "delta": TINY}

    def sizes(**more):
        given = base | more
        relation = given.get("relation", Relation.REPLACE_ONE)
        plain = {key: given[key] for key in ("alpha", "beta", "epsilon")}
        return [
            one_way.approximate(index_bits=5, seed_bits=5, **given).n,
            littlestone_one.stable(**given).n,
            parities.elimination(bits=20, **plain).n,
            interior_point.stable_prefix(
                bits=64,
                beta=given["beta"],
                epsilon=given["epsilon"],
                delta=given["delta"],
                relation=relation,
            ).n,
        ]

    now = sizes()
    for harder in ({"epsilon": ONE / 2}, {"beta": SOME / 10}):
        assert all(more > n for n, more in zip(now, sizes(**harder), strict=True))
    assert all(more >= n for n, more in zip(now, sizes(delta=TINY / 1000), strict=True))
    loose = sizes(relation=Relation.ADD_REMOVE)
    assert loose[0] < now[0]
    assert loose[1] < now[1]
    assert loose[3] < now[3]
