"""A part of the failing writes; ``make fuzz-faults`` lets every one of every command fail."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize("command", ["create", "learn, printed"])
def test_a_write_that_fails_loses_nothing_that_was_paid(command):
    words = [sys.executable, "-m", "tests.fuzz.faults", "--errors-only", command]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode == 77:
        pytest.skip(done.stdout.strip())
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split(": ")[1].split()[0]) > 15
