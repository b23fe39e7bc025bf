"""Release files as the command line writes them."""

from __future__ import annotations

from pathlib import Path

from tacit.cli import main

SCHEMA = """
[columns.age]
kind = "integer"
low = 0
high = 99
bins = 10
"""


def write_table(folder: Path, *, rows: int = 400, delimiter: str = ",") -> Path:
    lines = [delimiter.join(("age", "readmitted"))]
    lines += [delimiter.join((str(i % 100), "yes" if i % 100 >= 60 else "no")) for i in range(rows)]
    path = folder / "patients.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def write_release(folder: Path) -> Path:
    """A tree over one column, paid from a ledger in the same folder."""
    table = write_table(folder)
    (folder / "schema.toml").write_text(SCHEMA)
    book, out = folder / "budget.db", folder / "rule.json"
    made = ["budget", "create", str(book), "--epsilon", "2", "--data-set", "patients 2025"]
    assert main(made) == 0
    learn = ["learn", str(table), "--schema", str(folder / "schema.toml"), "--label", "readmitted"]
    learn += ["--positive", "yes", "--negative", "no", "--epsilon", "1", "--depth", "1"]
    assert main([*learn, "--ledger", str(book), "-o", str(out)]) == 0
    return out
