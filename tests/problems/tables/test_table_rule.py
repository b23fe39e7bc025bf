"""A rule over a table is asked by its cells, and rows are placed once."""

import numpy as np
import pandas as pd
import pytest

from tacit.core import Sample
from tacit.domains.schema import Schema
from tacit.problems.tables.additive_rules import AdditiveRule
from tacit.problems.tables.boosted_rules import BoostedRule
from tacit.problems.tables.clauses import ClauseRule
from tacit.problems.tables.products import ProductRule
from tacit.problems.tables.rule_counts import RuleCounts
from tacit.problems.tables.scores import ScoreRule
from tacit.problems.tables.table_rule import TableRule
from tacit.problems.tables.trees import TreeRule, Trees

SCHEMA = Schema.of({"age": (0, 4), "ward": ("a", "b")}, bins=4)
ROWS = pd.DataFrame({"age": [0.5, 1.5, 3.5, float("nan")], "ward": ["a", "b", "z", "a"]})


def test_every_rule_over_a_table_is_one():
    rules = (TreeRule, ScoreRule, ProductRule, ClauseRule, BoostedRule, AdditiveRule)
    assert all(issubclass(rule, TableRule) for rule in rules)
    assert all("predict" not in vars(rule) for rule in rules)


def test_only_what_the_rule_reads_is_placed():
    rule = Trees(SCHEMA, depth=1).hypothesis((1, True, False))
    assert len(rule.reads) == 1
    cells = rule.place(ROWS)
    whole = SCHEMA.coerce(ROWS)
    read = rule.reads[0]
    assert cells[:, read].tolist() == whole[:, read].tolist()
    assert not np.delete(cells, read, axis=1).any()
    assert rule.predict(ROWS).tolist() == rule.of_cells(whole).tolist()


def test_a_rule_without_these_is_refused():
    with pytest.raises(TypeError, match="abstract"):
        TableRule()


def test_rows_are_placed_once_for_all_that_is_counted(monkeypatch):
    rule = Trees(SCHEMA, depth=1).hypothesis((1, True, False))
    sample = Sample(ROWS, np.array([1, 0, 1, 0]))
    plain = (
        int(np.sum(rule.predict(ROWS) != [True, False, True, False])),
        2,
        int(np.sum(SCHEMA.coerce(ROWS)[:, rule.reads[0]] > 0)),
    )
    asked = []
    placed = Schema.coerce
    monkeypatch.setattr(
        Schema, "coerce", lambda self, *a, **k: asked.append(1) or placed(self, *a, **k)
    )
    assert RuleCounts(rule, ("positive", "columns")).of(sample) == plain
    assert asked == [1]
