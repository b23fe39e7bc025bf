"""``tacit budget``, without the application around it."""

import json

import pytest
import typer
from typer.testing import CliRunner

from tacit.accounting import Ledger
from tacit.cli.budget import budget
from tacit.core import REPLACE_ONE, BadInput, Pure, Selection


@pytest.fixture
def app():
    application = typer.Typer()
    application.command()(budget)
    return application


@pytest.fixture
def path(tmp_path):
    ledger = Ledger.open(tmp_path / "office.ledger", 1, 1e-6)
    ledger.charge(Pure(epsilon="1/3", relation=REPLACE_ONE), note="[bold]stump[/]")
    ledger.charge(Selection(epsilon="1/4", relation=REPLACE_ONE), note="threshold")
    return tmp_path / "office.ledger"


def test_it_shows_entries_totals_and_what_is_left(app, path):
    shown = CliRunner().invoke(app, [str(path)], env={"COLUMNS": "120"})
    assert shown.exit_code == 0
    for part in ("[bold]stump[/]", "threshold", "epsilon = 1/3", "0.583334", "0.416666", "limit"):
        assert part in shown.output


def test_json_has_exact_numbers(app, path):
    shown = json.loads(CliRunner().invoke(app, [str(path), "--json"]).output)
    assert shown["limit"] == {"epsilon": "1", "delta": "1e-06", "relation": None}
    assert shown["spent"]["epsilon"] == "7/12"
    assert shown["remaining"] == {"epsilon": "5/12", "delta": "1e-06"}
    assert [entry["note"] for entry in shown["entries"]] == ["[bold]stump[/]", "threshold"]
    assert shown["entries"][1]["kind"] == "Selection"


def test_a_total_at_another_delta(app, tmp_path):
    ledger = Ledger.open(tmp_path / "many.ledger", 100)
    for _ in range(30):
        ledger.charge(Selection(epsilon="0.05", relation=REPLACE_ONE))
    path = str(tmp_path / "many.ledger")
    spent = [
        json.loads(CliRunner().invoke(app, [path, "--json", *more]).output)["spent"]
        for more in ([], ["--delta", "0.001"])
    ]
    assert spent[0]["epsilon"] == "1.5"
    assert spent[1]["method"] == "zcdp"


def test_a_missing_file_is_not_made(app, tmp_path):
    shown = CliRunner().invoke(app, [str(tmp_path / "none.ledger")])
    assert isinstance(shown.exception, BadInput)
    assert list(tmp_path.iterdir()) == []
