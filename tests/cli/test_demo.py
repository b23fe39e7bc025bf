"""Tests of ``tacit.cli.demo``."""

from tacit.cli import main


def test_demo_runs(capsys):
    assert main(["demo"]) == 0
    text = capsys.readouterr().out
    assert "Certificate" in text
    assert "records" in text
