"""scikit-learn's own checks, with the privacy reason for each one that we fail."""

import copy
import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import check_estimator

from tacit import BudgetRefused, Ledger
from tacit.checks.testing import seeded
from tacit.estimators import MatrixClassifier, PointClassifier, ThresholdClassifier

REASONS = {
    "check_estimators_empty_data_messages": "no records is an input like any other: the answer "
    "is a draw from the uniform law, since an error would tell that there were none",
    "check_classifiers_one_label": "that all labels are equal is private, so the rule is drawn "
    "with the usual noise",
    "check_classifiers_classes": "the labels are declared, never read off y",
    "check_classifiers_regression_target": "an error about the values of y would tell about y; "
    "undeclared labels count as the negative one",
    "check_supervised_y_no_nan": "a missing label counts as the negative one and is not reported",
    "check_classifier_not_supporting_multiclass": "how many labels occur is private; undeclared "
    "ones count as the negative one",
    "check_classifier_data_not_an_array": "two fits differ by their private randomness",
    "check_fit_idempotent": "two fits differ by their private randomness",
    "check_supervised_y_2d": "two fits differ by their private randomness (the warning is given)",
}

ESTIMATORS = {
    "threshold": lambda **more: ThresholdClassifier(domain=64, **more),
    "point": lambda **more: PointClassifier(domain=64, **more),
    "table": lambda **more: MatrixClassifier(domain=np.eye(8, dtype=int), **more),
}


@pytest.fixture(params=ESTIMATORS)
def make(request):
    return ESTIMATORS[request.param]


@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_checks(make):
    results = check_estimator(make(), expected_failed_checks=REASONS, on_fail=None)
    failed = [(r["check_name"], r["exception"]) for r in results if r["status"] == "failed"]
    assert not failed
    passed = sum(r["status"] == "passed" for r in results)
    assert passed >= 43


def _table(n=60):
    rng = np.random.default_rng(3)
    X = rng.integers(0, 64, (n, 3))
    return X, (X[:, 0] >= 20).astype(int)


def test_clone_keeps_the_very_ledger(make):
    ledger = Ledger.memory(epsilon=10)
    estimator = make(ledger=ledger)
    assert clone(estimator).ledger is ledger
    assert copy.deepcopy(estimator).ledger is ledger


def test_cross_validation_pays_for_every_fold(make):
    ledger = Ledger.memory(epsilon=10)
    X, y = _table()
    cross_val_score(make(ledger=ledger, setting="realizable"), X, y, cv=5)
    assert len(ledger.entries) == 5
    with pytest.raises(BudgetRefused):
        cross_val_score(
            make(ledger=Ledger.memory(epsilon=3), setting="realizable"),
            X,
            y,
            cv=5,
            error_score="raise",
        )


def test_cross_validation_in_processes_never_escapes(make, tmp_path):
    X, y = _table()
    stored = Ledger.open(tmp_path / "book.db", epsilon=10)
    cross_val_score(make(ledger=stored, setting="realizable"), X, y, cv=4, n_jobs=2)
    assert len(Ledger.open(tmp_path / "book.db").entries) == 4
    # A copy of a ledger in memory cannot spend in another process.
    with pytest.raises(BudgetRefused):
        cross_val_score(
            make(ledger=Ledger.memory(epsilon=10)), X, y, cv=4, n_jobs=2, error_score="raise"
        )


def test_refusal_costs_nothing(make):
    ledger = Ledger.memory(epsilon="1/10")
    X, y = _table()
    with pytest.raises(BudgetRefused):
        make(ledger=ledger, setting="realizable").fit(X, y)
    assert not ledger.entries


def test_nothing_of_the_data_is_kept(make):
    X = np.full((50, 1), 61)
    estimator = make(rng=seeded(1)).fit(X, np.ones(50, dtype=int))
    text = repr(estimator) + str(estimator.__dict__) + str(estimator.to_dict())
    assert "Sample" not in text
    public = {"release_", "rule_", "certificate_", "classes_", "n_features_in_", "label_name_"}
    assert estimator.label_name_ is None  # an array of labels has no name
    learned = {name for name in vars(estimator) if name.endswith("_")}
    assert learned == public


def test_seeded_fit_is_marked_not_private(make):
    X, y = _table()
    fitted = make(rng=seeded(1)).fit(X, y)
    assert not fitted.release_.private
    assert "NOT PRIVATE" in fitted.certificate_.to_markdown()
    assert make().fit(X, y).release_.private


def test_fitted_rule_survives_pickling_without_the_power_to_spend(make):
    X, y = _table()
    fitted = make(ledger=Ledger.memory(epsilon=10)).fit(X, y)
    copied = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(copied.predict(X), fitted.predict(X))
    with pytest.raises(BudgetRefused):
        copied.fit(X, y)


def test_private_score_is_paid_for(make):
    X, y = _table()
    ledger = Ledger.memory(epsilon=10)
    fitted = make(ledger=ledger, rng=seeded(2)).fit(X, y)
    before = len(ledger.entries)
    score = fitted.private_score(X, y, epsilon=8)
    assert len(ledger.entries) == before + 1
    assert abs(score - fitted.score(X, y)) < 0.2


def test_labels_may_have_any_names():
    X, y = _table(400)
    words = np.where(y == 1, "sick", "well")
    fitted = ThresholdClassifier(domain=64, classes=("well", "sick"), epsilon=2, rng=seeded(5)).fit(
        X, words
    )
    assert set(fitted.predict(X)) <= {"well", "sick"}
    assert fitted.score(X, words) > 0.9


def test_frames_give_their_names_to_the_rule():
    pd = pytest.importorskip("pandas")
    X, y = _table(200)
    frame = pd.DataFrame(X, columns=["age", "b", "c"])
    fitted = ThresholdClassifier(domain=64, rng=seeded(4)).fit(frame, pd.Series(y))
    assert "age >=" in fitted.describe()
