"""``sanitize`` for tables of several columns: every method, from frames and files."""

import numpy as np
import pandas as pd
import pytest

import tacit
from tacit import Ledger, Privacy
from tacit.core import BadInput
from tacit.domains import Schema
from tacit.problems.marginals.algorithms import METHODS
from tacit.queries import Marginals
from tacit.report.release_file import save
from tacit.testing import seeded

SCHEMA = Schema.of({"age": (0, 100), "ward": ("north", "south"), "smoker": bool}, bins=4)

QUERIES = Marginals(SCHEMA, ways=2)


def people(n=300):
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "smoker": rng.random(n) < 0.3,
            "age": rng.integers(0, 100, n),
            "ward": rng.choice(["north", "south", "elsewhere"], n),
            "name": "somebody",
        }
    )
    frame["age"] = frame["age"].astype(float).where(rng.random(n) < 0.9)
    return frame


def release(data, queries=QUERIES, privacy=None, **more):
    given = {"ledger": Ledger.memory(), "rng": seeded("table"), **more}
    return tacit.sanitize(data, queries, privacy=privacy or Privacy(1), **given)


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
@pytest.mark.parametrize("delta", [0, "1e-6"])
@pytest.mark.parametrize("name", METHODS)
def test_every_method_releases_a_certified_table(name, delta, relation):
    ledger = Ledger.memory(None, delta)
    made = release(people(), privacy=Privacy(1, delta, relation), ledger=ledger, algorithm=name)
    stated = made.certificate
    assert made.value.to_arrow().column_names == ["age", "ward", "smoker"]
    assert stated.algorithm == name
    assert stated.answered.promise == "every two-way marginal (in total variation)"
    assert stated.error == stated.answered.error <= 1
    assert (stated.planned is None) is (name != "all-combinations")
    assert stated.epsilon <= 1
    assert ledger.spent.epsilon == stated.epsilon
    public = relation == "replace-one"
    assert (stated.n, len(made.value) == 300) == (
        (300, True) if public else (None, stated.n == 300)
    )
    assert "is within" in str(stated)


def test_frames_files_and_batches_give_the_same_table(tmp_path):
    frame = people()
    frame.to_parquet(tmp_path / "p.parquet")
    frame.to_csv(tmp_path / "p.csv", index=False)
    tables = [
        release(data).value for data in (frame, tmp_path / "p.parquet", str(tmp_path / "p.csv"))
    ]
    assert tables[0] == tables[1] == tables[2]


def test_missing_and_undeclared_values_are_cells():
    frame = people(3000)
    made = release(frame, privacy=Privacy(20)).value.to_pandas()
    assert abs(made["age"].isna().mean() - frame["age"].isna().mean()) < 0.02
    assert abs(made["ward"].isna().mean() - (frame["ward"] == "elsewhere").mean()) < 0.02


def test_rows_and_errors_can_be_asked_for():
    made = release(people(), rows=77, errors=True)
    assert len(made.value) == 77
    assert [one.columns for one in made.certificate.answered.each] == [
        ("age", "ward"),
        ("age", "smoker"),
        ("ward", "smoker"),
    ]


def test_fewer_rows_than_the_theorem_asks_for_are_promised_nothing_beforehand():
    queries = Marginals(SCHEMA, ways=1)
    assert release(people(4000), queries, rows=77).certificate.planned is None
    assert release(people(4000), queries, rows=100_000).certificate.planned is not None


def test_one_column_at_a_time_is_planned_and_certified_beforehand():
    queries = Marginals(SCHEMA, ways=1)
    made = release(people(4000), queries)
    assert made.certificate.algorithm == "independent-columns"
    assert (
        made.certificate.planned.needed
        == tacit.plan(
            tacit.Task(
                queries, privacy=Privacy(1), accuracy=tacit.Accuracy("0.1", "0.05"), goal="sanitize"
            )
        ).best.n
    )
    assert made.certificate.accurate


def test_refusals_come_before_the_charge():
    ledger = Ledger.memory()
    spoiled = [
        (lambda: release(people().drop(columns="age"), ledger=ledger), "age"),
        (lambda: release(people().iloc[:0], ledger=ledger), "no records"),
        (lambda: release(people(), algorithm="trees", ledger=ledger), "does not fit"),
        (
            lambda: release(people(), algorithm="tree-of-pair", ledger=ledger),
            "adaptive-pairs, all-combinations, independent-columns or tree-of-pairs",
        ),
        (
            lambda: release(people(), privacy=Privacy(1, relation="label"), ledger=ledger),
            "does not fit",
        ),
        (lambda: release(people(), rows=10**9, ledger=ledger), "at most"),
    ]
    for call, said in spoiled:
        with pytest.raises(BadInput, match=said):
            call()
    assert not ledger.entries
    with pytest.raises(BadInput, match="several columns"):
        tacit.sanitize([1, 2], tacit.classes.Points(size=4), privacy=Privacy(1), rows=3)


@pytest.mark.parametrize("relation", ["replace-one", "add-remove"])
@pytest.mark.parametrize("delta", [0, "1e-6"])
@pytest.mark.parametrize("rows", [1, 3])
def test_persons_are_protected_whole(rows, delta, relation, tmp_path):
    frame = people(900)
    frame["name"] = [f"p{place // 3}" for place in range(900)]
    ledger = Ledger.memory(None, delta)
    privacy = Privacy(8, delta, relation, unit="name", rows_per_unit=rows)
    made = release(frame, privacy=privacy, ledger=ledger, rng=None)
    stated = made.certificate
    assert stated.n == (300 if relation == "replace-one" else None)
    assert 7.9 < stated.epsilon == ledger.spent.epsilon <= 8
    kept = 300 * rows  # at most so many rows of each person; counted with noise if private
    assert abs(stated.answered.records - kept) < 150
    save(made, tmp_path / "r.json")
    verdict = tacit.verify(tmp_path / "r.json", seconds=None)
    assert verdict, str(verdict)
