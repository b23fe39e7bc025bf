"""How long a user waits before anything happens."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.harness import Row, best_of, report


def _spawn(*command: str) -> float:
    return best_of(lambda: subprocess.run(command, check=True, capture_output=True), times=5)


def main() -> None:
    python = sys.executable
    bare = _spawn(python, "-c", "pass")
    tacit = str(Path(python).with_name("tacit"))
    rows = [
        Row(
            "import tacit (wanted: under 0.5 s)",
            "python -c pass",
            _spawn(python, "-c", "import tacit"),
            bare,
        ),
        Row("tacit --help (wanted: under 0.8 s)", "python -c pass", _spawn(tacit, "--help"), bare),
        Row(
            "from tacit import learn, plan",
            "python -c pass",
            _spawn(python, "-c", "from tacit import learn, plan"),
            bare,
        ),
    ]
    report("Start-up", rows)


if __name__ == "__main__":
    main()
