"""Classes of queries over a schema: sizes, words, worst errors by brute force, refusals."""

from itertools import chain, combinations, product

import numpy as np
import pytest

from tacit.core import BadInput
from tacit.domains import Schema
from tacit.problems.marginals.queries import Conditions, Marginals, PrefixSums, Ranges

SCHEMA = Schema.of({"age": range(4), "ward": ("north", "south"), "smoker": bool})


def subsets(places):
    return chain.from_iterable(combinations(places, size) for size in range(len(places) + 1))


def ordered(one):
    declared = range(one.extra, one.cells)
    return [range(i, j) for i in declared for j in range(i + 1, one.cells + 1)]


def test_worst_of_a_marginal_is_the_worst_set_of_cells():
    rng = np.random.default_rng(0)
    queries = Marginals(SCHEMA, ways=1)
    for _ in range(30):
        missing = rng.integers(-5, 6, 5)
        brute = max(abs(missing[list(some)].sum()) for some in subsets(range(5)))
        assert queries.worst((0,), missing) == brute


@pytest.mark.parametrize("kind", [Ranges, PrefixSums, Conditions])
def test_worst_of_a_class_is_that_of_its_queries_and_their_complements(kind):
    rng = np.random.default_rng(1)
    queries = kind(SCHEMA, ways=1)
    one = SCHEMA.fields[0]
    assert (one.extra, one.cells, one.ordered) == (1, 5, True)
    sets = {
        "ranges": [(0,), *ordered(one), ()],
        "prefix sums": [(0,), *(range(1, j) for j in range(1, 6))],
        "conditions": [(cell,) for cell in range(5)],
    }[queries.name]
    for _ in range(50):
        missing = rng.integers(-5, 6, 5)
        sums = [missing[list(some)].sum() for some in sets]
        brute = max(max(abs(one), abs(missing.sum() - one)) for one in sums)
        assert queries.worst((0,), missing) == brute


def test_parts_and_sizes():
    assert Marginals(SCHEMA).parts == ((0, 1), (0, 2), (1, 2))
    assert Marginals(SCHEMA, ways=3).parts == ((0, 1, 2),)
    assert Marginals(SCHEMA, ways=1).size == 2**5 + 2**3 + 2**3
    assert Conditions(SCHEMA, ways=2).parts == ((0,), (1,), (2,), (0, 1), (0, 2), (1, 2))
    assert Ranges(SCHEMA).size == (1 + 10) + (1 + 2) + (1 + 3)
    assert PrefixSums(SCHEMA).size == 5 + 3 + 3


def test_words():
    assert Marginals(SCHEMA).describe() == (
        "all 3 two-way marginals of a table of 3 public columns with 11 cells in all"
    )
    assert Marginals(SCHEMA).promise == "every two-way marginal (in total variation)"
    assert Conditions(SCHEMA).promise == "every count under at most 2 conditions"
    about = {"ways": 2, "about": "smoker"}
    assert Marginals(SCHEMA, **about).describe() == (
        "all 2 two-way marginals with smoker of a table of 3 public columns with 11 cells in all"
    )
    assert Marginals(SCHEMA, **about).promise == (
        "every two-way marginal with smoker (in total variation)"
    )
    assert Conditions(SCHEMA, **about).promise == (
        "every count under at most 2 conditions (under 2 only if one is on smoker)"
    )
    assert repr(Marginals(SCHEMA, **about)).endswith("ways=2, about='smoker')")


def test_queries_about_a_column_all_name_it():
    pairs = Marginals(SCHEMA, ways=2, about="ward")
    assert pairs.parts == ((0, 1), (1, 2))
    assert pairs.together(1) == ((0,), (1,), (2,))
    assert Conditions(SCHEMA, ways=2, about="ward").parts == ((0,), (1,), (2,), (0, 1), (1, 2))
    four = Schema.of(dict.fromkeys("abcd", bool))
    triples = Marginals(four, ways=3, about="d")
    assert triples.parts == ((0, 1, 3), (0, 2, 3), (1, 2, 3))
    assert len(triples.together(2)) == 6  # each pair is part of a triple with d


def test_errors_of_large_tables_are_exact():
    queries = Marginals(Schema.of([bool]).declared_complete(), ways=1)
    n, rows = 3 * 10**9, 2 * 10**9 + 1
    truth, table = {(0,): np.array([n - 1, 1])}, {(0,): np.array([rows - 1, 1])}
    missing = [(n - 1) * rows - (rows - 1) * n, rows - n]
    exact = -(-max(abs(one) for one in missing) // rows)
    assert queries.errors(truth, table, n=n, rows=rows).tolist() == [exact]


def test_impossible_combinations_are_cells():
    queries = Marginals(SCHEMA, ways=2, impossible=[{"smoker": True, "age": [0, 1]}])
    ((columns, zero),) = queries.zeros
    assert columns == (0, 2)
    assert {(int(a), int(b)) for a, b in product(range(5), range(3)) if zero[a, b]} == {
        (1, 2),
        (2, 2),
    }
    assert hash(queries) == hash(
        Marginals(SCHEMA, ways=2, impossible=[{"smoker": True, "age": [0, 1]}])
    )


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Marginals(SCHEMA, ways=4), "at most 3"),
        (lambda: Marginals(SCHEMA, ways=0), "ways"),
        (lambda: Ranges(SCHEMA, ways=2), "one column at a time"),
        (lambda: Marginals(SCHEMA, ways=2, about="wards"), "columns are age, ward, smoker"),
        (lambda: Marginals(SCHEMA, ways=1, about="ward"), "two columns or more"),
        (lambda: Ranges(SCHEMA, about="age"), "two columns or more"),
        (lambda: Marginals(SCHEMA, ways=2, impossible=[{"height": 3}]), "no such column"),
        (lambda: Marginals(SCHEMA, ways=2, impossible=[{"ward": "east"}]), "does not declare"),
        (lambda: Marginals(SCHEMA, ways=2, impossible=["ward"]), "combinations"),
        (
            lambda: Marginals(
                Schema.of([bool]).declared_complete(), ways=1, impossible=[{"x0": [True, False]}]
            ),
            "every cell",
        ),
        (
            lambda: Marginals(Schema.of([range(9000), range(9000)], bins=9000), ways=2),
            "2\\*\\*25 cells",
        ),
    ],
)
def test_refusals(make, said):
    with pytest.raises(BadInput, match=said):
        make()


