"""Make sure that Chromium and its driver are there; say SKIPPED where they cannot be had.

Run as root on Debian it installs the two packages; elsewhere it only looks.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

PACKAGES = ("chromium", "chromium-driver")
PROGRAMS = ("chromium", "chromedriver")


def missing() -> list[str]:
    return [name for name in PROGRAMS if shutil.which(name) is None]


def main() -> int:
    """0 if the browser is there, 77 if not."""
    apt = shutil.which("apt-get")
    if missing() and apt is not None and hasattr(os, "geteuid") and os.geteuid() == 0:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        settings = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for words in (["update"], ["install", "--yes", "--no-install-recommends", *PACKAGES]):
            subprocess.run([apt, *words], check=False, env=settings, timeout=240, **quiet)
    if missing():
        print(f"SKIPPED: browser tests need {' and '.join(missing())}, which cannot be installed.")
        return 77
    return 0


if __name__ == "__main__":
    sys.exit(main())
