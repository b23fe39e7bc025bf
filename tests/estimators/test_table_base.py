"""A thousand odd tables: a total answer or clear public words, and never a private value.

Every table is made twice, with the same public shape and types but other values: what is
refused must be refused both times, in the same words.
"""

import json
import logging
import pickle
import struct
from functools import partial

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.tools.long import long_ones

from tacit import Ledger
from tacit.checks.testing import seeded
from tacit.core import BadInput
from tacit.estimators import MultiTaskClassifier
from tacit.estimators.tables import (
    BestRuleClassifier,
    BoxClassifier,
    ConjunctionClassifier,
    IntervalClassifier,
    PrivateSelection,
    RuleListClassifier,
    ScoreClassifier,
    StumpClassifier,
    TreeClassifier,
)

pytestmark = pytest.mark.property

WORD = "secret-4711"

NUMBER = 8675309.25

CANARIES = [WORD.encode(), b"8675309", struct.pack(">d", NUMBER), struct.pack("<d", NUMBER)]

ODD = [None, float("nan"), float("inf"), -float("inf"), WORD, "", True, 10**30, b"\xff", (), {}]

ODD += [NUMBER, [], WORD.encode(), np.datetime64("NaT"), np.timedelta64(5, "s"), 1j, 10**400]

PLAIN = 6


def select(**given):
    return PrivateSelection([("tree", TreeClassifier()), ("box", BoxClassifier())], **given)


def tasks(kind, **given):
    return MultiTaskClassifier(kind(**given))


KINDS = (
    TreeClassifier,
    partial(TreeClassifier, depth=4),
    BestRuleClassifier,
    RuleListClassifier,
    StumpClassifier,
    IntervalClassifier,
    partial(BoxClassifier, columns=3),
    ConjunctionClassifier,
    partial(ConjunctionClassifier, form="cnf"),
    partial(ConjunctionClassifier, form="dnf", columns=3),
    partial(ConjunctionClassifier, form="dnf", clauses=4, columns=1),
    ScoreClassifier,
    select,
    partial(tasks, TreeClassifier),
    partial(tasks, ConjunctionClassifier),
    partial(tasks, select),
)


def column(kind, values, rows):
    """A column of a public kind; its values are drawn from ``values``."""
    if kind == 0:
        return np.full(rows, NUMBER)
    if kind == 1:
        return np.where(values.integers(2, size=rows), NUMBER, values.normal(size=rows))
    if kind == 2:
        return values.integers(-5, 5, rows)
    if kind == 3:
        return values.integers(0, 2, rows).astype(bool)
    if kind == 4:
        return np.array(["NaT", "2020-02-02"], dtype="datetime64[s]")[values.integers(0, 2, rows)]
    picks = values.integers(0, len(ODD), rows)
    out = np.empty(rows, dtype=object)
    for row, pick in enumerate(picks):
        out[row] = (WORD, None, "a")[pick % 3] if kind == 5 else ODD[pick]
    return out


def declaration(public):
    options = [(-3, 3), range(-2, 4), ("a", "b", "c"), bool, ("only",)]
    options += [{"kind": "number", "low": -1, "high": 1, "missing": True}]
    options += [{"kind": "category", "values": ["a", 1], "missing": True}]
    return options[public.integers(len(options))]


def shaped(shape, columns, rows):
    """The columns as what a user may call a table."""
    names = [f"c{place}" for place in range(len(columns))]
    if shape in ("pandas", "same names", "many levels"):
        # Types are public: pandas would guess them from the values of an array of objects.
        frame = pd.DataFrame(
            {n: pd.Series(c, dtype=c.dtype) for n, c in zip(names, columns, strict=True)}
        )
        if shape == "same names":
            return frame.set_axis(["c"] * len(names), axis=1)
        if shape == "many levels":
            return frame.set_axis(pd.MultiIndex.from_product([["top"], names]), axis=1)
        return frame
    if shape == "polars":
        kinds = {n: pl.String for n, c in zip(names, columns, strict=True) if c.dtype == object}
        times = {n for n, c in zip(names, columns, strict=True) if c.dtype.kind == "M"}
        return pl.DataFrame(
            {n: c.tolist() for n, c in zip(names, columns, strict=True)},
            schema_overrides=kinds | {n: pl.Datetime for n in names if n in times},
        )
    if shape in ("arrow", "batch"):
        arrays = [pa.array(c, pa.string() if c.dtype == object else None) for c in columns]
        made = pa.RecordBatch.from_arrays(arrays, names=names)
        return made if shape == "batch" else pa.Table.from_batches([made])
    x = np.empty((rows, len(columns)), dtype=object)
    for place, values in enumerate(columns):
        for row, value in enumerate(values.tolist()):
            x[row, place] = value
    if shape == "masked":
        return np.ma.masked_array(x, mask=np.zeros(x.shape, dtype=bool))
    return [list(row) for row in x] if shape == "lists" else x


