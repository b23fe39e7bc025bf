"""The guide to databases: its commands run as they stand, with the address of the test's server."""

import os
import shlex
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.docs.test_pages_run import ROOT, blocks
from tests.sources.postgres_cases import REASON
from tests.sources.postgres_server import do, load, server

from tacit.cli import main

PAGE = ROOT / "docs" / "guides" / "databases.md"
ADDRESS = "postgresql://tacit_reader@db.example.org/hospital"
NO_SPARK = "Spark needs Java 17" if shutil.which("java") is None else None
if find_spec("pyspark") is None:
    NO_SPARK = "Spark is not installed (pip install 'tacit[spark]')"
ROWS = 900


def _commands():
    typed = "".join(blocks(PAGE, "sh")).replace("\\\n", " ").splitlines()
    return [shlex.split(line, comments=True) for line in typed if line.startswith("tacit ")]


def _patients():
    generator = np.random.default_rng(3)
    age = generator.integers(0, 100, ROWS)
    days = generator.integers(19358, 20088, ROWS)
    return pa.table(
        {
            "patient_id": np.arange(ROWS),
            "age": age,
            "dose": generator.random(ROWS) * 10,
            "admitted": pa.array(days, pa.int32()).cast(pa.date32()),
            "readmitted": np.where(age > 60, "yes", "no").tolist(),
        }
    )


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("schema.toml").write_text(blocks(PAGE, "toml")[0], encoding="utf-8")
    return tmp_path


@pytest.mark.skipif(REASON is not None, reason=REASON or "")
def test_the_commands_for_postgres_run(folder, capsys):
    with server() as owner:
        load(owner, "people", _patients())
        do(
            owner,
            "CREATE TABLE patients AS SELECT patient_id, age, dose::numeric(6,3) AS dose, "
            "admitted::timestamp AS admitted, readmitted, point(1, 2) AS home FROM people",
        )
        (rights,) = blocks(PAGE, "sql")
        do(owner, *filter(None, map(str.strip, rights.split(";"))))
        address = owner.replace("tacit@", "tacit_reader@")
        commands = [line for line in _commands() if "spark" not in " ".join(line)]
        assert len(commands) == 9
        for _, *words in commands:
            if words[:2] == ["schema", "init"]:
                Path("schema.toml").unlink()
            found = [address if word == ADDRESS else word for word in words]
            assert main(found) == 0, (words, capsys.readouterr().err)
            if words[:2] == ["schema", "init"]:
                assert "home is of type point: not read" in Path("schema.toml").read_text("utf-8")
                Path("schema.toml").write_text(blocks(PAGE, "toml")[0], encoding="utf-8")
        assert len(Path("answers.csv").read_text("utf-8").splitlines()) == ROWS + 1
        assert pq.read_table("synthetic.parquet").num_rows == ROWS
        capsys.readouterr()
        block = blocks(PAGE, "py")[0].replace(ADDRESS, address)
        exec(compile(block, PAGE.name, "exec"), {"__name__": "page"})
        assert "age" in capsys.readouterr().out


def _in_its_own_process(words):
    """A process of its own: Spark would stay with the one that runs the tests."""
    kept = {name: value for name, value in os.environ.items() if name != "PYSPARK_PYTHON"}
    environment = kept | {"SPARK_LOCAL_IP": "127.0.0.1"}
    run = subprocess.run(
        [sys.executable, *words], env=environment, capture_output=True, text=True, check=False,
        timeout=300,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr[-2000:]
    return run.stdout


@pytest.mark.skipif(NO_SPARK is not None, reason=NO_SPARK or "")
def test_the_commands_for_spark_run(folder):
    pq.write_table(_patients(), "patients.parquet")
    assert main(["budget", "create", "hospital.ledger", "--epsilon", "4", "--data-set", "p"]) == 0
    (local,) = [line for line in _commands() if line[1:2] == ["learn"] and "--engine" in line]
    _in_its_own_process(["-m", *local])
    assert Path("by_spark.json").exists()
    (cluster,) = [line for line in _commands() if "spark://host:7077" in line]
    place = cluster.index("spark://host:7077")  # no cluster here: by the table alone
    cluster[place : place + 1] = [".", "--engine", "spark"]
    words = [word.replace("/data/", f"{folder}/") for word in cluster]
    _in_its_own_process(["-m", *words])
    assert Path("by_cluster.json").exists()


@pytest.mark.skipif(NO_SPARK is not None, reason=NO_SPARK or "")
def test_python_for_spark_runs(folder, monkeypatch):
    pq.write_table(_patients(), "patients.parquet")
    block = (
        f"import os, sys; os.environ['PYSPARK_PYTHON'] = sys.executable\n{blocks(PAGE, 'py')[1]}"
    )
    assert "age" in _in_its_own_process(["-c", block])
