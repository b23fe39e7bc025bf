"""Tests of ``tacit.estimators.tables``."""

from tacit.cli.learn_table import MODELS
from tacit.estimators import tables


def test_every_named_model_exists():
    assert all(hasattr(tables, name) for name in MODELS.values())