def _named(**columns):
    return Schema.of(columns)


@pytest.mark.parametrize(
    ("schema", "impossible", "said"),
    [
        (
            _named(age={"kind": "integer", "low": 0, "high": 59, "bins": 6}, p=bool),
            [{"age": 19, "p": True}],
            "share a cell with others",
        ),
        (_named(income=(0, 100), p=bool), [{"income": 3, "p": True}], "share a cell with others"),
        (
            _named(day={"kind": "date", "low": "2020-01-01", "high": "2020-12-31"}, p=bool),
            [{"day": "2020-02-01", "p": True}],
            "share a cell with others",
        ),
        (
            _named(c={"kind": "category", "values": [0, 1, 2], "complete": True}, p=bool),
            [{"c": 7}],
            "'c' does not declare",
        ),
        (_named(p={"kind": "boolean", "complete": True}, q=bool), [{"p": "x"}], "does not declare"),
        (_named(age={"kind": "integer", "low": 0, "high": 9}, p=bool), [{"age": 99}], "declare"),
        (
            _named(p={"kind": "boolean", "complete": True}, q=bool),
            [{"p": True}, {"p": False}],
            "rules out every record",
        ),
        (
            Schema.of({f"c{k}": (0, 9) for k in range(8)}, bins=10),
            [{f"c{a}": True, f"c{b}": True} for a in range(8) for b in range(a)],
            "share a cell|does not declare",
        ),
        (
            Schema.of({f"c{k}": list(range(10)) for k in range(8)}),
            [{f"c{a}": 0, f"c{b}": 1} for a in range(8) for b in range(a)],
            "2..19 combinations",
        ),
    ],
)
def test_what_cannot_be_is_whole_cells_that_leave_a_record(schema, impossible, said):
    with pytest.raises(BadInput, match=said):
        Marginals(schema, ways=2, impossible=impossible)


@pytest.mark.parametrize(
    ("schema", "impossible", "said"),
    [
        (  # more values in a cell than memory holds
            _named(a={"kind": "integer", "low": 0, "high": 10**12, "bins": 4}, p=bool),
            [{"a": 5, "p": True}],
            "share a cell with others",
        ),
        (
            _named(a={"kind": "integer", "low": 0, "high": 11, "bins": 4}, p=bool),
            [{"a": [0, 1.5, 2], "p": True}],
            "share a cell with others",
        ),
        (_named(a={"kind": "integer", "low": 0, "high": 9}, p=bool), [{"a": []}], "or none"),
        (_named(a=("u", "v"), p=bool), [{"a": [], "p": True}], "or none"),
        (_named(a=("u", "v", "w"), p=bool), [[("a", "u"), ("a", "v")]], "each once"),
    ],
)
def test_impossible_cells_are_counted_and_named_once(schema, impossible, said):
    with pytest.raises(BadInput, match=said):
        Marginals(schema, ways=2, impossible=impossible)


@pytest.mark.parametrize(
    ("cuts", "low", "high", "cell"), [([18, 200], 18, 99, 2), ([-5, 50], 0, 49, 2)]
)
def test_values_beyond_the_declared_ends_need_not_be_listed(cuts, low, high, cell):
    schema = _named(a={"kind": "integer", "low": 0, "high": 99, "cuts": cuts}, p=bool)
    queries = Marginals(schema, ways=2, impossible=[{"a": list(range(low, high + 1)), "p": True}])
    ((_, zero),) = queries.zeros
    assert np.argwhere(zero).tolist() == [[cell, 2]]


def test_all_values_of_a_cell_may_be_impossible_together():
    schema = _named(age={"kind": "integer", "low": 0, "high": 59, "bins": 6}, p=bool)
    queries = Marginals(schema, ways=2, impossible=[{"age": list(range(10, 20)), "p": True}])
    ((columns, zero),) = queries.zeros
    assert columns == (0, 1)
    assert np.argwhere(zero).tolist() == [[2, 2]]
    pairs = [{f"c{a}": 0, f"c{a + 1}": 1} for a in range(11)]  # a chain is little
    wide = Schema.of({f"c{k}": list(range(10)) for k in range(12)})
    assert len(Marginals(wide, ways=2, impossible=pairs).zeros) == 11
