"""The ledger in memory: an identity that is charged, copied by nobody, and refuses in words."""

import copy
import os
import pickle
import threading
from fractions import Fraction as F

import pytest
from sklearn.base import BaseEstimator, clone
from sklearn.model_selection import cross_val_score
from tests.accounting.ledger_memory_cases import in_child, pure

import tacit.accounting.process as process
from tacit.accounting import Ledger
from tacit.core import (
    ADD_REMOVE,
    LABEL,
    REPLACE_ONE,
    ZCDP,
    Approximate,
    BadInput,
    BudgetRefused,
    Composed,
    Pure,
    Selection,
)


class Holder(BaseEstimator):
    def __init__(self, ledger=None):
        self.ledger = ledger

    def fit(self, X, y):
        self.ledger.charge(pure("1/4"))
        return self

    def score(self, X, y):
        return 1.0


def test_a_charge_is_kept_with_its_note():
    ledger = Ledger.memory(1, 0)
    assert ledger.charge(pure("1/4"), note="threshold").index == 1
    (entry,) = ledger.entries
    assert (entry.index, entry.note, entry.event) == (1, "threshold", pure("1/4"))
    assert ledger.spent.epsilon == F(1, 4)
    assert ledger.remaining.epsilon == ledger.left.epsilon == F(3, 4)


def test_the_last_bit_of_budget_can_be_spent_and_no_more():
    ledger = Ledger.memory("1/3")
    for _ in range(3):
        ledger.charge(pure("1/9"))
    assert ledger.remaining.epsilon == 0
    with pytest.raises(BudgetRefused):
        ledger.charge(pure("1e-30"))
    assert len(ledger.entries) == 3


def test_a_refusal_says_what_was_asked_and_what_is_left():
    ledger = Ledger.memory(1, 1e-6)
    ledger.charge(pure("1/4"))
    with pytest.raises(BudgetRefused) as refusal:
        ledger.charge(pure(3))
    words = str(refusal.value)
    for part in ("epsilon 1", "epsilon = 3", "3.25", "0.25", "0.75", "nothing was charged"):
        assert part in words
    assert refusal.value.exit_code == 3


def test_a_refusal_of_a_long_composition_stays_short():
    many = Composed(events=(pure(1),) * 500, relation=REPLACE_ONE)
    with pytest.raises(BudgetRefused, match="500 steps") as refusal:
        Ledger.memory(1).charge(many)
    assert len(str(refusal.value)) < 400


def test_delta_zero_admits_pure_totals_only():
    ledger = Ledger.memory(100, 0)
    for event in (
        Approximate(epsilon="0.1", delta="1e-12", relation=REPLACE_ONE),
        ZCDP(rho="1e-6", relation=REPLACE_ONE),
    ):
        with pytest.raises(BudgetRefused, match="no total with delta at most 0"):
            ledger.charge(event)
    ledger.charge(Selection(epsilon=1, relation=REPLACE_ONE))
    assert ledger.spent.delta == 0


def test_deltas_add_up_to_the_limit_exactly():
    ledger = Ledger.memory(1, "1e-6")
    ledger.charge(pure("1/2"))
    ledger.charge(Approximate(epsilon="1/2", delta="1e-6", relation=REPLACE_ONE))
    assert (ledger.spent.epsilon, ledger.spent.delta) == (1, F(1, 10**6))
    assert (ledger.remaining.epsilon, ledger.remaining.delta) == (0, 0)


def test_a_hundred_selections_fit_where_their_sum_would_not():
    ledger = Ledger.memory("1.15", 1e-6)
    for _ in range(100):
        ledger.charge(Selection(epsilon="0.05", relation=REPLACE_ONE))
    assert ledger.spent.method == "zcdp"
    assert ledger.spent.epsilon <= F(115, 100)
    assert ledger.spent_at(0).epsilon == 5
    ten = Composed(events=(ledger.entries[0].event,) * 10, relation=REPLACE_ONE)
    with pytest.raises(BudgetRefused, match="the total would be"):
        ledger.charge(ten)


def test_a_pure_total_is_kept_unless_conversion_is_worth_its_delta():
    ledger = Ledger.memory(2, 1e-6)
    for _ in range(2):
        ledger.charge(Selection(epsilon="1/4", relation=REPLACE_ONE))
    assert (ledger.spent.epsilon, ledger.spent.delta) == (F(1, 2), 0)
    for _ in range(4):
        ledger.charge(Selection(epsilon="1/4", relation=REPLACE_ONE))
    assert ledger.spent.epsilon < F(95, 100) * F(6, 4)
    assert ledger.spent.delta == F(1, 10**6)


