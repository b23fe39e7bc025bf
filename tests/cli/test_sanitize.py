"""``sanitize`` and ``tacit sanitize``: choice, refusals, receipts, and nothing left on disk."""

import json
from fractions import Fraction

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from tests.sources.persons_cases import TABLE, FilteredFrame

import tacit
from tacit import Accuracy, Ledger, Privacy, Task
from tacit.checks.testing import seeded
from tacit.classes import Parities, Points, Table, Thresholds
from tacit.cli import main
from tacit.core import ALGORITHMS, BadInput, BudgetRefused, NeedMoreRecords, Sample
from tacit.domains import Integers
from tacit.problems.finite.blr_enumerated import EnumeratedSelection
from tacit.problems.finite.multiplicative_weights import WeightedTable
from tacit.problems.marginals.algorithms import METHODS
from tacit.problems.points.proposition_30 import PrintedHistogram
from tacit.problems.points.sparse_histogram import SparseHistogram
from tacit.problems.thresholds.blr_thresholds import ThresholdSelection
from tacit.problems.thresholds.noisy_tree import NoisyTree
from tacit.problems.thresholds.quantile_table import QuantileTable

ACCURACY = Accuracy("0.2", "0.1")

DELTA = Privacy(1, Fraction(1, 10**6))


def _task(concepts, privacy=Privacy(1), accuracy=ACCURACY):
    return Task(concepts, privacy=privacy, accuracy=accuracy, goal="sanitize")


def _fitting():
    classes = (
        Thresholds(bits=6),
        Points(bits=6),
        Parities(bits=3),
        Table(np.eye(3)),
    )
    return [
        (option.name, concepts)
        for concepts in classes
        for option in tacit.plan(_task(concepts, DELTA)).options
    ]


@pytest.mark.parametrize(("name", "concepts"), _fitting(), ids=lambda v: getattr(v, "name", v))
def test_every_sanitizer_releases_a_certified_table(name, concepts):
    n = ALGORITHMS[name].bound(_task(concepts, DELTA)).n
    x = np.random.default_rng(0).integers(0, concepts.domain.size, n)
    ledger = Ledger.memory(1, Fraction(1, 10**6))
    release = tacit.sanitize(
        x,
        concepts,
        privacy=DELTA,
        accuracy=ACCURACY,
        algorithm=name,
        ledger=ledger,
        rng=seeded(name),
    )
    assert len(release.value) > 0
    assert all(0 <= value < concepts.domain.size for value, _ in release.value.rows)
    assert release.certified.to_dict()["algorithm"] == name
    assert ledger.spent.epsilon <= 1


def test_every_sanitizer_of_the_registry_is_tried_above():
    names = {algorithm.name for algorithm in ALGORITHMS if algorithm.goal == "sanitize"}
    assert {name for name, _ in _fitting()} == names - set(
        METHODS
    )  # tests/problems/marginals/test_queries.py


def test_the_plan_picks_the_fewest_records():
    for concepts in (Thresholds(bits=8), Thresholds(bits=64), Points(bits=64), Parities(bits=4)):
        plan = tacit.plan(_task(concepts, DELTA))
        assert plan.best.n == min(option.n for option in plan.options)
        assert {option.algorithm.goal for option in plan.options} == {"sanitize"}
        if plan.lower_bounds:
            assert plan.lower_bounds[0].n <= plan.best.n


def test_small_domains_take_a_tree_and_large_ones_a_selected_table():
    accuracy = Accuracy("0.1", "0.05")
    assert tacit.plan(_task(Thresholds(bits=8), accuracy=accuracy)).best.name == "tree-thresholds"
    assert tacit.plan(_task(Thresholds(bits=64), accuracy=accuracy)).best.name == "blr-thresholds"
    fine = Accuracy("0.02", "0.05")
    assert tacit.plan(_task(Thresholds(bits=64), accuracy=fine)).best.name == "tree-thresholds"
    assert (
        tacit.plan(_task(Thresholds(bits=64), DELTA, fine)).best.name == "gaussian-tree-thresholds"
    )


