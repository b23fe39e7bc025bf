"""Tests of ``tacit.core.respelled``: numbers of classes by their earlier names."""

import inspect
from fractions import Fraction

import pytest

from tacit.classes import (
    Boxes,
    Conjunctions,
    Formulas,
    Halfspaces,
    Intervals,
    KTermDnf,
    Lines,
    RealBoxes,
    RealIntervals,
    RealThresholds,
    Scores,
    SetTrees,
    Stumps,
    Trees,
)
from tacit.cli import main
from tacit.core import concept_classes
from tacit.core.respelled import earlier_names, respelled
from tacit.domains import Bits, Schema, Sphere, band, caps, uniform_cube, uniform_sphere
from tacit.domains.plane import Plane
from tacit.domains.references import Reference
from tacit.problems.tables.boosted_rules import BoostedTrees
from tacit.queries import Conditions, Marginals
from tacit.report.class_records import (
    class_from_record,
    class_record,
    marginal_from_record,
    marginal_record,
)

HALF = Fraction(1, 2)
NOW = {
    "halfspaces": Halfspaces(columns=3),
    "real-boxes": RealBoxes(columns=2),
    "lines": Lines(size=7),
    "k-term-dnf": KTermDnf(columns=3, terms=2),
    "real-thresholds": RealThresholds(low=1, high=4),
    "real-intervals": RealIntervals(low=1, high=4),
}
BEFORE = {
    "halfspaces": [((3,), {}), ((), {"dimension": 3})],
    "real-boxes": [((2,), {}), ((), {"dimension": 2})],
    "lines": [((7,), {}), ((), {"p": 7})],
    "k-term-dnf": [((), {"variables": 3, "terms": 2})],
    "real-thresholds": [((1, 4), {})],
    "real-intervals": [((1, 4), {}), ((1,), {"high": 4})],
}


@pytest.mark.parametrize("name", NOW)
def test_earlier_spellings_make_the_same_class_and_warn(name):
    kind = type(NOW[name])
    for given, named in BEFORE[name]:
        with pytest.warns(DeprecationWarning, match="now") as told:
            assert kind(*given, **named) == NOW[name]
        assert told[0].filename == __file__, "the warning is about the caller's line"


SCHEMA = Schema.of([bool, bool, bool])
PAIRS = ((0, 1),)


@pytest.mark.parametrize(
    ("now", "before"),
    [
        (Trees(SCHEMA, depth=1, leaf=HALF), lambda: Trees(SCHEMA, 1, HALF)),
        (Trees(SCHEMA, depth=1, leaf=HALF), lambda: Trees(SCHEMA, 1, leaf=HALF)),
        (Stumps(SCHEMA, depth=0), lambda: Stumps(SCHEMA, 0)),
        (SetTrees(SCHEMA, depth=1), lambda: SetTrees(SCHEMA, 1)),
        (Boxes(SCHEMA, columns=2, chosen=PAIRS), lambda: Boxes(SCHEMA, 2, PAIRS)),
        (Conjunctions(SCHEMA, columns=1), lambda: Conjunctions(SCHEMA, 1)),
        (Intervals(SCHEMA, columns=1), lambda: Intervals(SCHEMA, 1)),
        (Formulas(SCHEMA, form="dnf", columns=1), lambda: Formulas(SCHEMA, "dnf", 1)),
        (Scores(SCHEMA, columns=2, most=1), lambda: Scores(SCHEMA, 2, 1)),
        (BoostedTrees(SCHEMA, rounds=1), lambda: BoostedTrees(SCHEMA, 1)),
        (Marginals(SCHEMA, ways=1), lambda: Marginals(SCHEMA, 1)),
        (Conditions(SCHEMA, ways=1), lambda: Conditions(SCHEMA, 1)),
        (Bits(columns=3), lambda: Bits(3)),
        (Bits(columns=3), lambda: Bits(length=3)),
        (Plane(size=5), lambda: Plane(5)),
        (Plane(size=5), lambda: Plane(p=5)),
        (Sphere(columns=3), lambda: Sphere(3)),
        (Sphere(columns=3), lambda: Sphere(dimension=3)),
        (Reference("sphere", columns=3), lambda: Reference("sphere", 3)),
        (Reference("cube", columns=3), lambda: Reference("cube", dimension=3)),
        (uniform_cube(columns=2), lambda: uniform_cube(2)),
        (uniform_sphere(columns=3, kappa=2), lambda: uniform_sphere(dimension=3, kappa=2)),
        (band(columns=3, gamma=HALF), lambda: band(3, gamma=HALF)),
        (caps(columns=3, gamma=HALF), lambda: caps(3, gamma=HALF)),
    ],
)
def test_numbers_after_a_schema_and_of_domains_keep_their_earlier_spelling(now, before):
    with pytest.warns(DeprecationWarning, match=" now") as told:
        assert before() == now
    assert {one.filename for one in told} == {__file__}