def test_without_a_limit_everything_is_counted():
    ledger = Ledger.memory()
    ledger.charge(ZCDP(rho=5, relation=REPLACE_ONE))
    ledger.charge(Approximate(epsilon=5, delta="0.9", relation=REPLACE_ONE))
    assert ledger.spent.epsilon is None
    assert ledger.spent_at("0.95").epsilon > 10
    assert ledger.remaining.epsilon is None
    assert "no limit" in repr(ledger)


def test_the_stated_relation_follows_the_entries():
    ledger = Ledger.memory()
    assert ledger.spent.relation is None
    ledger.charge(pure(1, ADD_REMOVE))
    assert (ledger.spent.epsilon, ledger.spent.relation) == (1, ADD_REMOVE)
    ledger.charge(pure("1/2", REPLACE_ONE))
    assert (ledger.spent.epsilon, ledger.spent.relation) == (F(5, 2), REPLACE_ONE)
    ledger.charge(pure("1/2", ADD_REMOVE))
    assert (ledger.spent.epsilon, ledger.spent.relation) == (F(7, 2), REPLACE_ONE)


def test_a_limit_on_records_takes_no_event_about_labels_only():
    ledger = Ledger.memory(3)
    ledger.charge(pure(1))
    with pytest.raises(BudgetRefused, match="relation='label'"):
        ledger.charge(pure("1/2", LABEL))
    assert not ledger.would_allow(pure("1/2", LABEL))
    assert (ledger.spent.epsilon, ledger.spent.relation) == (1, REPLACE_ONE)
    Ledger.memory(3, relation="label").charge(pure("1/2", LABEL))


def test_a_weaker_event_may_be_refused_because_of_what_it_does_to_earlier_ones():
    ledger = Ledger.memory(1)
    ledger.charge(pure("3/5", ADD_REMOVE))
    assert not ledger.would_allow(pure("1/100", REPLACE_ONE))
    assert ledger.would_allow(pure("2/5", ADD_REMOVE))


@pytest.mark.parametrize(
    ("pinned", "refused"),
    [
        ("add-remove", [REPLACE_ONE, LABEL]),
        ("replace-one", [LABEL]),
        ("label", []),
    ],
)
def test_a_pinned_relation_refuses_events_that_say_nothing_about_it(pinned, refused):
    ledger = Ledger.memory(10, relation=pinned)
    for relation in (ADD_REMOVE, REPLACE_ONE, LABEL):
        if relation in refused:
            with pytest.raises(BudgetRefused, match=f"{pinned} neighbours"):
                ledger.charge(pure(1, relation))
        else:
            ledger.charge(pure(1, relation))
    assert ledger.spent.relation.value == pinned
    assert ledger.spent.epsilon == {"add-remove": 1, "replace-one": 3, "label": 4}[pinned]


def test_copies_and_clones_are_the_ledger_itself():
    ledger = Ledger.memory(1)
    assert copy.copy(ledger) is ledger
    assert copy.deepcopy({"ledger": [ledger]})["ledger"][0] is ledger
    assert clone(Holder(ledger)).ledger is ledger
    assert clone(clone(Holder(ledger))).get_params()["ledger"] is ledger


def test_cross_validation_is_charged_for_every_fold_and_refused_like_anything():
    ledger, rows = Ledger.memory(1), [[0]] * 6
    cross_val_score(Holder(ledger), rows, [0, 1] * 3, cv=3)
    assert ledger.spent.epsilon == F(3, 4)
    with pytest.raises(BudgetRefused):
        cross_val_score(Holder(ledger), rows, [0, 1] * 3, cv=2, error_score="raise")
    assert ledger.spent.epsilon == 1


