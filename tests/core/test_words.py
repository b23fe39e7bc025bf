"""The words of a rule are the rule: read by another program, they say what ``predict`` does.

The reader below knows the declared columns and the text, and nothing else of the package.
"""

from __future__ import annotations

import json
import re
from datetime import date, datetime
from itertools import product

import numpy as np
import pandas as pd
import pytest

from tacit.accounting import Ledger
from tacit.checks.testing import seeded
from tacit.core import hypothesis_from_dict
from tacit.core.words import accuracy, meaning
from tacit.domains import Schema
from tacit.estimators import StumpClassifier
from tacit.problems.points.points import Points
from tacit.problems.tables.clauses import Formulas
from tacit.problems.tables.products import Boxes, Conjunctions, Intervals
from tacit.problems.tables.scores import Scores
from tacit.problems.tables.short_lists import FewCuts, Totals
from tacit.problems.tables.trees import RuleLists, Stumps, Trees
from tacit.problems.thresholds.thresholds import Thresholds


class Reader:
    """Applies a text to rows; a column is declared as a mapping."""

    def __init__(self, columns):
        self.columns = columns

    def rows(self, text, rows):
        return [self.row(text, row) for row in rows]

    def row(self, text, row):
        """The label that a text gives a row; exactly one case of it must hold."""
        lines = text.splitlines()
        if "level(" in lines[0]:
            return self.score(lines, row)
        if "; else: " in text:
            cases, otherwise = text.split("; else: ")
            cases, label = split_last(cases.removeprefix("if "))
            held = any(self.all_of(one, row) for one in split(cases, "; or if "))
            return label if held else otherwise
        found = []
        for line in lines:
            conditions, label = split_last(line)
            if conditions == "always" or self.all_of(conditions.removeprefix("if "), row):
                found.append(label)
        assert len(found) == 1, text
        return found[0]

    def all_of(self, text, row):
        return all(self.any_of(one, row) for one in split(text, " and "))

    def any_of(self, text, row):
        if text.startswith("("):
            assert text.endswith(")")
            return any(self.any_of(one, row) for one in alternatives(text[1:-1], self.columns))
        return self.holds(text, row)

    def holds(self, text, row):
        """One condition on one column, perhaps with exceptions in parentheses."""
        name = max((name for name in self.columns if text.startswith(name + " ")), key=len)
        words = text.removeprefix(name + " ")
        value, column = row[name], self.columns[name]
        inside = re.fullmatch(r"(.*) \(or (.*)\)", words)
        if inside:
            words, others = inside.groups()
            if self.other(others, value, column):
                return True
        if words.startswith(("< ", ">= ")):
            sign, border = words.split(" ", 1)
            if not self.known(value, column):
                return False
            number, border = column["as"](value), column["as"](border)
            return number < border if sign == "<" else number >= border
        return self.is_so(words.removeprefix("is "), value, column)

    def is_so(self, words, value, column):
        if words.startswith("not "):
            return not self.is_so(words.removeprefix("not "), value, column)
        if words in ("missing", "anything else", "missing or anything else"):
            return self.other(words, value, column)
        if words == column["what"]:
            return self.known(value, column)
        bound = re.fullmatch("at (least|most) (.*)", words)
        if bound:
            if not self.known(value, column):
                return False
            order = column["order"]
            here, there = order.index(column["cell"](value)), order.index(read(bound[2]))
            return here >= there if bound[1] == "least" else here <= there
        listed = [read(one) for part in split(words, ", ") for one in split(part, " or ")]
        return self.known(value, column) and column["cell"](value) in listed

    def other(self, words, value, column):
        parts = words.split(" or ")
        assert set(parts) <= {"missing", "anything else"}
        if value is None:
            return "missing" in parts
        return "anything else" in parts and not self.known(value, column)

    def known(self, value, column):
        return value is not None and column["declared"](value)

    def score(self, lines, row):
        first, *legend = lines
        one, score, threshold, zero = re.fullmatch(
            r"(.*?) if (.*) >= (-?\d+), else (.*)", first
        ).groups()
        return one if self.total(score, legend, row) >= int(threshold) else zero

    def total(self, score, legend, row):
        """The points of a row; ``legend`` says the level of every cell."""
        total = 0
        for sign, size, name in re.findall(r"([-+]?) ?(?:(\d+) x )?level\(([^)]*)\)", score):
            (said,) = (line for line in legend if line.startswith(f"level({name}): "))
            level = None
            for part in split(said.removeprefix(f"level({name}): "), ", "):
                here, words = part.split(" ", 1)
                words = re.sub("^(below|before) ", "< ", words).replace("from ", ">= ")
                words = words if words.startswith(("<", ">")) else f"is {words}"
                words = "is " + self.columns[name]["what"] if "any " in words else words
                level = int(here) if self.holds(f"{name} {words}", row) else level
            total += (-1 if sign == "-" else 1) * int(size or 1) * level
        return total


