"""A proof goes stale when a sensitivity, calibration or number changes that it relies on."""

import ast
import inspect
import shutil
from functools import cache
from pathlib import Path

import pytest

from tacit.checks.testing.proofs import ROOT, code_hash, proof_files, read
from tacit.checks.testing.reliance import CALIBRATION, PACKAGE, Sources, relied_on
from tacit.core.registry import mechanisms

FILES = {str(path.relative_to(ROOT)): read(path)[0] for path in proof_files()}
SOURCES = Sources()
STATED = {
    name: node
    for name, node in SOURCES.module(CALIBRATION).definitions.items()
    if not name.startswith("LEMMA")
}
TABLES = "problems/tables"
BY_HAND = {
    "cost_spread": {f"{TABLES}/deep_tree_learner.proof.md", f"{TABLES}/costs.proof.md"},
    "mistakes_moved": {f"{TABLES}/costs.proof.md"},
    "sizes_moved": {f"{TABLES}/costs.proof.md"},
    "spread": {
        "mechanisms/selection.proof.md",
        "mechanisms/gap_test.proof.md",
        "mechanisms/interior_point.proof.md",
        "problems/finite/finite_class.proof.md",
        "problems/points/frequent_item.proof.md",
        "problems/points/point_learner.proof.md",
        f"{TABLES}/tree_learner.proof.md",
        f"{TABLES}/grown_trees.proof.md",
    },
    "release_threshold": {"mechanisms/stability.proof.md"},
    "threshold_steps": {"mechanisms/stable_mode.proof.md"},
    "star_rate": {"mechanisms/star_sampling.proof.md"},
    "resampled_epsilon": {"mechanisms/amplification.proof.md"},
    "resampled_delta": {"mechanisms/amplification.proof.md"},
    "clause_sensitivity": {"problems/formulas/clause_learner.proof.md"},
    "giving_up": {"problems/parities/parity_learner.proof.md"},
    "subsample_rate": {"problems/parities/parity_learner.proof.md"},
    "pick_rate": {"problems/points/constant_sample.proof.md"},
    "printed_distance": {"problems/points/proposition_30.proof.md"},
}


@cache
def _relied(proof):
    return relied_on(FILES[proof], SOURCES)


@cache
def _hash(proof):
    return code_hash(FILES[proof])


def _relying(name):
    """The proofs that rely on a calibration."""
    return {proof for proof in FILES if (CALIBRATION, name) in _relied(proof)}


def _numbers(node):
    """The numbers in a definition, by their place, without decorators."""
    body = node.body if isinstance(node, ast.FunctionDef) else [node]
    for part in (part for statement in body for part in ast.walk(statement)):
        if isinstance(part, ast.Constant) and isinstance(part.value, (int, float)):
            yield part


def _with_another(text, number):
    """The source with one number about twice as large."""
    lines = text.splitlines(keepends=True)
    line = lines[number.lineno - 1].encode()
    changed = line[: number.col_offset] + str(2 * number.value + 1).encode()
    lines[number.lineno - 1] = (changed + line[number.end_col_offset :]).decode()
    return "".join(lines)


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """A copy of the package's sources that a test may change."""
    target = tmp_path_factory.mktemp("copy") / PACKAGE.name
    shutil.copytree(PACKAGE, target, ignore=lambda _, names: [n for n in names if "pycache" in n])
    return target


def _path(package, module):
    base = package.joinpath(*module.split(".")[1:])
    return base.with_suffix(".py") if base.with_suffix(".py").exists() else base / "__init__.py"


def _stale(package, module, number, proofs):
    """Which of the proofs no longer have their hash when one number is another."""
    path = _path(package, module)
    text = path.read_text(encoding="utf-8")
    path.write_text(_with_another(text, number), encoding="utf-8")
    try:
        return {one for one in proofs if code_hash(FILES[one], package=package) != _hash(one)}
    finally:
        path.write_text(text, encoding="utf-8")


def test_an_unchanged_copy_has_the_same_hashes(copied):
    some = sorted(FILES)[::9]
    assert {one: code_hash(FILES[one], package=copied) for one in some} == {
        one: _hash(one) for one in some
    }


@pytest.mark.parametrize("name", sorted(STATED))
def test_every_number_of_a_calibration_stales_the_proofs_that_rely_on_it(name, copied):
    relying = _relying(name)
    assert relying >= BY_HAND.get(name, set())
    assert relying
    numbers = list(_numbers(STATED[name]))
    for number in numbers:
        assert _stale(copied, CALIBRATION, number, relying) == relying
    assert numbers or isinstance(STATED[name], ast.FunctionDef)


def test_a_number_stales_nothing_that_does_not_rely_on_it(copied):
    number = next(_numbers(STATED["giving_up"]))
    relying = _relying("giving_up")
    others = sorted(set(FILES) - relying)[::5]
    assert _stale(copied, CALIBRATION, number, [*relying, *others]) == relying


def test_numbers_of_other_places_stale_the_proofs_whose_code_names_them(copied):
    tried = 0
    for proof in FILES:
        for (module, _), node in _relied(proof).items():
            if module == CALIBRATION:
                continue
            for number in _numbers(node):
                tried += 1
                assert _stale(copied, module, number, [proof]) == {proof}, node
    assert tried > 30


@pytest.mark.parametrize("cls", mechanisms(), ids=lambda cls: cls.__qualname__)
def test_a_mechanism_that_uses_a_calibration_has_a_proof_that_relies_on_it(cls):
    """By another way than the tool's: what the class's own text names of its file's imports."""
    tree = ast.parse(Path(inspect.getfile(cls)).read_text(encoding="utf-8"))
    imported = {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == CALIBRATION
        for alias in node.names
    }
    own = next(n for n in tree.body if isinstance(n, ast.ClassDef) and n.name == cls.__name__)
    named = {part.id for part in ast.walk(own) if isinstance(part, ast.Name)}
    for name in named & set(imported):
        assert (CALIBRATION, imported[name]) in _relied(cls.CLAIM.proof)


def test_no_mechanism_takes_a_calibration_from_the_theorems():
    """Mechanisms stand below the theorems, so none of their files can import one."""
    files = sorted((PACKAGE / "mechanisms").glob("*.py"))
    assert len(files) > 10
    for path in files:
        assert "tacit.bounds" not in {
            ".".join((node.module or "").split(".")[:2])
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.ImportFrom)
        }
