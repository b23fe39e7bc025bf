"""What the guarantees do not cover is said where users look for it."""

from pathlib import Path

import pytest
from benchmarks import noise_timing

from tacit.core import words

ROOT = Path(__file__).parents[2]
LIMITS = " ".join((ROOT / "docs/known_limits.md").read_text(encoding="utf-8").split())


@pytest.mark.parametrize(
    "said",
    [
        "A copied ledger is a second budget.",
        "A ledger knows its data set by name only.",
        "a limit (epsilon, delta) is proved as (epsilon, delta + D)",
        "one draw of geometric noise takes longer the larger it is",
        "private selection shows its number of draws",
        "`python -m benchmarks.noise_timing`",
        "Certificates say so.",
        "That a Python list is a column of entries, or rows that have all as many entries",
    ],
)
def test_a_limit_that_reviewers_found_unsaid_is_said(said):
    assert said in LIMITS


def test_certificates_and_a_command_say_what_time_tells(capsys):
    assert "a noisy count takes longer the larger its noise" in words.TIMING
    noise_timing.main(draws=200)
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 3
    assert all("correlation" in line for line in told)
