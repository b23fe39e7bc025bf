"""Lets test files import what rooms share, gives every test draws of its own, and marks its kind."""

import os
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest
from hypothesis import settings

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.tools.entropy import system_keyed_by
from tests.tools.spark import QUICK

os.environ.setdefault("SPARK_SUBMIT_OPTS", QUICK)  # of every Spark that a test starts

# How long an example takes depends on what else the machine does; speed is measured in benchmarks/.
settings.register_profile("tacit", deadline=None, derandomize=True)
settings.register_profile("anew", deadline=None)


def pytest_addoption(parser):
    parser.addoption("--browser", action="store_true", help="also run tests/browser")
    parser.addoption(
        "--anew",
        action="store_true",
        help="draw from the operating system, and other examples, rather than by each test's name",
    )


def pytest_configure(config):
    settings.load_profile("anew" if config.getoption("--anew") else "tacit")


def _drawn_by(name, node):
    """Let what leans on chance come out the same in every run, whichever tests ran before."""
    as_the_system = node.config.getoption("--anew") or node.get_closest_marker("system_entropy")
    return nullcontext() if as_the_system else system_keyed_by(name)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    with _drawn_by(item.nodeid, item):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(fixturedef, request):
    """What several tests share is drawn the same, whichever of them comes first."""
    name = f"{fixturedef.baseid}::{fixturedef.argname}"
    with nullcontext() if fixturedef.scope == "function" else _drawn_by(name, request.node):
        return (yield)


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
