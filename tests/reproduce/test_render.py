"""Tests of ``tacit.reproduce.render``."""

from tacit.reproduce import reproduce
from tacit.reproduce.render import as_csv, markdown, write


def test_what_is_written(tmp_path):
    outcome = reproduce(["fx14-lines"], effort="planned", folder=tmp_path, workers=1)[0]
    names = {path.name for path in write(outcome, tmp_path)}
    assert {"fx14-lines.md", "fx14-lines.csv"} <= names
    assert "53,176" in markdown(outcome)
    assert as_csv(outcome).splitlines()[0].startswith('"p, in bits"')
