"""Tests of ``tacit.classes``."""

from tests.cli.class_words import OPTIONS

import tacit.classes
from tacit.cli.classes import public_classes


def test_every_public_class_has_a_name_and_an_example():
    assert set(public_classes().values()) == {
        getattr(tacit.classes, name) for name in tacit.classes.__all__
    }
    assert set(OPTIONS) == set(public_classes())
