"""Make sure that Chromium and its driver are there; say SKIPPED where they cannot be had.

Run as root on Debian it installs the two packages; elsewhere it only looks.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.tools import debian

PACKAGES = ("chromium", "chromium-driver")
PROGRAMS = ("chromium", "chromedriver")


def main() -> int:
    """0 if the browser is there, 77 if not."""
    if reason := debian.install(PACKAGES, debian.programs(PROGRAMS)):
        print(f"SKIPPED: browser tests: {reason}")
        return 77
    return 0


if __name__ == "__main__":
    sys.exit(main())
