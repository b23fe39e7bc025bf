"""Synthetic tables: what they hold, answer and write; and how noisy numbers become rows."""

from fractions import Fraction

import numpy as np
import pyarrow.parquet
import pytest

from tacit.classes import Parities, Points, Table, Thresholds
from tacit.core import BadInput
from tacit.domains import Integers
from tacit.problems.finite.multiplicative_weights import whole_rows
from tacit.problems.finite.queries import histogram, queries_of
from tacit.problems.finite.synthetic import SyntheticTable
from tacit.problems.points.point_table import fit
from tacit.problems.thresholds.prefix_table import monotone, spread
from tacit.report.answers import answers, answers_chart, asked_of, save_chart

EIGHT = Integers(size=8)


def test_a_table_counts_and_answers():
    table = SyntheticTable.of(EIGHT, [5, 1, 5, 0])
    assert table.rows == ((0, 1), (1, 1), (5, 2))
    assert len(table) == 4
    assert table.values().tolist() == [0, 1, 5, 5]
    assert table.answer(Thresholds(size=8).hypothesis(2)) == Fraction(1, 2)
    assert table.answer(Points(size=8).hypothesis(5)) == Fraction(1, 2)
    assert SyntheticTable(domain=EIGHT, rows=()).answer(Points(size=8).hypothesis(5)) == 0


@pytest.mark.parametrize("rows", [((1, 1), (0, 1)), ((1, 1), (1, 2)), ((1, 0),)])
def test_rows_in_another_order_or_without_count_are_refused(rows):
    with pytest.raises(ValueError, match="ascend"):
        SyntheticTable(domain=EIGHT, rows=rows)


@pytest.mark.parametrize(
    ("domain", "values", "low", "kind"),
    [
        (EIGHT, [0, 7], -3, "int64"),
        (Integers(bits=64), [0, 2**64 - 1], 0, "uint64"),
        (Integers(bits=70), [0, 2**70 - 1], 0, "string"),
    ],
)
def test_tables_are_written_and_read_back(tmp_path, domain, values, low, kind):
    table = SyntheticTable(domain=domain, rows=tuple((v, 2) for v in values), low=low, column="age")
    table.write(tmp_path / "t.parquet")
    back = pyarrow.parquet.read_table(tmp_path / "t.parquet")
    assert str(back.schema.field("age").type) == kind
    assert [int(v) for v in back.column("age").to_pylist()] == [
        v + low for v in values for _ in "ab"
    ]
    table.write(tmp_path / "t.csv")
    assert len((tmp_path / "t.csv").read_text().splitlines()) == 5
    assert sorted(path.name for path in tmp_path.iterdir()) == ["t.csv", "t.parquet"]
    assert table.to_pandas().shape == (4, 1)


def test_another_kind_of_file_is_refused(tmp_path):
    with pytest.raises(BadInput, match="csv"):
        SyntheticTable.of(EIGHT, [1]).write(tmp_path / "t.xlsx")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("bins", "cap"),
    [
        ((), 0),
        ((), 1),
        ((), 2),
        (((3, 4),), 0),
        (((3, 4),), 3),
        (((3, 40),), 1),
        (((0, 9), (7, 8)), 2),
        (tuple((v, 2) for v in range(8)), 1),
        (((2, -5),), 2),
    ],
)
@pytest.mark.parametrize("n", [0, 1, 10, 33])
def test_point_tables_have_exactly_n_rows(bins, cap, n):
    table = fit(EIGHT, bins, n=n, cap=cap)
    assert len(table) == n
    assert all(0 <= value < 8 for value, _ in table.rows)


def test_listed_counts_are_kept_where_they_add_up():
    assert fit(EIGHT, ((1, 6), (4, 4)), n=10, cap=1).rows == ((1, 6), (4, 4))


def test_the_excess_is_taken_from_all_alike():
    assert fit(EIGHT, ((1, 6), (4, 1), (5, 9)), n=10, cap=1).rows == ((1, 3), (5, 7))


@pytest.mark.parametrize("seed", range(5))
def test_the_monotone_counts_err_no_more_than_the_noisy_ones(seed):
    generator = np.random.default_rng(seed)
    truth = np.sort(generator.integers(0, 100, 40))
    noisy = truth + generator.integers(-17, 18, 40)
    made = monotone(noisy, n=100)
    assert (np.diff(made) >= 0).all()
    assert np.abs(made - truth).max() <= np.abs(noisy - truth).max()


def test_a_block_stands_half_at_either_end():
    table = spread(EIGHT, [0, 4, 5], np.array([0, 6, 7]), n=12)
    assert table.rows == ((0, 3), (3, 3), (4, 1), (5, 3), (7, 2))


@pytest.mark.parametrize("shares", [[1.0], [0.5, 0.5], [0.2, 0.3, 0.5], [1e-9, 1.0, 0.0]])
@pytest.mark.parametrize("rows", [1, 7, 100])
def test_whole_rows_add_up(shares, rows):
    counts = whole_rows(np.array(shares), rows=rows)
    assert counts.sum() == rows
    assert np.abs(counts - np.array(shares) / sum(shares) * rows).max() <= 1


@pytest.mark.parametrize(
    "concepts",
    [
        Points(size=16),
        Thresholds(size=16),
        Thresholds(size=16, orientation="<="),
        Parities(bits=4),
        Table(np.random.default_rng(0).random((9, 16)) < 0.5),
    ],
    ids=lambda c: c.describe()[:14],
)
def test_all_queries_at_once_are_each_of_them(concepts):
    """Transforms, sums and packed rows against asking every rule by itself."""
    x = np.random.default_rng(1).integers(0, 16, 50)
    queries = queries_of(concepts)
    totals = queries.totals(histogram(concepts, x))
    for index, total in enumerate(totals.tolist()):
        assert total == int(queries.row(index)[x].sum())
    asked = {int(concepts.hypothesis(q).predict(x).sum()) for q in _all(concepts)}
    # A threshold and its complement are one query.
    assert asked <= {*totals.tolist(), *(50 - totals).tolist()}
    weights = np.random.default_rng(2).random(16)
    assert np.allclose(queries.totals(weights)[3], weights[queries.row(3)].sum())


def _all(concepts):
    first = getattr(concepts, "first", 0)
    return range(first, first + concepts.size)


@pytest.mark.parametrize(
    "concepts",
    [
        Points(size=8),
        Thresholds(size=8),
        Thresholds(size=8, orientation="<="),
        Thresholds(bits=64),
        Parities(bits=3),
        Table(np.eye(8)),
    ],
    ids=lambda c: c.describe()[:14],
)
def test_charts_of_every_class(concepts, tmp_path):
    table = SyntheticTable.of(concepts.domain, [1, 1, 6], column="age")
    released = answers(table, concepts)
    assert list(released) == asked_of(table, concepts)
    for query, answer in list(released.items())[:20]:
        rule = concepts.hypothesis(query)
        assert answer == pytest.approx(np.mean(rule.predict(np.array([1, 1, 6]))))
    chart = answers_chart(table, concepts, truth=[1, 2, 3])
    kinds = {row["series"] for row in chart.to_dict()["data"]["values"]}
    assert kinds == {"released", "exact (not private)"}
    save_chart(chart, tmp_path / "a.svg")
    assert (tmp_path / "a.svg").read_text().startswith("<svg")
    with pytest.raises(BadInput, match=r"\.html"):
        save_chart(chart, tmp_path / "a.gif")
    assert [path.name for path in tmp_path.iterdir()] == ["a.svg"]