def split(text, mark):
    """Split where a mark stands outside parentheses and quotes."""
    parts, start, depth, quoted, place = [], 0, 0, False, 0
    while place < len(text):
        letter = text[place]
        if letter == '"' and text[place - 1] != "\\":
            quoted = not quoted
        if not quoted:
            depth += {"(": 1, ")": -1}.get(letter, 0)
            if depth == 0 and text.startswith(mark, place):
                parts.append(text[start:place])
                place += len(mark)
                start = place
                continue
        place += 1
    return [*parts, text[start:]]


def alternatives(text, columns):
    """One condition, or several with "or" between them: then each begins a condition."""
    parts = split(text, " or ")
    begins = [
        part.startswith("(") or any(part.startswith(f"{one} ") for one in columns) for part in parts
    ]
    return parts if all(begins) else [text]


def split_last(text):
    *before, last = split(text, ": ")
    return ": ".join(before), last


def read(word):
    return json.loads(word) if word.startswith('"') else word


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool)


WARDS = ("north", "east wing", "not", "7")

DECLARED = {
    "age": {"kind": "integer", "low": 0, "high": 9, "bins": 4},
    "CRP mg/l": {"kind": "number", "low": 0, "high": 1, "cuts": ["0.3", "0.7"]},
    "stage": {"kind": "category", "values": ["I", "II", "III"], "ordered": True},
    "ward": {"kind": "category", "values": list(WARDS)},
    "smoker": {"kind": "boolean"},
    "seen on": {"kind": "date", "low": "2023-11-20", "high": "2024-02-10", "cells": "months"},
    "dose": {
        "kind": "number",
        "low": 0,
        "high": 9,
        "cuts": [1, 5],
        "names": ["low", "mid", "high"],
    },
}


def is_day(value):
    return isinstance(value, date) or (isinstance(value, str) and value.startswith("20"))


NUMBER = {"what": "a number", "declared": is_number, "as": float}

READ = {
    "age": NUMBER,
    "CRP mg/l": NUMBER,
    "stage": {
        "what": "I, II or III",
        "declared": lambda value: value in ("I", "II", "III"),
        "cell": str,
        "order": ["I", "II", "III"],
    },
    "ward": {
        "what": 'north, "east wing", "not" or 7',
        "declared": lambda value: str(value) in WARDS,
        "cell": str,
    },
    "smoker": {
        "what": "true or false",
        "declared": lambda value: isinstance(value, bool),
        "cell": lambda value: str(value).lower(),
    },
    "seen on": {"what": "a date", "declared": is_day, "as": lambda value: str(value)[:10]},
    "dose": NUMBER
    | {
        "cell": lambda value: "low" if value < 1 else "mid" if value < 5 else "high",
        "order": ["low", "mid", "high"],
    },
}

VALUES = {
    "age": [-3, 0, 2, 3, 4, 5, 7, 8, 30, None, "word"],
    "CRP mg/l": [-1.0, 0.1, 0.3, 0.5, 0.7, 2.0, None, "word"],
    "stage": ["I", "II", "III", "IV", None],
    "ward": ["north", "east wing", "not", "7", 7, "south", None],
    "smoker": [True, False, None, "maybe"],
    "seen on": [
        "2000-01-01",
        date(2023, 11, 30),
        "2023-12-01",
        "2024-01-31",
        datetime(2024, 2, 1, 9),
        "2099-12-31",
        None,
        "soon",
        19_700,
    ],
    "dose": [0.5, 1, 4.9, 5, 100, None, "word"],
}

SAID = {"joint": {}, "own": {"missing": "own"}, "complete": {"complete": True}}


def declared(names, said):
    return Schema.of({name: DECLARED[name] | SAID[said] for name in names})


def rows_of(names, said):
    held = [
        [one for one in VALUES[name] if said != "complete" or Reader({}).known(one, READ[name])]
        for name in names
    ]
    return [dict(zip(names, row, strict=True)) for row in product(*held)]


def frame(rows, names):
    return pd.DataFrame(
        {name: pd.Series([row[name] for row in rows], dtype=object) for name in names}
    )


def check(rule, names, said, reader=None):
    """Text, the rule read back from JSON, and the predictions agree on every cell."""
    rows = rows_of(names, said)
    table = frame(rows, names)
    predicted = [str(int(one)) for one in rule.predict(table)]
    text = rule.describe()
    assert (reader or Reader({name: READ[name] for name in names})).rows(text, rows) == predicted, (
        text
    )
    asked = {name for name in names if re.search(rf"(?<!\w){re.escape(name)}[ )]", text)}
    assert {names[column] for column in rule.reads} == asked, text
    again = hypothesis_from_dict(json.loads(json.dumps(rule.to_dict())))
    assert again.describe() == text
    assert np.array_equal(again.predict(table), rule.predict(table))
    return set(predicted)


