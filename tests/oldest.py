"""``python tests/oldest.py [--quick]``: reading with the oldest libraries that are supported.

They stand in ``tests/oldest.txt`` and are installed once into ``.venv-oldest``. The coupling
contract and the tests of reading run there: conversions between engines differ by version, and
one record must never move another in any of them.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv-oldest"
PINNED = ROOT / "tests" / "oldest.txt"
TESTS = [
    "tests/contract/test_coupling.py",
    "tests/domains/test_persons.py",
    "tests/sources/test_files.py",
    "tests/sources/test_opening.py",
    "tests/sources/test_types.py",
]
QUICK = ["tests/contract/test_coupling.py", "tests/domains/test_persons.py"]
CHOSEN = "(pandas or polars or arrow or ids) and not label"


def ready():
    """Make the environment, unless it has exactly these versions; false if it cannot be made."""
    stamp = VENV / "installed.txt"
    wanted = PINNED.read_text() + (ROOT / "pyproject.toml").read_text()
    if stamp.is_file() and stamp.read_text() == wanted:
        return True
    python = str(VENV / "bin" / "python")
    install = [
        python,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--no-compile",
    ]
    steps = [
        [sys.executable, "-m", "venv", "--clear", str(VENV)],
        [
            *install,
            "--requirement",
            str(PINNED),
            "--editable",
            f"{ROOT}[excel]",
            "pytest",
            "hypothesis",
        ],
    ]
    for step in steps:
        if subprocess.run(step, check=False, stderr=subprocess.DEVNULL).returncode:
            return False
    stamp.write_text(wanted)
    return True


def main(*, quick):
    """Run the tests; 0 also where the libraries cannot be installed."""
    if not ready():
        print("SKIPPED: the oldest libraries (tests/oldest.txt) cannot be installed here")
        return 0
    words = [str(VENV / "bin" / "python"), "-m", "pytest", "-q", *(QUICK if quick else TESTS)]
    if quick:
        words += ["-k", CHOSEN]
    # Another version of numba would throw away the loops that were compiled beside the sources.
    settings = os.environ | {"NUMBA_CACHE_DIR": str(VENV / "numba")}
    return subprocess.run(words, cwd=ROOT, check=False, env=settings).returncode


if __name__ == "__main__":
    sys.exit(main(quick="--quick" in sys.argv))
