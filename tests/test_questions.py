"""Tests of ``tacit.questions``: questions one by one, paid for once."""

import numpy as np
import pytest

import tacit
from tacit import Accuracy, BadInput, BudgetRefused, Ledger, Privacy
from tacit.checks.testing import seeded
from tacit.classes import Points, Thresholds

VALUES = Points(size=8)
RECORDS = np.arange(4000) % 8
LOOSE = Accuracy("0.25", "0.2")


def opened(data=RECORDS, **given):
    asked = {"questions": 10, "privacy": Privacy(1), "ledger": Ledger.memory(2)} | given
    return tacit.answering(data, VALUES, rng=seeded("questions"), **asked)


@pytest.mark.parametrize("way", ["noise on each answer", "corrected weights"])
def test_rules_and_lists_of_values_are_answered_after_one_charge(way):
    ledger = Ledger.memory(2)
    talk = opened(np.repeat(RECORDS, 20), ledger=ledger, algorithm=way, accuracy=LOOSE)
    spent = ledger.spent.epsilon
    assert spent == 1
    assert abs(talk.ask(Thresholds(size=8).hypothesis(4)) - 0.5) <= 0.25
    assert abs(talk.ask([True, False] * 4) - 0.5) <= 0.25
    assert ledger.spent.epsilon == spent
    assert talk.asked == 2
    assert talk.certified
    assert f"2 of 10 planned questions answered about 80000 records, by {way}" in talk.summary()
    assert "NOT PRIVATE" in talk.summary()


def test_the_way_with_fewer_records_is_taken():
    assert opened().planned.name == "noise on each answer"
    many = opened(questions=10**9, accuracy=LOOSE)
    assert many.planned.name == "corrected weights"
    assert not many.certified
    assert "NOT CERTIFIED" in many.summary()


def test_noisy_answers_end_and_corrected_ones_do_not():
    talk = opened(questions=1)
    talk.ask([1, 0, 0, 0, 0, 0, 0, 0])
    with pytest.raises(BadInput, match="all 1 questions"):
        talk.ask([1, 0, 0, 0, 0, 0, 0, 0])
    free = opened(questions=1, algorithm="corrected weights", accuracy=LOOSE)
    for _ in range(3):
        free.ask([1, 0, 0, 0, 0, 0, 0, 0])
    assert not free.certified


def test_a_frame_and_its_column():
    import pandas as pd

    talk = opened(pd.DataFrame({"age": RECORDS, "other": 0}), column="age")
    assert talk.n == 4000


def test_everything_wrong_is_said_before_the_charge():
    ledger = Ledger.memory(2)
    for wrong in (
        {"questions": 0},
        {"algorithm": "guessing"},
        {"privacy": Privacy(1, relation="label")},
        {"privacy": Privacy(1, unit="person")},
    ):
        with pytest.raises(BadInput):
            opened(ledger=ledger, **wrong)
    with pytest.raises(BadInput, match="Points"):
        tacit.answering(
            RECORDS, tacit.classes.Lines(size=5), questions=1, privacy=Privacy(1), ledger=ledger
        )
    assert ledger.spent.epsilon == 0
    with pytest.raises(BudgetRefused):
        opened(ledger=Ledger.memory("0.5"))


@pytest.mark.parametrize("wrong", [[True], [2] * 8, "abc", [[True] * 8]])
def test_what_is_no_question_is_refused_and_costs_nothing(wrong):
    talk = opened()
    with pytest.raises(BadInput, match="a question is a rule"):
        talk.ask(wrong)
    assert talk.asked == 0
    assert repr(talk) == "Answering(0 of 10 questions, n=4000)"