SHAPES = ("pandas", "same names", "many levels", "polars", "arrow", "batch", "array", "masked")


def table(public, values):
    rows = int(public.choice([0, 1, 2, 5, 40]))
    width = int(public.integers(1, 5))
    shape = str(public.choice([*SHAPES, "lists"]))
    typed = shape in ("polars", "arrow", "batch")
    kinds = public.integers(PLAIN if typed else PLAIN + 1, size=width + 2)
    columns = [column(kind, values, rows) for kind in kinds[:width]]
    label, other = (column(kind, values, rows) for kind in kinds[width:])
    if public.integers(3):
        label = values.integers(0, 2, rows)
    if public.integers(5) == 0:
        label = np.ones(rows, dtype=int)
    if public.integers(20) == 0:
        label = label[:-1]  # too short, unless it was empty
    both = np.empty((rows, 2), dtype=object)
    for row, pair in enumerate(zip(label.tolist(), other.tolist(), strict=False)):
        both[row, 0], both[row, 1] = pair
    declared = [declaration(public) for _ in range(width + int(public.integers(15) == 0))]
    return shaped(shape, columns, rows), label, both, declared


def contents(x):
    """All there is in a table, to see whether it was touched."""
    if isinstance(x, pd.DataFrame):
        return repr((x.to_numpy().tolist(), list(x.columns), list(x.index), list(x.dtypes)))
    if isinstance(x, pl.DataFrame):
        return repr((x.rows(), x.schema))
    if isinstance(x, (pa.Table, pa.RecordBatch)):
        return repr((x.to_pylist(), x.schema))
    return repr(x if isinstance(x, list) else (x.tolist(), x.dtype))


def attempt(kind, made, relation, caplog):
    """Fit and predict; the words of a refusal, or ``None``."""
    x, label, both, declared = made
    ledger = Ledger.memory(epsilon=1, relation=relation)
    given = {"domain": declared, "bins": 4, "relation": relation, "ledger": ledger}
    model = kind(**given, rng=seeded(1))
    many = isinstance(model, MultiTaskClassifier)
    y = both if many else label
    before = contents(x), contents(y)
    caplog.clear()
    told = None
    try:
        model.fit(x, y)
    except BadInput as wrong:
        told = str(wrong)
        assert not ledger.entries, "refused after the charge"
        seen = [told]
    else:
        predicted = model.predict(x)
        assert len(predicted) == len(y)
        assert set(np.ravel(predicted).tolist()) <= {0, 1}
        parts = model.estimators_ if many else [model]
        for one in parts:
            one.rng = None
        if many:
            model.estimator.rng = None
        seen = [model.describe(), repr(model), str(vars(model)), pickle.dumps(model)]
        seen += [json.dumps(one.to_dict()) for one in parts]
        seen += [str(one.certificate_) for one in parts]
        seen += [repr(one.release_) for one in parts]
    seen += [caplog.text, repr(ledger), str(ledger.entries)]
    for text in seen:
        data = text if isinstance(text, bytes) else text.encode()
        assert not any(canary in data for canary in CANARIES)
    assert (contents(x), contents(y)) == before
    return told


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("block", long_ones(range(4), 2, 3))
def test_odd_tables(block, caplog):
    caplog.set_level(logging.DEBUG)
    public = np.random.default_rng(block)
    answers = refusals = 0
    for number in range(360):
        kind = KINDS[public.integers(len(KINDS))]
        relation = ("replace-one", "add-remove", "label")[public.integers(3)]
        state = public.bit_generator.state
        told = []
        for side in (0, 1):
            public.bit_generator.state = state
            made = table(public, np.random.default_rng([block, number, side]))
            told.append(attempt(kind, made, relation, caplog))
        assert told[0] == told[1], "the words hang on private values"
        answers += told[0] is None
        refusals += told[0] is not None
    assert answers > 150
    assert refusals > 5


def test_the_search_finds_what_it_looks_for():
    kept = pickle.dumps({"x": np.full(2, NUMBER)}), json.dumps({"x": NUMBER}).encode()
    assert all(any(canary in data for canary in CANARIES) for data in kept)