def test_a_pickled_copy_shows_what_was_charged_and_cannot_spend():
    ledger = Ledger.memory(1, 1e-6, relation="label")
    ledger.charge(pure("1/4"), note="first")
    twin = pickle.loads(pickle.dumps(ledger))
    assert twin is not ledger
    assert repr(twin) == repr(ledger)
    assert not twin.would_allow(pure("1/4"))
    for again in (twin, pickle.loads(pickle.dumps(twin)), copy.deepcopy(twin)):
        with pytest.raises(BudgetRefused, match=r"Ledger\.open\(path\)"):
            again.charge(pure("1/4"))
        assert len(again.entries) == 1
    ledger.charge(pure("1/4"))
    assert len(ledger.entries) == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_forked_child_cannot_spend_its_copy():
    ledger = Ledger.memory(1)

    def refused():
        try:
            ledger.charge(pure("1/4"))
        except BudgetRefused as refusal:
            return "Ledger.open(path)" in str(refusal)
        return False

    assert in_child(refused) == 0
    ledger.charge(pure("1/4"))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_a_grandchild_with_the_same_number_is_not_at_home(monkeypatch):
    """Process numbers come round: a copy must not take itself for the original."""
    ledger, mine = Ledger.memory(1), os.getpid()

    def refused():
        monkeypatch.setattr(os, "getpid", lambda: mine)
        try:
            ledger.charge(pure("1/8"))
        except BudgetRefused:
            return True
        return False

    assert in_child(refused) == 0


def _charge_default(_):
    try:
        process.ledger().charge(pure("1/8"))
    except BudgetRefused as refused:
        return str(refused)
    return "charged"


@pytest.mark.parametrize("backend", ["loky", "multiprocessing"])
@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")
def test_workers_do_not_charge_a_ledger_that_dies_with_them(backend):
    from joblib import Parallel, delayed

    said = Parallel(n_jobs=2, backend=backend)(delayed(_charge_default)(i) for i in range(2))
    assert all("Ledger.open" in one for one in said)


def test_threads_share_one_budget():
    ledger = Ledger.memory(1)
    accepted = []

    def spend():
        for _ in range(40):
            try:
                ledger.charge(pure("1/50"))
            except BudgetRefused:
                continue
            accepted.append(1)

    threads = [threading.Thread(target=spend) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(accepted) == len(ledger.entries) == 50
    assert ledger.remaining.epsilon == 0


def test_a_long_ledger_is_not_read_again_for_each_charge(monkeypatch):
    ledger = Ledger.memory(10**6, 1e-6)
    seen = []
    add = ledger._charges.add
    monkeypatch.setattr(ledger._charges, "add", lambda event: (seen.append(1), add(event)))
    for k in range(500):
        ledger.charge(Selection(epsilon=F(1, 10 + k % 7), relation=REPLACE_ONE))
    assert len(seen) == 500  # each charge once


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"epsilon": 0}, "epsilon"),
        ({"epsilon": -1}, "epsilon"),
        ({"epsilon": float("nan")}, "epsilon"),
        ({"epsilon": float("inf")}, "epsilon"),
        ({"epsilon": True}, "epsilon"),
        ({"epsilon": "much"}, "epsilon"),
        ({"epsilon": 1, "delta": 1}, "delta"),
        ({"epsilon": 1, "delta": -0.1}, "delta"),
        ({"epsilon": 1, "relation": "friends"}, "relation"),
    ],
)
def test_bad_budgets_are_named(arguments, name):
    with pytest.raises(BadInput, match=name):
        Ledger.memory(**arguments)


@pytest.mark.parametrize("what", [1, None, "epsilon=1", Pure])
def test_only_events_are_charged(what):
    ledger = Ledger.memory(1)
    with pytest.raises(BadInput, match="Event"):
        ledger.charge(what)
    with pytest.raises(BadInput, match="Event"):
        ledger.would_allow(what)
    with pytest.raises(BadInput, match="note"):
        ledger.charge(pure(1), note=7)


def test_it_shows_public_numbers_only():
    ledger = Ledger.memory(1, 1e-6)
    ledger.charge(pure("1/4"), note="<b>secret plans</b>")
    for text in (repr(ledger), ledger._repr_html_()):
        assert "0.25" in text
        assert "secret" not in text


@pytest.mark.parametrize("first", [REPLACE_ONE, ADD_REMOVE, LABEL])
def test_without_a_limit_too_labels_are_kept_apart_from_records(first):
    """One event under label restated the whole total as a promise about labels only."""
    second = REPLACE_ONE if first is LABEL else LABEL
    ledger = Ledger.memory()
    ledger.charge(Pure(epsilon=1, relation=first))
    ledger.charge(Pure(epsilon=1, relation=first))
    with pytest.raises(BudgetRefused, match="cannot be added up"):
        ledger.charge(Pure(epsilon=1, relation=second))
    assert not ledger.would_allow(Pure(epsilon=1, relation=second))
    assert ledger.spent.relation is first
    assert len(ledger.entries) == 2
    pinned = Ledger.memory(relation=LABEL)
    for relation in (first, second):
        pinned.charge(Pure(epsilon=1, relation=relation))
    assert pinned.spent.relation is LABEL
