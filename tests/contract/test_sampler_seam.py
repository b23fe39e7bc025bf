"""No mechanism draws, or runs a part, but through the sampler that it is given."""

import ast
import inspect
from pathlib import Path

import pytest

import tacit
from tacit.core import Sampler, mechanisms

ROOT = Path(tacit.__file__).parent
DRAWING = {
    "bernoulli",
    "bernoullis",
    "bernoulli_exp",
    "two_sided_geometric",
    "two_sided_geometrics",
    "discrete_gaussian",
    "discrete_gaussians",
    "choose_level",
    "choose_levels",
    "flip_level",
    "settle_flip",
    "draw_exponential",
    "draw_flip",
    "rising_level",
    "choose_cell",
    "uniform_indices",
    "Lazy",
}
RUNS = {"core/charging.py", "exact/sampler.py", "checks/audit/branching.py"}
"""The door to data, the exact sampler's ``part``, and the audit's."""


def _files():
    return sorted(path for path in ROOT.rglob("*.py"))


def _imports(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tacit.exact"):
            yield from ((node.module, alias.name) for alias in node.names)


def _faults(source):
    """Samplers that a mechanism's file imports for itself."""
    return [
        name
        for module, name in _imports(ast.parse(source))
        if name in DRAWING or (module, name) == ("tacit.exact.binomial", "binomial")
    ]


@pytest.mark.parametrize("cls", mechanisms(), ids=lambda cls: cls.__name__)
def test_a_mechanism_imports_no_sampler(cls):
    assert _faults(Path(inspect.getfile(cls)).read_text(encoding="utf-8")) == []


def test_files_that_mechanisms_draw_with_import_none_either():
    rooms = ("domains", "mechanisms", "problems")
    seen = 0
    for path in _files():
        if path.relative_to(ROOT).parts[0] in rooms:
            seen += 1
            assert _faults(path.read_text(encoding="utf-8")) == [], path
    assert seen > 100


def test_a_release_is_made_by_the_door_and_by_samplers_only():
    callers = set()
    for path in _files():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        calls = [n.func for n in ast.walk(tree) if isinstance(n, ast.Call)]
        if any(isinstance(f, ast.Attribute) and f.attr == "_release" for f in calls):
            callers.add(path.relative_to(ROOT).as_posix())
    assert callers == RUNS


def test_nothing_of_the_package_is_replaced_while_it_runs():
    """No attribute of a module or a class is set from outside; one check tries to, and fails."""
    setters = set()
    for path in _files():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            calls = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            if calls and node.func.id == "setattr":
                setters.add(path.relative_to(ROOT).as_posix())
    assert setters == {"checks/testing/contract.py"}


def test_a_fault_would_be_seen():
    assert _faults("from tacit.exact.levels import Levels, choose_level") == ["choose_level"]
    assert _faults("from tacit.exact.binomial import binomial") == ["binomial"]
    assert _faults("from tacit.exact.levels import Levels") == []


def test_every_release_takes_a_sampler():
    for cls in mechanisms():
        asked = inspect.signature(cls._release).parameters["rng"].annotation
        assert asked == Sampler.__name__, cls
