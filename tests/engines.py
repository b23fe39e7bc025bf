"""Install the engines that tests run where they are missing: Postgres, Java, Spark.

What cannot be had is named with the word ``SKIPPED``; its tests then say so too.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tomllib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.sources import postgres_server
from tests.tools import debian

ROOT = Path(__file__).resolve().parents[1]
SECONDS = 600
"""How long the download of Spark, half a gigabyte, may take."""


def _no_postgres() -> str:
    return "" if postgres_server.programs() else "a Postgres server"


def _spark() -> str:
    """Install PySpark into this environment; why it is still missing, or nothing.

    Not the package with it: linters may be reading that at the same time.
    """
    if importlib.util.find_spec("pyspark"):
        return ""
    print("installing pyspark", flush=True)
    words = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = project["optional-dependencies"]["spark"]
    try:
        found = subprocess.run([*words, *wanted], check=False, timeout=SECONDS).returncode
    except subprocess.TimeoutExpired:
        return f"pyspark was not installed within {SECONDS} seconds"
    return "pyspark cannot be installed" if found else ""


def main() -> int:
    """Install; always 0, for what is missing is skipped and said."""
    for engine, reason in (
        ("Postgres", debian.install(("postgresql",), _no_postgres)),
        ("Spark", debian.install(("openjdk-17-jre-headless",), debian.programs(("java",)))),
        ("Spark", _spark()),
    ):
        if reason:
            print(f"SKIPPED: tests of {engine}: {reason}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
