"""Witnesses survive a round trip, and a tampered one proves nothing false."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.theory.dimensions.witnesses.dimensions_witnesses_cases import made

from tacit.core import BadInput
from tacit.theory.dimensions import (
    communication,
    doubling,
    littlestone,
    representation,
    thresholds_within,
    vc,
    verify,
    witness_from_dict,
)
from tacit.theory.dimensions.witnesses import KINDS

pytestmark = pytest.mark.property


def test_every_kind_of_witness_is_here():
    assert set(KINDS) == {type(witness).__name__ for witness, _ in made()}


def _leaves(value, path=()):
    if isinstance(value, dict):
        for key, part in value.items():
            if key not in ("kind", "says", "digest"):
                yield from _leaves(part, (*path, key))
    elif isinstance(value, list):
        yield path, value
        for i, part in enumerate(value):
            yield from _leaves(part, (*path, i))
    else:
        yield path, value


def _put(record, path, value):
    target = record
    for step in path[:-1]:
        target = target[step]
    target[path[-1]] = value


def _tamper(value, draw):
    if isinstance(value, list):
        return draw(st.sampled_from([[], value[:-1], value + value[-1:], value[::-1]]))
    if isinstance(value, int):
        return value + draw(st.sampled_from([-7, -1, 1, 2, 100]))
    if "/" in value or value.lstrip("-").isdigit():
        return str(Fraction(value) + draw(st.sampled_from([Fraction(-1, 7), Fraction(1, 9), 1])))
    return draw(st.sampled_from(["", "zz", "0", "1"]))


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_tampered_witness_is_refused_unless_it_is_still_true(data):
    witness, table = data.draw(st.sampled_from(made()))
    record = witness.to_dict()
    path, value = data.draw(st.sampled_from(list(_leaves(record))))
    changed = _tamper(value, data.draw)
    if changed == value:
        return
    _put(record, path, changed)
    try:
        tampered = witness_from_dict(record)
        accepted = verify(tampered, table)
    except BadInput:
        return
    if accepted:
        assert _true(tampered, np.asarray(table)), tampered.says()


def _true(witness, table):
    """Whether what the witness says is true, by the definitions and known values."""
    kind = type(witness).__name__
    if kind == "ShatteredSet":
        labels = table[:, list(witness.points)]
        return len(np.unique(labels, axis=0)) == 2 ** len(witness.points)
    if kind == "MistakeTree":
        return witness.depth <= littlestone(table).value
    if kind == "MistakeBound":
        return witness.limits[-1] >= littlestone(table).value
    if kind == "EmbeddedThresholds":
        return len(witness.points) <= thresholds_within(table).value
    if kind in ("Representation", "MinimalRepresentation"):
        return len(witness.hypotheses) >= _least(table, witness.alpha)
    if kind == "NoRepresentation":
        return witness.size < _least(table, witness.alpha)
    if kind == "RandomRepresentation":
        size = max(map(len, witness.sets))
        return size >= representation(table, alpha=witness.alpha, beta=witness.beta).least
    if kind == "HardPairs":
        found = representation(table, alpha=witness.alpha, beta=witness.beta)
        return witness.size < found.most
    if kind == "PublicProtocol":
        return witness.bits >= communication(table, error=witness.error).least
    if kind == "HardDistribution":
        found = communication(table, error=witness.error)
        return witness.messages < 2**found.most
    if kind == "PrivateProtocol":
        error = witness.error
        return witness.bits >= communication(table, error=error, coins="private").least
    if kind == "MoreThanOneBit":
        return communication(table, error=witness.error, coins="private").most >= 2
    if kind == "RadonSet":
        splits = {tuple(row) for row in table[list(witness.concepts)].T.tolist()}
        splits |= {tuple(not b for b in row) for row in splits}
        return len(splits - {(True,) * len(witness.concepts)}) >= 2 ** len(witness.concepts) - 2
    if kind in ("Packing", "Cover"):
        return _metric_true(witness, table)
    if kind == "HalfCovers":
        return witness.size >= doubling(table, reference=witness.reference).least
    assert kind == "HardBall"
    return witness.size <= doubling(table, reference=witness.reference).most


def _least(table, alpha):
    return representation(table, alpha=alpha).least


def _metric_true(witness, table):
    def apart(f, g):
        return sum(
            w for w, a, b in zip(witness.reference, table[f], table[g], strict=True) if a != b
        )

    if type(witness).__name__ == "Packing":
        return all(apart(f, g) > witness.radius for f, g in combinations(witness.members, 2))
    return all(
        any(apart(f, g) <= witness.radius for g in witness.centres) for f in range(len(table))
    )


CLAIMS_TOO_MUCH = {
    "NoRepresentation": {"size": 1},
    "HardPairs": {"size": 1},
    "PublicProtocol": {"bits": -1},
    "HardDistribution": {"messages": 1},
    "PrivateProtocol": {"bits": -1},
    "HalfCovers": {"size": -1},
    "HardBall": {"size": 1},
}


def test_claiming_one_more_than_was_proved_is_refused():
    for witness, table in made():
        changes = CLAIMS_TOO_MUCH.get(type(witness).__name__, {})
        record = witness.to_dict()
        for name, step in changes.items():
            record[name] += step
        if changes and not (record.get("bits") == 0 and len(table) == 1):
            assert not verify(witness_from_dict(record), table), witness


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 5).flatmap(
        lambda points: st.lists(
            st.lists(st.integers(0, 1), min_size=points, max_size=points), min_size=1, max_size=8
        )
    )
)
def test_the_chains_of_inequalities(rows):
    size = len({tuple(row) for row in rows})
    dimension, mistakes = vc(rows).value, littlestone(rows).value
    fixed = representation(rows, alpha=Fraction(1, 3))
    public = communication(rows, error=Fraction(1, 3))
    private = communication(rows, error=Fraction(1, 3), coins="private")
    assert dimension <= mistakes <= size.bit_length() - 1
    assert fixed.most <= size
    assert public.least <= private.most
    assert private.least <= (fixed.most - 1).bit_length()
    for found in (fixed, public, private):
        assert all(verify(witness, rows) for witness in found.witnesses)
