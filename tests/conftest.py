"""Lets test files import what rooms share: `from tests.tools.levels import ...`."""

import sys
from pathlib import Path

from hypothesis import settings

# How long an example takes depends on what else the machine does; speed is measured in benchmarks/.
settings.register_profile("tacit", deadline=None)
settings.load_profile("tacit")

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))


def pytest_addoption(parser):
    parser.addoption("--browser", action="store_true", help="also run tests/browser")


def pytest_ignore_collect(collection_path, config):
    """A browser beside two busy workers misses its deadlines: `make test-browser` runs it alone."""
    in_browser = Path(__file__).parent / "browser" in (collection_path, *collection_path.parents)
    return True if in_browser and not config.getoption("--browser") else None


KINDS = ("unit", "property", "exact", "statistical", "contract", "docs")
FOLDERS = ("contract", "docs")


def pytest_collection_modifyitems(items):
    """Mark every test with its kind: what the file or the test names, else its folder, else unit."""
    for item in items:
        if not any(item.get_closest_marker(kind) for kind in KINDS):
            place = [part for part in item.path.parts if part in FOLDERS]
            item.add_marker(place[-1] if place else "unit")
