"""Paths: their dimensions, their words, and what they are written as."""

import numpy as np
import pytest

import tacit
from tacit.classes import Paths, Table
from tacit.core import BadInput, hypothesis_from_dict
from tacit.problems.paths.paths import PathRule


@pytest.mark.parametrize("bits", [1, 2, 3])
def test_dimensions_are_those_of_the_listed_class(bits):
    paths = Paths(bits=bits)
    ends = range(1, paths.size + 1)
    rows = [paths.hypothesis(end).predict(np.arange(paths.domain.size)) for end in ends]
    table = Table(np.array(rows))
    assert tacit.dimensions.vc(table).value == paths.vc
    assert tacit.dimensions.littlestone(table).value == paths.littlestone


def test_a_path_is_its_end_and_all_above_it():
    rule = Paths(bits=3).hypothesis(13)
    assert np.flatnonzero(rule.predict(np.arange(16))).tolist() == [1, 3, 6, 13]
    assert rule.describe() == "1 if x is one of {13, 6, 3, 1}, else 0"
    assert hypothesis_from_dict(rule.to_dict()) == rule
    deep = Paths(bits=300).hypothesis((1 << 300) + 1)
    assert deep.predict([1, 2, 3, (1 << 300) + 1]).tolist() == [True, True, False, True]
    assert hypothesis_from_dict(deep.to_dict()) == deep


def test_bad_paths_are_refused():
    with pytest.raises(BadInput, match="bits"):
        Paths(bits=0)
    with pytest.raises(BadInput, match="below 4096"):
        Paths(bits=4096)
    with pytest.raises(BadInput, match="domain"):
        PathRule(domain=Paths(bits=2).domain, node=8)
