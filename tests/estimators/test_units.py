"""Classifiers that protect persons: unit= is told once, and means what Privacy(unit=...) means."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone

from tacit.accounting import Ledger
from tacit.api import learn
from tacit.checks.testing import seeded
from tacit.core import BadInput
from tacit.estimators import (
    MultiTaskClassifier,
    RatedClassifier,
    StumpClassifier,
    ThresholdClassifier,
)
from tacit.planner import plan
from tacit.sources.persons import ArrayPersons

MADE = np.random.default_rng(8)

N = 3000

FRAME = pd.DataFrame({"id": MADE.integers(0, 900, N), "age": MADE.integers(0, 100, N)})

SICK = pd.Series(np.where(FRAME.age >= 60, 1, 0), name="sick")

PERSONS = FRAME.id.nunique()


def stump(**more):
    return StumpClassifier(
        domain={"age": (0, 100)}, epsilon=2, ledger=Ledger.memory(9), rng=seeded(5), **more
    )


def threshold(**more):
    return ThresholdClassifier(
        domain=100, epsilon=2, alpha=0.2, ledger=Ledger.memory(9), rng=seeded(5), **more
    )


@pytest.mark.parametrize("make", [stump, threshold])
def test_the_column_of_ids_is_no_feature(make):
    told = make(unit="id", rows_per_unit=3)
    assert told.task().privacy.unit == "id"
    assert told.task().privacy.rows_per_unit == 3
    assert plan(told.task()).runnable is not None
    assert clone(told).get_params()["unit"] == "id"
    found = []
    for frame in (FRAME, pl.from_pandas(FRAME), pa.Table.from_pandas(FRAME)):
        fitted = clone(told).set_params(rng=seeded(5)).fit(frame, SICK)
        assert fitted.certificate_.n == PERSONS
        assert fitted.certificate_.asked.unit == "id"
        assert fitted.certificate_.asked.rows_per_unit == 3
        assert fitted.n_features_in_ == 1
        assert fitted.predict(frame).tolist() == fitted.predict(FRAME[["age"]]).tolist()
        found.append(fitted.rule_)
    beside = clone(told).set_params(rng=seeded(5)).fit(FRAME[["age"]], SICK, groups=FRAME.id)
    assert all(rule == beside.rule_ for rule in found)
    assert beside.certificate_.asked.unit == "id"


@pytest.mark.parametrize("make", [stump, threshold])
def test_ids_come_from_one_place(make):
    """Those of groups= were protected, and the certificate named the column of X."""
    told = make(unit="id", rows_per_unit=3)
    for frame in (FRAME, pl.from_pandas(FRAME), pa.Table.from_pandas(FRAME)):
        for groups in (FRAME.id, np.arange(len(FRAME))):
            with pytest.raises(BadInput, match="leave out groups=, or the column 'id' of X"):
                told.fit(frame, SICK, groups=groups)
    assert not told.ledger.entries


def test_a_file_and_a_task_give_the_same_release(tmp_path):
    FRAME.assign(sick=SICK).to_csv(tmp_path / "t.csv", index=False)
    told = stump(unit="id", rows_per_unit=3)
    from_file = told.fit_file(tmp_path / "t.csv", label="sick").release_
    by_hand = learn(
        stump(unit="id", rows_per_unit=3).task(),
        FRAME.assign(sick=SICK),
        label="sick",
        negative=0,
        rng=seeded(5),
        ledger=Ledger.memory(9),
    )
    assert from_file.value == by_hand.value
    assert from_file.certificate.n == PERSONS


@pytest.mark.parametrize("share", ["auto", 0])
def test_a_table_gives_one_row_of_each_person_however_many_are_allowed(monkeypatch, share):
    """As help, docstrings and certificates that count mistakes say."""
    asked, given = [], ArrayPersons.at_most
    monkeypatch.setattr(
        ArrayPersons, "at_most", lambda self, rows: asked.append(rows) or given(self, rows)
    )
    told = stump(unit="id", rows_per_unit=3, error_share=share).fit(FRAME, SICK).certificate_
    assert set(asked) == {1}
    if share:
        assert "one row of each is used (up to 3 were allowed)" in told.to_markdown()


@pytest.mark.parametrize("make", [stump, threshold])
def test_what_cannot_protect_persons_says_so(make):
    told = make(unit="id")
    with pytest.raises(BadInput, match="pass groups="):
        told.fit(FRAME[["age"]], SICK)
    with pytest.raises(BadInput, match="X is a lazy frame"):
        told.fit(pl.from_pandas(FRAME).lazy(), SICK)
    assert not told.ledger.entries
    with pytest.raises(BadInput, match="rows_per_unit needs unit"):
        make(rows_per_unit=2).fit(FRAME[["age"]], SICK)
    if make is threshold:
        with pytest.raises(BadInput, match="several labels of persons need rules over a table"):
            MultiTaskClassifier(told).fit(FRAME, np.stack([SICK, SICK], axis=1))
    with pytest.raises(BadInput, match="counts rows"):
        told.fit(FRAME, SICK).private_score(FRAME, SICK, epsilon=1)


@pytest.mark.parametrize("wrap", [lambda one: one, RatedClassifier], ids=["alone", "rated"])
def test_rows_of_a_person_in_a_file_need_the_column_of_ids(tmp_path, wrap):
    FRAME.assign(sick=SICK).to_csv(tmp_path / "t.csv", index=False)
    base = stump()
    with pytest.raises(BadInput, match="rows_per_unit needs unit"):
        wrap(base).fit_file(tmp_path / "t.csv", label="sick", rows_per_unit=3)
    assert not base.ledger.entries


@pytest.mark.parametrize("rows", [1, 3])
def test_rates_are_of_the_rows_that_are_kept(tmp_path, rows):
    model = RatedClassifier(stump(unit="id", rows_per_unit=rows)).fit(FRAME, SICK)
    assert model.rated_.scale == 2 * rows / model.certificate_.rates.epsilon
    kept = np.minimum(FRAME.groupby("id").size(), rows).sum()
    off = 2 * model.rated_.parts * model.certificate_.rates.within
    assert abs(sum(model.rated_.positives + model.rated_.others) - kept) <= off < PERSONS
    assert model.certificate_.epsilon == 2
    assert model.certificate_.n == PERSONS
    told = "one row of each person" if rows == 1 else "at most 3 rows of each person"
    assert f"the rows of each label ({told}) were counted" in str(model.certificate_)
    FRAME.assign(sick=SICK).to_csv(tmp_path / "t.csv", index=False)
    for other in (
        RatedClassifier(stump()).fit(FRAME[["age"]], SICK, groups=FRAME.id, rows_per_unit=rows),
        RatedClassifier(stump()).fit_file(
            tmp_path / "t.csv", label="sick", unit="id", rows_per_unit=rows
        ),
    ):
        assert other.rated_ == model.rated_
        assert np.array_equal(other.predict_proba(FRAME[["age"]]), model.predict_proba(FRAME))
    if rows == 1:
        assert all(low <= high for low, high in model.rate_intervals())
    else:
        with pytest.raises(BadInput, match="several rows of one person are not"):
            model.rate_intervals()
