"""scikit-learn classifiers, thin: parameters are public, attributes are released."""

from tacit.estimators.multitask import MultiTaskClassifier
from tacit.estimators.one_column import PointClassifier, TableClassifier, ThresholdClassifier

__all__ = ["MultiTaskClassifier", "PointClassifier", "TableClassifier", "ThresholdClassifier"]