@pytest.mark.parametrize("relation", ["add-remove", "label"])
def test_other_relations_are_refused_in_words(relation):
    with pytest.raises(BadInput, match="number of records to be public"):
        tacit.sanitize([1, 2], Thresholds(bits=4), privacy=Privacy(1, relation=relation))


def test_proposition_30_refuses_below_its_records_and_charges_nothing():
    ledger = Ledger.memory(1, Fraction(1, 10**6))
    enough = ALGORITHMS["proposition-30"].bound(_task(Points(bits=16), DELTA)).n
    arguments = {
        "privacy": DELTA,
        "accuracy": ACCURACY,
        "algorithm": "proposition-30",
        "ledger": ledger,
    }
    with pytest.raises(NeedMoreRecords, match="stable-point-table"):
        tacit.sanitize(np.zeros(enough // 4), Points(bits=16), **arguments)
    assert ledger.spent.epsilon == 0
    tacit.sanitize(np.zeros(enough), Points(bits=16), **arguments)
    assert ledger.spent.epsilon == 1


def test_proposition_30_takes_every_larger_number_of_records():
    common = {"domain": Integers(bits=8), "alpha": Fraction(1, 7), "epsilon": 2, "delta": "1e-3"}
    from tacit.mechanisms.calibration import printed_private

    enough = printed_private(alpha=Fraction(1, 7), epsilon=Fraction(2), delta=Fraction(1, 1000))
    for n in range(enough, enough + 200):
        PrintedHistogram(n=n, **common)
    with pytest.raises(NeedMoreRecords):
        PrintedHistogram(n=enough // 2, **common)


@pytest.mark.parametrize(
    "make",
    [
        lambda: NoisyTree(domain=Integers(bits=4), branching=3, levels=2, epsilon=1),
        lambda: NoisyTree(domain=Integers(bits=4), branching=4, levels=3, epsilon=1),
        lambda: NoisyTree(domain=Integers(bits=4), branching=4, levels=2),
        lambda: NoisyTree(domain=Integers(bits=4), branching=4, levels=2, epsilon=1, rho=1),
        lambda: NoisyTree(domain=Integers(bits=4), branching=4, levels=2, epsilon=1, divide=0),
        lambda: QuantileTable(domain=Integers(bits=4), depth=0, call=1),
        lambda: QuantileTable(domain=Integers(bits=4), depth=1, call=1, accounting="hope"),
        lambda: WeightedTable(concepts=Points(bits=30), rounds=3, rows=50, epsilon=1),
        lambda: WeightedTable(concepts=Points(bits=3), rounds=3, rows=50),
        lambda: EnumeratedSelection(concepts=Points(size=50), rows=50, epsilon=1),
        lambda: ThresholdSelection(domain=Integers(bits=4), rows=0, epsilon=1),
        lambda: SparseHistogram(domain=Integers(bits=64), epsilon=1, threshold=1),
        lambda: tacit.sanitize([1, 2], Thresholds(bits=4), privacy=Privacy(1), algorithm="x"),
        lambda: tacit.sanitize([[1, 2], [3, 4]], Thresholds, privacy=Privacy(1)),
        lambda: tacit.sanitize("nowhere.parquet", Thresholds(bits=4), privacy=Privacy(1)),
    ],
)
def test_bad_public_numbers_are_refused(make):
    with pytest.raises(BadInput):
        make()


@pytest.fixture
def table(tmp_path):
    ages = np.random.default_rng(0).normal(50, 15, 3000).clip(0, 120).astype(int)
    frame = pa.table({"age": ages, "diagnosis": [f"private {i}" for i in range(3000)]})
    path = tmp_path / "data.parquet"
    pyarrow.parquet.write_table(frame, path)
    return path


BOOKS = {"budget.db", "budget.db.counter"}


def test_the_command_releases_a_table_and_leaves_nothing_else(table, tmp_path, capsys):
    Ledger.open(tmp_path / "budget.db", 1)
    code = main(
        [
            "sanitize",
            str(table),
            *("--columns", "age:0..120", "--queries", "thresholds", "--epsilon", "1"),
            *("-o", str(tmp_path / "synthetic.parquet"), "--plot", str(tmp_path / "plot.svg")),
            *("--certificate", str(tmp_path / "c.json")),
            *("--ledger", str(tmp_path / "budget.db")),
        ]
    )
    assert code == 0
    released = pyarrow.parquet.read_table(tmp_path / "synthetic.parquet")
    assert released.column_names == ["age"]
    made = np.sort(released.column("age").to_numpy())
    truth = np.sort(pyarrow.parquet.read_table(table).column("age").to_numpy())
    for cut in range(121):
        assert abs(np.mean(made <= cut) - np.mean(truth <= cut)) < 0.1
    record = json.loads((tmp_path / "c.json").read_text())
    assert record["certificate"]["algorithm"] == "tree-thresholds"
    assert "within 0.1" in capsys.readouterr().out
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"data.parquet", "synthetic.parquet", "plot.svg", "c.json"} | BOOKS
    for name in left - {"data.parquet"}:
        assert b"private" not in (tmp_path / name).read_bytes() or name == "c.json"
        assert b"diagnosis" not in (tmp_path / name).read_bytes()


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"--columns": "age"}, 2),
        ({"--columns": "age:9..3"}, 2),
        ({"--columns": "nobody:0..9"}, 2),
        ({"--queries": "everything"}, 2),
        ({"--queries": "parities"}, 2),
        ({"--queries": "table"}, 2),
        ({"--epsilon": "0"}, 2),
        ({"--alpha": "2"}, 2),
        ({"--plot": "chart.gif"}, 2),
        ({"-o": "synthetic.xlsx"}, 2),
        ({"-o": "data.parquet"}, 2),
        ({"--epsilon": "3"}, 3),
        (
            {"--queries": "points", "--delta": "1e-9", "--alpha": "0.001"}
            | {"--algorithm": "proposition-30"},
            4,
        ),
    ],
    ids=str,
)
def test_refusals_have_their_code_and_write_nothing(table, tmp_path, monkeypatch, change, code):
    monkeypatch.chdir(tmp_path)
    options = {
        "--columns": "age:0..120",
        "--queries": "thresholds",
        "--epsilon": "1",
        "-o": "synthetic.parquet",
        "--ledger": "budget.db",
    } | change
    Ledger.open("budget.db", 2, "1e-6")
    before = table.read_bytes()
    words = [word for pair in options.items() for word in pair]
    assert main(["sanitize", str(table), *words]) == code
    left = {path.name for path in tmp_path.iterdir()} - BOOKS
    assert left == {"data.parquet"}
    assert table.read_bytes() == before


def test_an_empty_budget_refuses_before_the_data_is_read():
    class Untouchable(Sample):
        def __getattribute__(self, name):
            if name == "x":
                raise AssertionError("the data was read")
            return super().__getattribute__(name)

        def __len__(self):
            return 3000

    ledger = Ledger.memory(Fraction(1, 2))
    with pytest.raises(BudgetRefused):
        tacit.sanitize(
            Untouchable([1, 2, 3], None), Thresholds(bits=4), privacy=Privacy(1), ledger=ledger
        )
    assert ledger.spent.epsilon == 0


def test_a_query_with_conditions_protects_no_persons(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr("tacit.cli.reading.Reading.open", lambda *_: FilteredFrame(TABLE))
    out = tmp_path / "out.csv"
    words = ["sanitize", "people.csv", "--columns", "x:0..999", "--queries", "thresholds"]
    words += ["--epsilon", "1", "--no-ledger", "-o", str(out)]
    assert main([*words, "--unit", "id"]) == 2
    assert "does not protect persons" in " ".join(capsys.readouterr().err.split())
    assert main(words) == 2
    assert "conditions choose the rows" in " ".join(capsys.readouterr().err.split())
    assert not out.exists()
