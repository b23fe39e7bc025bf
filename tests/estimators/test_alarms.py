"""The classifier with a budget of alarms, from arrays, files and the command line."""

import json

import numpy as np
import pandas as pd
import pytest

from tacit import Ledger, load, verify
from tacit.cli import main
from tacit.core import BadInput
from tacit.estimators import AlarmClassifier
from tacit.testing import seeded


def records(n=3000):
    rng = np.random.default_rng(1)
    x = pd.DataFrame(rng.random((n, 4)), columns=list("abcd"))
    sick = (x["a"] > 0.75) & (x["b"] > 0.75)
    return x, np.where(rng.random(n) < np.where(sick, 0.9, 0.05), "yes", "no")


DOMAIN = dict.fromkeys("abcd", (0, 1))


def test_few_alarms_find_the_records_that_matter():
    x, y = records()
    model = AlarmClassifier(
        domain=DOMAIN, classes=("no", "yes"), alarms="8%", epsilon=2, ledger=Ledger.memory(),
        rng=seeded("alarms"),
    ).fit(x, y)  # fmt: skip
    said = model.predict(x) == "yes"
    assert said.mean() < 0.1
    assert (y[said] == "yes").mean() > 0.7
    assert "calls" in model.certificate_.to_markdown()


def test_what_is_not_served_is_refused_before_the_charge():
    x, y = records(50)
    book = Ledger.memory()
    given = {"domain": DOMAIN, "classes": ("no", "yes"), "ledger": book}
    for more, why in (
        ({"alarms": 3}, "alarms"),
        ({"relation": "add-remove"}, "private"),
        ({"unit": "id"}, "persons"),
        ({"other": "ignore"}, "ignored"),
    ):
        with pytest.raises(BadInput, match=why):
            AlarmClassifier(**given, **more).fit(x.assign(id=1) if "unit" in more else x, y)
    assert not book.entries


def test_the_command_line_takes_a_budget_and_the_file_verifies(tmp_path):
    x, y = records()
    x.assign(sick=y).to_csv(tmp_path / "data.csv", index=False)
    schema = "".join(f"[columns.{name}]\nkind = 'number'\nlow = 0\nhigh = 1\n" for name in "abcd")
    (tmp_path / "schema.toml").write_text(schema)
    out = tmp_path / "rule.json"
    words = ["learn", str(tmp_path / "data.csv"), "--schema", str(tmp_path / "schema.toml")]
    words += ["--label", "sick", "--positive", "yes", "--negative", "no", "--model", "alarms"]
    words += ["--alarms", "8%", "--epsilon", "2", "--no-ledger", "-o", str(out)]
    assert main(words) == 0
    assert verify(out)
    assert json.loads(out.read_text())["certificate"]["recipe"]["class"]["alarms"] == "0.08"
    assert load(out).predict(x).shape == (len(x),)
    words[words.index("alarms")] = "tree"
    assert main([*words[:-1], str(tmp_path / "b.json")]) == 2