PAIRS = [("age", "ward"), ("CRP mg/l", "smoker"), ("stage", "dose"), ("seen on", "smoker")]


def random_tree(trees, levels, rng):
    if levels == 0 or rng.below(5) == 0:
        return bool(rng.below(2))
    low, high = (random_tree(trees, levels - 1, rng) for _ in range(2))
    if trees.chain and levels > 1:
        low = bool(rng.below(2))
    return (rng.below(len(trees.cuts)), low, high)


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("names", PAIRS, ids=lambda names: " ".join(names))
def test_trees_stumps_and_lists(names, said):
    rng = seeded(f"{names} {said}")
    schema = declared(names, said)
    seen = set()
    for trees in (
        Stumps(schema),
        Trees(schema, depth=2),
        Trees(schema, depth=3),
        RuleLists(schema, depth=3),
    ):
        for _ in range(25):
            tree = random_tree(trees, trees.depth, rng)
            seen |= check(trees.hypothesis(tree), names, said)
    assert seen == {"0", "1"}


@pytest.mark.parametrize("said", SAID)
@pytest.mark.parametrize("names", PAIRS, ids=lambda names: " ".join(names))
def test_every_interval_and_some_of_all_other_classes(names, said):
    rng = seeded(f"products {names} {said}")
    schema = declared(names, said)
    classes = [Intervals(schema), Boxes(schema), Conjunctions(schema), FewCuts(schema)]
    classes += [Formulas(schema, form=form, clauses=2) for form in ("cnf", "dnf")]
    classes += [kind(schema) for kind in (Scores, Totals)]
    seen = set()
    for one in classes:
        size = sum(one.many) if isinstance(one, Scores) else one.size
        every = isinstance(one, (Intervals, FewCuts, Totals))
        for candidate in range(size) if every else (rng.below(size) for _ in range(40)):
            seen |= check(one.hypothesis(candidate), names, said)
    assert seen == {"0", "1"}


SIZE = 6

WHOLE = [*range(-2, SIZE + 3), None, "word"]


def one_column(text, value):
    always = re.fullmatch(r"(\d) whatever age is", text)
    if always:
        return always[1]
    one, condition, zero = re.fullmatch(r"(\d) if (.*), else (\d)", text).groups()
    words, _, others = condition.partition(" (or ")
    if not isinstance(value, int):
        return one if others == "missing or not a number)" else zero
    assert others in ("", "missing or not a number)")
    name, sign, border = words.split(" ")
    assert name == "age"
    known = {"=": value == int(border), ">=": value >= int(border), "<": value < int(border)}
    return one if (known | {"<=": value <= int(border)})[sign] else zero


@pytest.mark.parametrize(
    "one",
    [Points(size=SIZE), *(Thresholds(size=SIZE, orientation=sign) for sign in (">=", "<", "<="))],
    ids=lambda one: one.describe(),
)
def test_thresholds_and_points(one):
    first = getattr(one, "first", 0)
    for candidate in range(first, first + one.size):
        rule = one.hypothesis(candidate)
        text = rule.describe(column="age")
        for value in WHOLE:
            said = one_column(text, value)
            assert said == str(int(rule.predict([value])[0])), (text, value)


@pytest.mark.parametrize(
    ("epsilon", "caution"), [(3, ""), ("3.1", "a weak promise"), (10**6, "the promise is empty")]
)
def test_a_large_epsilon_is_said_to_promise_little(epsilon, caution):
    model = StumpClassifier(domain=[(0, 9)], epsilon=epsilon, ledger=Ledger.memory())
    told = meaning(model.fit([[1], [8]] * 20, [0, 1] * 20).certificate_)
    assert caution in told
    assert ("promise" in told) is bool(caution)


def test_one_record_is_told_as_one():
    model = StumpClassifier(domain=[(0, 9)], epsilon=1, ledger=Ledger.memory(), rng=seeded(3))
    told = accuracy(model.fit([[1]], [0]).certificate_)
    assert re.match("About (0 mistakes|1 mistake) on 1 record, counted", told)


def test_the_reader_notices_words_that_are_not_the_rule():
    names = ("age", "ward")
    schema = declared(names, "joint")
    rule = Trees(schema, depth=1).hypothesis((0, False, True))

    class Careless:
        def __init__(self, words):
            self.words = words

        def __getattr__(self, name):
            return getattr(rule, name)

        def describe(self):
            return self.words

    for wrong in (
        "if age < 3: 0\nif age >= 3: 1",
        "if age is missing: 0\nif age is a number: 1",
        "always: 1",
    ):
        with pytest.raises((AssertionError, ValueError)):
            check(Careless(wrong), names, "joint")
