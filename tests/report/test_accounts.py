"""Tests of ``tacit.report.accounts``: what no ledger can have stated is found without one."""

import contextlib
import copy
import json
import random
from fractions import Fraction

import numpy as np
import pytest

from tacit import Accuracy, Ledger, Privacy, Task, learn
from tacit.accounting import About
from tacit.classes import Points
from tacit.core import ZCDP, Approximate, BudgetRefused, Pure, Relation, Selection
from tacit.report.accounts import contrary, too_little
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
        ("spent_epsilon", "5/2", "more was spent than the limit"),
        ("spent_delta", "1/2", "more was spent than the limit"),
        ("spent_delta", "-1/2", "no probability"),
        ("spent_epsilon", "1/2", "what is left is not"),
        ("left_epsilon", "1/2", "what is left is not"),
        ("left_epsilon", None, "knows what was spent and what is left"),
        ("limit_epsilon", "5", "what is left is not"),
        ("limit_epsilon", None, "a ledger without a limit"),
    ],
)
def test_what_no_ledger_states_is_not(record, field, value, words):
    other = copy.deepcopy(record)
    other["certificate"]["account"][field] = value
    found = verdict(other)
    assert not found
    assert words in str(found)


def test_a_release_costs_no_more_than_all_that_was_spent(record):
    other = copy.deepcopy(record)
    other["certificate"]["account"] |= {"spent_epsilon": "1/2", "left_epsilon": "3/2"}
    found = verdict(other)
    assert not found
    assert "less was spent in all than this release costs" in str(found)


def test_whatever_a_ledger_states_is_possible():
    """Any events in any order: two totals are proved at a delta, and a ledger states either."""
    coins = random.Random(7)
    stated = 0
    for _ in range(60):
        limit, delta = [(None, 0), (3, 0), (8, "1e-6"), (8, "1e-4")][coins.randrange(4)]
        book = Ledger.memory() if limit is None else Ledger.memory(epsilon=limit, delta=delta)
        for _ in range(8):
            epsilon, relation = (
                Fraction(1 + coins.randrange(60), 40),
                list(Relation)[coins.randrange(3)],
            )
            event = [
                Pure(epsilon=epsilon, relation=relation),
                Selection(epsilon=epsilon, relation=relation),
                Approximate(epsilon=epsilon, delta=Fraction(1, 10**7), relation=relation),
                ZCDP(rho=epsilon**2 / 9, relation=relation),
            ][coins.randrange(4)]
            with contextlib.suppress(BudgetRefused):
                paid = book.account(book.charge(event))
                stated += 1
                assert contrary(paid) is None
                assert too_little(paid, event) is None
    assert stated > 100


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
