"""A part of what ``python -m tests.fuzz.before_charge`` looks at, in a process of its own."""

import subprocess
import sys

FEW = (
    "scores | t.csv",
    "trees | t.parquet",
    "2^40-1 | arrays | replace-one",
    "random-sets | points, any | 0",
    "best of several draws",
    "best rules | best rules | 0",
    "marginals | pandas",
    "boosted trees | boosted trees | 0",
    "additive points | additive points | 0",
    "StumpClassifier, side by side",
    "command | learn",
    "command | table",
)
"""Where compiled loops count: few records and many, text, columns and frames."""


def test_nothing_is_loaded_after_the_charge():
    command = [sys.executable, "-m", "tests.fuzz.before_charge", *FEW]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert int(done.stdout.split()[0]) >= len(FEW), done.stdout
