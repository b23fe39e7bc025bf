"""A rule that is learned in Python has the names that its data have, as on the command line."""

import numpy as np
import pandas as pd
import pytest

from tacit.accounting import Ledger
from tacit.api import learn
from tacit.checks.testing import seeded
from tacit.classes import Stumps, Thresholds
from tacit.core import Accuracy, NamedRule, Privacy, Task, hypothesis_from_dict
from tacit.domains.schema import Schema

AGE = np.arange(2000) % 100

FRAME = pd.DataFrame({"age": AGE, "sick": np.where(AGE >= 60, "yes", "no")})

VALUES = {"positive": "yes", "negative": "no"}


def _learn(data, concepts=None, k=1, **more):
    task = Task(
        Thresholds(size=100) if concepts is None else concepts,
        privacy=Privacy(2),
        accuracy=Accuracy("0.2", "0.1"),
        k=k,
    )
    return learn(task, data, rng=seeded(4), ledger=Ledger.memory(3), **more).value


def _ways(folder):
    FRAME.to_csv(folder / "t.csv", index=False)
    named = {"label": "sick", "column": "age"}
    return [
        (FRAME, named),
        (folder / "t.csv", named),
        ((FRAME["age"], FRAME["sick"]), {}),
        ((FRAME[["age"]], FRAME["sick"]), {}),
    ]


def test_words_json_and_answers_bear_the_names(tmp_path):
    for data, names in _ways(tmp_path):
        rule = _learn(data, **names, **VALUES)
        assert isinstance(rule, NamedRule)
        assert rule.columns == ("age",)
        text = rule.describe()
        assert "age >= " in text
        assert "sick is yes" in text
        assert "sick is no" in text
        record = rule.to_dict()
        assert record["column"] == "age"
        assert record["label"] == {"name": "sick", "negative": "no", "positive": "yes"}
        assert hypothesis_from_dict(record) == rule
        assert rule.answers(np.array([5, 95])) == ["no", "yes"]


def test_rules_over_a_table_name_their_label():
    concepts = Stumps(Schema.of({"age": (0, 100)}, bins=10))
    for data, names in ((FRAME, {"label": "sick"}), ((FRAME[["age"]], FRAME["sick"]), {})):
        rule = _learn(data, concepts, **names, **VALUES)
        assert rule.column is None
        assert rule.label.words == ("sick is no", "sick is yes")
        assert rule.columns == ("age",)
        assert "age" in rule.describe()
        assert "sick is yes" in rule.describe()


def test_a_value_alone_is_named_too():
    rule = _learn((AGE, FRAME["sick"].to_numpy()), positive="yes")
    assert rule.label.words == ("not yes", "yes")
    assert rule.answers(np.array([5, 95])) == ["not yes", "yes"]


@pytest.mark.parametrize("positive", [1, True])
def test_arrays_without_names_give_the_rule_as_it_is(positive):
    assert not isinstance(_learn((AGE, AGE >= 60), positive=positive), NamedRule)


def test_each_of_several_rules_is_named():
    frame = FRAME.assign(old=np.where(AGE >= 80, "yes", "no"))
    rules = _learn(frame, k=2, label=["sick", "old"], column="age", positive="yes")
    assert rules.names == ("sick", "old")
    assert "age >= " in rules.describe()
