"""scikit-learn classifiers, thin: parameters are public, attributes are released."""

from tacit.estimators.one_column import PointClassifier, TableClassifier, ThresholdClassifier

__all__ = ["PointClassifier", "TableClassifier", "ThresholdClassifier"]
