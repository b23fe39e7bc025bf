"""Tests of ``tacit.report.accounts``: what no ledger can have stated is found without one."""

import copy
import json

import numpy as np
import pytest

from tacit import Accuracy, Ledger, Privacy, Task, learn
from tacit.accounting import About
from tacit.classes import Points
from tacit.report.release_file import digest_of, read_release, release_record
from tacit.report.verify import verify_release


@pytest.fixture(scope="module")
def record():
    x = np.arange(400) % 4
    task = Task(Points(size=4), privacy=Privacy(1), accuracy=Accuracy("0.3", "0.1"))
    release = learn(task, (x, x == 2), ledger=Ledger.memory(epsilon=2))
    about = About(data_set="ward 7", columns=("x",), label="y")
    return json.loads(json.dumps(release_record(release, about=about, counted=True)))


def verdict(record, **beside):
    record["digests"]["release"] = digest_of(record)
    release = read_release(json.dumps(record).encode(), name="r.json")
    return verify_release(release, seconds=None, **beside)


def test_what_a_ledger_states_is_accepted(record):
    assert verdict(copy.deepcopy(record))


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("entry", 0, "numbered from 1"),
        ("limit_epsilon", "-2", "limit of 0 or less"),
        ("spent_epsilon", "-1/2", "less than nothing"),
        ("left_epsilon", "3", "between nothing and the limit"),
        ("left_epsilon", "-1", "between nothing and the limit"),
        ("data_set", "ward 8", "another data set"),
    ],
)
def test_what_no_ledger_states_is_not(record, field, value, words):
    other = copy.deepcopy(record)
    other["certificate"]["account"][field] = value
    found = verdict(other)
    assert not found
    assert words in str(found)


def test_a_release_that_says_that_nobody_counts_it_is_not_one_that_this_ledger_paid_for(tmp_path):
    """A forger may leave out what the ledger would be asked for."""
    x = np.arange(400) % 4
    task = Task(Points(size=4), privacy=Privacy(1), accuracy=Accuracy("0.3", "0.1"))
    book = Ledger.create(tmp_path / "b.db", 3, data_set="ward 7")
    paid = learn(task, (x, x == 2), ledger=book)
    free = learn(task, (x, x == 2), ledger=Ledger.memory())
    told = {
        name: json.loads(json.dumps(release_record(one, about=About(), counted=name == "paid")))
        for name, one in (("paid", paid), ("free", free))
    }
    assert verdict(copy.deepcopy(told["paid"]), ledger=book)
    assert verdict(copy.deepcopy(told["free"]))
    assert "not the ledger that paid" in str(verdict(copy.deepcopy(told["free"]), ledger=book))
    uncounted = {**copy.deepcopy(told["paid"]), "counted": False}
    for beside in ({}, {"ledger": book}):
        found = verdict(copy.deepcopy(uncounted), **beside)
        assert not found
        assert "says that no ledger counts it, and names one" in str(found)
    uncounted["certificate"]["account"] = None
    assert verdict(copy.deepcopy(uncounted))
    found = verdict(uncounted, ledger=book)
    assert not found
    assert "no ledger counts this release" in str(found)
