"""What classifiers share: the type of the labels decides nothing, and weights are refused."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import tacit
from tacit import Ledger
from tacit.checks.testing import seeded
from tacit.core import BadInput
from tacit.estimators import (
    MultiTaskClassifier,
    StumpClassifier,
    ThresholdClassifier,
    TreeClassifier,
)

X = np.random.default_rng(0).integers(0, 8, (400, 1))


def tree(**more):
    return TreeClassifier(domain=[(0, 8)], ledger=Ledger.memory(), rng=seeded("tree"), **more)


def threshold(**more):
    return ThresholdClassifier(domain=8, ledger=Ledger.memory(), rng=seeded("cut"), **more)


def several(**more):
    return MultiTaskClassifier(tree(**more))


@pytest.mark.parametrize("make", [tree, threshold, several])
@pytest.mark.parametrize("classes", [(0, 1), (False, True), (0, 3), (0.0, 1.0)])
def test_one_missing_label_does_not_decide_whether_there_is_a_release(make, classes):
    """pandas makes floats of all labels then, and these were refused as a regression."""
    whole = pd.Series(np.where(X[:, 0] >= 4, classes[1], classes[0]).astype(int))
    at = int(np.flatnonzero(X[:, 0] < 4)[0])
    gap = whole.where(whole.index != at)
    assert gap.dtype == np.float64
    assert whole.dtype == np.int64
    rules = []
    for labels in (whole, gap):
        y = pd.DataFrame({"a": labels, "b": labels}) if make is several else labels
        fitted = make(classes=classes).fit(X, y)
        rules.append(fitted.describe())
        assert set(fitted.predict(X).ravel()) <= set(classes)
    assert rules[0] == rules[1]  # a missing label counts as the negative one, as it was


@pytest.mark.parametrize("make", [tree, threshold, several])
def test_numbers_that_were_not_declared_count_as_the_negative_label(make):
    """pandas says of floats only what the records are; an array that is one is refused."""
    y = np.random.default_rng(1).normal(size=400)
    y, none = (np.stack([one, one], 1) if make is several else one for one in (y, 0 * y))
    form = pd.DataFrame if make is several else pd.Series
    assert make().fit(X, form(y)).describe() == make().fit(X, form(none)).describe()
    floats = make(classes=(0.0, 1.0))
    assert floats.fit(X, y).describe() == make(classes=(0.0, 1.0)).fit(X, none).describe()
    with pytest.raises(BadInput, match="regression is out of scope") as refused:
        make().fit(X, y)
    assert "Name them: classes=" in str(refused.value)
    assert "nothing was charged" in str(refused.value)


@pytest.mark.parametrize("make", [tree, threshold, several])
def test_weights_are_out_of_scope(make):
    model = make()
    y = np.zeros((400, 2) if make is several else 400)
    with pytest.raises(BadInput, match="sample_weight is out of scope"):
        model.fit(X, y, sample_weight=np.ones(400))
    with pytest.raises(BadInput, match="no argument called 'weights'"):
        model.fit(X, y, weights=np.ones(400))
    base = model.estimator if make is several else model
    assert not base.ledger.entries


@pytest.mark.parametrize(
    ("kind", "classes", "refused"),
    [
        (np.float64, ("no", "yes"), True),
        (np.float32, (0, 2**200), True),
        (np.float64, (0, 2**1100), True),
        (np.float64, (0, 3), False),
        (np.float32, (0.0, 1.0), False),
    ],
)
def test_measurements_are_refused_by_type_and_declared_labels_alone(kind, classes, refused):
    """Regression is out of scope; what only the records could tell is not asked of them."""
    book = Ledger.memory(1)
    made = StumpClassifier(domain=(0, 1), classes=classes, ledger=book)
    x = np.linspace(0, 1, 50).reshape(-1, 1)
    for y in ((x[:, 0] > 0.5).astype(kind), (7.3 * x[:, 0]).astype(kind)):
        before = len(book.entries)
        if refused:
            with pytest.raises(BadInput, match="cannot occur; nothing was charged"):
                made.fit(x, y)
        else:
            made.set_params(epsilon="0.1").fit(x, y)
        assert len(book.entries) == before + (not refused)
    assert "egression is out of scope" in (TreeClassifier.__doc__ or "")


@pytest.mark.parametrize("classes", [None, (), "continuous", (0,)])
def test_a_classifier_without_two_labels_says_that_regression_is_out_of_scope(classes):
    with pytest.raises(BadInput, match="Regression is out of scope"):
        tree(classes=classes).fit(X, X[:, 0])


MEASURED = pd.DataFrame({"age": X[:, 0], "cost": np.linspace(0, 1000, len(X))})


@pytest.mark.parametrize("kind", ["arrow", "array", "parquet", "file"])
def test_a_column_of_measurements_is_refused_by_its_type_before_the_charge(kind, tmp_path):
    """Where no label value is named; where both are, it has them."""
    path, book = tmp_path / "d.parquet", Ledger.memory(9)
    MEASURED.to_parquet(path)
    frame = pa.Table.from_pandas(MEASURED)
    model = TreeClassifier(domain={"age": (0, 8)}, ledger=book)

    def learned(**values):
        if kind == "file":
            named = {"classes": (0.0, 1.0)} if values else {}
            return model.set_params(**named).fit_file(path, label="cost")
        data = {
            "arrow": frame,
            "array": (MEASURED[["age"]], MEASURED["cost"].to_numpy()),
            "parquet": path,
        }[kind]
        label = {} if kind == "array" else {"label": "cost"}
        return tacit.learn(model.task(), data, ledger=book, **label, **values)

    with pytest.raises(BadInput, match=r"regression is out of scope.*nothing was charged"):
        learned()
    assert not book.entries
    learned(positive=1, negative=0)
    assert len(book.entries) == 1


def test_what_pandas_or_a_text_file_holds_is_not_asked(tmp_path):
    """There only the records would tell, and a missing label makes floats of whole numbers."""
    MEASURED.to_csv(tmp_path / "d.csv", index=False)
    model = TreeClassifier(domain={"age": (0, 8)}, ledger=Ledger.memory(9))
    for data in (MEASURED, tmp_path / "d.csv"):
        tacit.learn(model.task(), data, label="cost", ledger=Ledger.memory(9))
    model.fit(MEASURED[["age"]], MEASURED["cost"])
