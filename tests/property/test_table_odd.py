"""A thousand odd tables: a total answer or clear public words, and never a private value."""

from functools import partial

import numpy as np
import pandas as pd
import pytest

from tacit import Ledger
from tacit.core import BadInput
from tacit.estimators.tables import (
    BoxClassifier,
    ConjunctionClassifier,
    HalfspaceClassifier,
    StumpClassifier,
    TreeClassifier,
)
from tacit.testing import seeded

SECRET = "secret-4711"
ODD = [None, float("nan"), float("inf"), -float("inf"), SECRET, "", True, 10**30, b"\xff", (), {}]


def column(rng, rows):
    kind = rng.integers(6)
    if kind == 0:
        return np.full(rows, 7.25)
    if kind == 1:
        return rng.normal(size=rows)
    if kind == 2:
        return rng.integers(-5, 5, rows)
    if kind == 3:
        return rng.integers(0, 2, rows).astype(bool)
    picks = rng.integers(0, len(ODD), rows)
    out = np.empty(rows, dtype=object)
    for row, pick in enumerate(picks):
        out[row] = ODD[pick] if kind == 4 else (SECRET if pick % 2 else "a")
    return out


def declaration(rng):
    options = [(-3, 3), range(-2, 4), ("a", "b", "c"), bool, ("only",)]
    options += [{"kind": "number", "low": -1, "high": 1, "missing": True}]
    options += [{"kind": "category", "values": ["a", 1], "missing": True}]
    return options[rng.integers(len(options))]


def table(rng):
    rows = int(rng.choice([0, 1, 2, 5, 40]))
    width = int(rng.integers(1, 5))
    columns = [column(rng, rows) for _ in range(width)]
    labels = column(rng, rows) if rng.integers(2) else rng.integers(0, 2, rows)
    if rng.integers(4) == 0:
        labels = np.ones(rows, dtype=int)
    shape = rng.integers(3)
    if shape == 0:
        x = pd.DataFrame({f"c{place}": values for place, values in enumerate(columns)})
    else:
        x = np.empty((rows, width), dtype=object)
        for place, values in enumerate(columns):
            x[:, place] = values
        if shape == 2:
            x = [list(row) for row in x]
    declared = [declaration(rng) for _ in range(width + int(rng.integers(12) == 0))]
    return x, labels, declared


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("block", range(4))
def test_odd_tables(block):
    rng = np.random.default_rng(block)
    kinds = (
        TreeClassifier,
        StumpClassifier,
        ConjunctionClassifier,
        HalfspaceClassifier,
        partial(ConjunctionClassifier, form="cnf"),
        partial(ConjunctionClassifier, form="dnf", columns=3),
        partial(BoxClassifier, columns=3),
    )
    answers = refusals = 0
    for _ in range(250):
        x, y, declared = table(rng)
        kind = kinds[rng.integers(len(kinds))]
        relation = ("replace-one", "add-remove", "label")[rng.integers(3)]
        model = kind(
            domain=declared,
            bins=4,
            relation=relation,
            ledger=Ledger.memory(epsilon=1),
            rng=seeded(1),
        )
        before = repr(x), repr(y)
        told = ""
        try:
            model.fit(x, y)
        except BadInput as wrong:
            told = str(wrong)
        if told:
            assert SECRET not in told
            assert not model.ledger.entries, "refused after the charge"
            refusals += 1
        else:
            predicted = model.predict(x)
            assert len(predicted) == len(y)
            assert set(predicted.tolist()) <= {0, 1}
            words = f"{model.describe()} {model.to_dict()} {model} {model.certificate_}"
            assert SECRET not in words
            answers += 1
        assert (repr(x), repr(y)) == before
    assert answers > 150
    assert refusals > 5
