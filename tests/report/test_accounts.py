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


def verdict(record):
    record["digests"]["release"] = digest_of(record)
    release = read_release(json.dumps(record).encode(), name="r.json")
    return verify_release(release, seconds=None)


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
