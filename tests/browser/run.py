"""What ``make test-browser`` runs: the page in a real browser, in two minutes at the most."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import install  # the folder is a script, not a package

HERE = Path(__file__).resolve().parent
SECONDS = 600


def main() -> int:
    if install.main():
        return 0
    words = [sys.executable, "-m", "pytest", str(HERE), "--browser", *sys.argv[1:]]
    try:
        return subprocess.run(words, check=False, timeout=SECONDS).returncode
    except subprocess.TimeoutExpired:
        print(f"the browser tests took more than {SECONDS} seconds", file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main())
