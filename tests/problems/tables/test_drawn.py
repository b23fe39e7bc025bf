"""Tests of ``tacit.problems.tables.drawn``."""

from fractions import Fraction

from tacit.core import ALGORITHMS, Drawer, Measuring
from tacit.core.certify import Certifier
from tacit.problems.tables.drawn import Drawn


def test_whoever_draws_by_a_public_prior_certifies_it():
    drawing = []
    for entry in ALGORITHMS:
        built = entry.instance().make(Fraction(1))
        if isinstance(built, (Drawer, Measuring)):
            drawing.append(entry.name)
            assert isinstance(entry.certify, Drawn), entry.name
        else:
            assert isinstance(entry.certify, Certifier), entry.name
    assert len(drawing) >= 20