def test_every_public_class_takes_its_numbers_by_name():
    seen = 0
    for kind in concept_classes().values():
        for name, parameter in inspect.signature(kind).parameters.items():
            named = parameter.kind is inspect.Parameter.KEYWORD_ONLY
            assert named or name in ("schema", "matrix"), f"{kind.__name__} {name}"
            seen += named
    assert seen > 30


def test_a_number_is_given_once_and_no_more_than_there_are():
    with pytest.warns(DeprecationWarning, match="now"), pytest.raises(TypeError, match="twice"):
        Halfspaces(3, columns=3)
    with pytest.warns(DeprecationWarning, match="now"), pytest.raises(TypeError, match="twice"):
        Lines(p=3, size=3)
    with pytest.warns(DeprecationWarning, match="now"), pytest.raises(TypeError):
        Lines(3, 4)
    with pytest.raises(TypeError):
        Lines(prime=3)


OLD_FILES = {
    "lines": {"kind": "Lines", "p": 7},
    "k-term-dnf": {"kind": "KTermDnf", "variables": 3, "terms": 2},
    "halfspaces": {"kind": "Halfspaces", "dimension": 3},
}


@pytest.mark.parametrize("name", OLD_FILES)
def test_files_are_read_and_written_as_before(name):
    assert class_from_record(OLD_FILES[name]) == NOW[name]
    assert class_record(NOW[name]) == OLD_FILES[name]


@pytest.mark.parametrize(
    ("words", "old", "new"),
    [
        ("halfspaces --marginal uniform", "--dimension", "--columns"),
        ("real-boxes --marginal uniform", "--dimension", "--columns"),
        ("lines --delta 1e-6 --setting realizable", "--p", "--size"),
        ("k-term-dnf --terms 1 --setting realizable", "--variables", "--columns"),
    ],
)
def test_the_command_line_takes_both_and_tells(words, old, new, capsys):
    plan = ["plan", "--epsilon", "1", "--class", *words.split()]
    assert main([*plan, new, "3"]) == 0
    now = capsys.readouterr()
    assert main([*plan, old, "3"]) == 0
    before = capsys.readouterr()
    assert before.out == now.out
    assert before.err == f"note: {old} is called {new} now\n{now.err}"
    assert main([*plan, old, "3", new, "3"]) == 2


def test_a_class_without_earlier_names_has_none():
    @respelled("size")
    class Few:
        def __init__(self, *, size):
            self.size = size

    assert earlier_names(Few) == {}
    assert earlier_names(int) == {}
    with pytest.warns(DeprecationWarning, match="Few takes size= by its name"):
        assert Few(3).size == 3


def test_files_name_the_columns_of_a_reference_as_before():
    record = marginal_record(uniform_sphere(columns=3))
    assert record == {"shape": "sphere", "dimension": 3, "name": "uniform", "kappa": "1"}
    assert marginal_from_record(record) == uniform_sphere(columns=3)
