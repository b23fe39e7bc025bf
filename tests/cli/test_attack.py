"""Tests of ``tacit.cli.attack``."""

from tacit.cli import main


def test_the_traced_private_learner_is_explained(capsys):
    assert main(["attack", "tracing", "--runs", "10"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "betrays that the record was there" in said
    assert "record 2 in" in said
    assert "[0," not in said
