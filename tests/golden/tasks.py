"""The tasks and records that golden releases are made of: every algorithm takes one of them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from tests.golden import made_up

from tacit.classes import (
    Boxes,
    GridBalls,
    GridHalfspaces,
    KTermDnf,
    Lines,
    OneWaySequences,
    Parities,
    Paths,
    Points,
    PseudorandomPoints,
    RealThresholds,
    Scores,
    SetTrees,
    Stumps,
    Table,
    Thresholds,
    Trees,
)
from tacit.core import Accuracy, Privacy, Task
from tacit.domains import Schema, uniform_cube
from tacit.problems.protocols.found import Represented
from tacit.problems.tables.additive_rules import AdditivePoints
from tacit.problems.tables.alarms import AlarmRules
from tacit.problems.tables.best_of import AnyOf
from tacit.problems.tables.best_rules import BestRules
from tacit.problems.tables.boosted_rules import BoostedTrees
from tacit.problems.tables.fitting_trees import FittingTrees
from tacit.problems.tables.grown_formulas import GrownFormulas
from tacit.problems.tables.grown_trees import GrownTrees
from tacit.problems.tables.informed import InformedTrees
from tacit.problems.tables.shared_trees import EitherTrees, SharedTrees
from tacit.problems.tables.trees import TreeRule
from tacit.queries import Marginals
from tacit.sources.public import public_records

MATRIX = np.array([[0, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 1], [1, 1, 1, 0]])
TABLE = Schema.of([(0, 1), bool], bins=4)
LETTERS = Schema.of([tuple("abcde"), bool])


@dataclass(frozen=True, kw_only=True)
class Case:
    """A class, how ``n`` records of it are made up, and what its tasks ask besides."""

    name: str
    concepts: Any
    records: Callable[[int], Any]
    more: dict[str, Any]
    relation: str = "replace-one"
    rows: int = 0
    """How many rows each person has; 0 where records are protected."""

    def task(self, delta: Fraction) -> Task:
        persons = {"unit": "person", "rows_per_unit": self.rows} if self.rows else {}
        return Task(
            self.concepts,
            privacy=Privacy(1, delta, self.relation, **persons),
            accuracy=Accuracy("0.25", "0.25"),
            **self.more,
        )


def _column(name: str, size: int, *rules: Callable[[Any], bool]) -> Callable[[int], Any]:
    def records(n: int) -> Any:
        x = made_up.integers(name, n, size)
        y = [made_up.labels(f"{name}/{place}", x, rule) for place, rule in enumerate(rules)]
        return (x, y[0]) if len(y) == 1 else (x, np.stack(y, axis=1))

    return records


def _bits(name: str, width: int, *rules: Callable[[Any], bool], size: int = 2) -> Any:
    def records(n: int) -> Any:
        x = made_up.rows(name, n, width, size)
        y = [made_up.labels(f"{name}/{place}", x, rule) for place, rule in enumerate(rules)]
        return (x, y[0]) if len(y) == 1 else (x, np.stack(y, axis=1))

    return records


def _reals(n: int) -> Any:
    x = made_up.rows("reals", n, 1, 1000) / 1000
    return x, made_up.labels("reals", x, lambda row: row[0] >= 0.375)


def _letters(n: int) -> Any:
    cells = made_up.rows("letters", n, 2, 6).tolist()
    x = np.array([("abcdef"[a], b < 3) for a, b in cells], dtype=object)
    return x, made_up.labels("letters", x, lambda row: row[0] in "ad")


def _table(n: int) -> Any:
    cells = made_up.rows("table", n, 2, 1000)
    x = np.array([(a / 1000, b < 500) for a, b in cells.tolist()], dtype=object)
    return x, made_up.labels("table", x, lambda row: row[0] >= 0.5 or row[1])


def _three(n: int) -> Any:
    x, y = _table(n)
    return x, np.where(np.array([row[1] for row in x.tolist()], dtype=bool), 2, y)


def _two_labels(n: int) -> Any:
    x, y = _table(n)
    return x, np.stack([y, [row[0] >= 0.25 for row in x.tolist()]], axis=1)


def _unlabelled(name: str, size: int) -> Callable[[int], Any]:
    return lambda n: made_up.integers(name, n, size)


def cases() -> Iterator[Case]:
    """Every kind of task that some algorithm takes."""

    def case(name: str, concepts: Any, records: Any, relation: str = "replace-one", **more: Any):
        return Case(name=name, concepts=concepts, records=records, relation=relation, more=more)

    at = [lambda x: x == 32, lambda x: x == 33]
    from_on = [lambda x: x >= 24, lambda x: x >= 40]
    odd = [lambda row: row[0] ^ row[2], lambda row: row[1] ^ row[2]]
    points, thresholds = Points(bits=6), Thresholds(bits=6)
    for output in ("any", "proper", "improper"):
        yield case(f"points, {output}", points, _column("points", 64, at[0]), output=output)
        yield case(
            f"thresholds, {output}",
            thresholds,
            _column("thresholds", 64, from_on[0]),
            output=output,
        )
    for relation in ("add-remove", "label"):
        yield case(f"points, {relation}", points, _column("points", 64, at[0]), relation)
        yield case(
            f"thresholds, {relation}", thresholds, _column("thresholds", 64, from_on[0]), relation
        )
    agnostic = {"setting": "agnostic"}
    yield case("points, agnostic", points, _column("points", 64, at[0]), **agnostic)
    yield case(
        "thresholds, agnostic", thresholds, _column("thresholds", 64, from_on[0]), **agnostic
    )
    yield Case(
        name="thresholds of persons",
        concepts=thresholds,
        records=_column("thresholds of persons", 64, from_on[0]),
        more={"rows": "independent"},
        rows=3,
    )
    yield case(
        "one-way marginals",
        Marginals(TABLE, ways=1),
        lambda n: _table(n)[0],
        goal="sanitize",
    )
    yield case("listed class", Table(MATRIX), _column("listed", 4, lambda x: x in (1, 3)))
    yield case("represented", Represented.tiny(), _column("represented", 2, lambda x: x == 1))
    yield case(
        "represented, agnostic",
        Represented.tiny(),
        _column("represented, agnostic", 2, lambda x: x == 1),
        **agnostic,
    )
    yield case("two points", points, _column("two points", 64, *at), k=2)
    yield case("two thresholds", Thresholds(bits=4), _column("two", 16, *from_on), k=2)
    large = [lambda x: x == 1 << 39, lambda x: x == (1 << 39) + 1]
    yield case("points of 40 bits", Points(bits=40), _column("40 bits", 1 << 40, large[0]))
    yield case(
        "points of 40 bits, label",
        Points(bits=40),
        _column("40 bits, label", 1 << 40, large[0]),
        "label",
    )
    two_large = _column("two of 40 bits", 1 << 40, *large)
    yield case("two points of 40 bits", Points(bits=40), two_large, k=2)
    two = [lambda x: x == 0, lambda x: x in (1, 3)]
    yield case("two listed", Table(MATRIX), _column("two listed", 4, *two), k=2)
    uniform = {"marginal": "uniform"}
    yield case("thresholds, uniform", thresholds, _column("thresholds", 64, from_on[0]), **uniform)
    yield case("parities", Parities(bits=4), _bits("parities", 4, odd[0]), **uniform)
    yield case("two parities", Parities(bits=4), _bits("two parities", 4, *odd), k=2, **uniform)
    yield case("parities, any marginal", Parities(bits=4), _bits("parities", 4, odd[0]))
    line = _bits("lines", 2, lambda row: (row[0] + row[1]) % 5 == 1, size=5)
    yield case("lines", Lines(size=5), line)
    grid = _bits("grid", 2, lambda row: row[0] + row[1] >= 3, size=4)
    for surfaces in (GridHalfspaces(bits=2), GridBalls(bits=1)):
        yield case(f"{surfaces.name}, label", surfaces, grid, "label")
    path = [lambda x: x in (1, 3, 6, 13)]
    yield case("paths", Paths(bits=3), _column("paths", 16, *path))
    sequences = OneWaySequences(index_bits=2, seed_bits=4)
    yield case("one-way sequences", sequences, _column("one-way", 64, lambda x: x >= 48))
    pseudorandom = PseudorandomPoints(bits=8, seed_bits=4)
    yield case(
        "pseudorandom points", pseudorandom, _column("pseudorandom", 256, lambda x: x == 129)
    )
    formulas = KTermDnf(columns=4, terms=1)
    yield case("formulas", formulas, _bits("formulas", 4, lambda row: row[0] and row[3]))
    cube = {"marginal": uniform_cube(kappa=2)}
    yield case("real thresholds", RealThresholds(), _reals, **cube)
    yield case("real thresholds, label", RealThresholds(), _reals, "label")
    unlabelled = public_records(
        made_up.rows("public", 400, 1, 1000) / 1000, domain=RealThresholds().domain
    )
    yield case("real thresholds, public", RealThresholds(), _reals, public=unlabelled)
    yield case("trees", Trees(TABLE, depth=2), _table)
    yield case("stumps, add-remove", Stumps(TABLE), _table, "add-remove")
    yield case("trees of three labels", Trees(TABLE, depth=2), _three, values=3, **agnostic)
    yield case(
        "scores of three labels", Scores(TABLE, columns=2, most=1), _three, values=3, **agnostic
    )
    yield case("sets of categories", SetTrees(LETTERS, depth=2), _letters)
    yield case("trees of two labels", Trees(TABLE, depth=2), _two_labels, k=2, **agnostic)
    yield case("shared trees", SharedTrees(TABLE, depth=2), _two_labels, k=2, **agnostic)
    either = EitherTrees(TABLE, depth=2)
    yield case("own or shared trees", either, _two_labels, k=2, **agnostic)
    yield case("trees, costs", Trees(TABLE, depth=2), _table, costs={"1": 5}, **agnostic)
    yield case("best rules, balanced", BestRules(TABLE), _table, costs="balanced", **agnostic)
    three = {"values": 3, **agnostic}
    yield case(
        "trees of three labels, costs", Trees(TABLE, depth=2), _three, costs={"2": 5}, **three
    )
    scores = Scores(TABLE, columns=2, most=1)
    yield case("scores of three labels, balanced", scores, _three, costs="balanced", **three)
    for rules in (
        FittingTrees(TABLE),
        GrownTrees(TABLE, depth=5),
        BoostedTrees(TABLE, rounds=2),
        AdditivePoints(TABLE),
        Boxes(TABLE, columns=2),
        Scores(TABLE, columns=2),
        GrownFormulas(TABLE, form="dnf", columns=2, chosen=None, clauses=4),
        BestRules(TABLE),
        AnyOf((Trees(TABLE, depth=1), Boxes(TABLE, columns=1)), tries=2),
        AlarmRules(TABLE, alarms=Fraction(1, 4)),
        InformedTrees(
            TABLE, (TreeRule(schema=TABLE, root=(Trees(TABLE, depth=1).cuts[1], True, False)),)
        ),
    ):
        yield case(rules.name, rules, _table, **agnostic)
    for name, concepts, size in (
        ("points", Points(bits=4), 16),
        ("thresholds", Thresholds(bits=4), 16),
        ("listed class", Table(MATRIX), 4),
    ):
        records = _unlabelled(f"{name}, unlabelled", size)
        yield case(f"table of {name}", concepts, records, goal="sanitize")
