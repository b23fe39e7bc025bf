"""scikit-learn's own checks on the classifiers over tables, with a reason for each failure."""

import pytest
from sklearn.utils.estimator_checks import check_estimator

from tacit.estimators import (
    BestRuleClassifier,
    ConjunctionClassifier,
    IntervalClassifier,
    RuleListClassifier,
    ScoreClassifier,
    SetTreeClassifier,
    StumpClassifier,
    TreeClassifier,
)

REASONS = {
    "check_estimators_empty_data_messages": "no records is an input like any other: an error "
    "would tell that there were none",
    "check_classifiers_one_label": "that all labels are equal is private",
    "check_classifiers_classes": "the labels are declared, never read off y",
    "check_classifiers_regression_target": "an error about the values of y would tell about y",
    "check_supervised_y_no_nan": "a missing label counts as the negative one, unreported",
    "check_classifier_not_supporting_multiclass": "how many labels occur is private",
    "check_classifier_data_not_an_array": "two fits differ by their private randomness",
    "check_fit_idempotent": "two fits differ by their private randomness",
    "check_supervised_y_2d": "two fits differ by their private randomness",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "kind",
    [
        BestRuleClassifier,
        TreeClassifier,
        RuleListClassifier,
        SetTreeClassifier,
        StumpClassifier,
        IntervalClassifier,
        ConjunctionClassifier,
        ScoreClassifier,
    ],
)
def test_scikit_learn_checks(kind):
    results = check_estimator(
        kind(domain=(-5, 5), bins=4), expected_failed_checks=REASONS, on_fail=None
    )
    failed = [(r["check_name"], r["exception"]) for r in results if r["status"] == "failed"]
    assert not failed
    assert sum(r["status"] == "passed" for r in results) >= 43
