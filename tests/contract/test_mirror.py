"""A test is found from its source by its name, and stands in the folder of that name."""

from pathlib import Path

import tacit

PACKAGE = Path(tacit.__file__).parent
TESTS = Path(__file__).parents[1]
ALL = [
    path.relative_to(PACKAGE)
    for path in sorted(PACKAGE.rglob("*.py"))
    if not path.name.startswith("__")
]
KEPT = {"contract", "docs", "golden", "browser", "fuzz", "install", "tools", "benchmarks"}


def own_test(module):
    return TESTS / module.parent / f"test_{module.stem.lstrip('_')}.py"


def test_four_modules_of_five_have_a_test_of_their_name():
    named = [module for module in ALL if own_test(module).is_file()]
    assert len(ALL) > 500
    assert len(named) >= 0.8 * len(ALL), sorted(set(map(str, ALL)) - set(map(str, named)))


def test_folders_of_tests_are_folders_of_the_sources():
    folders = {path.parent.relative_to(TESTS) for path in TESTS.rglob("test_*.py")}
    mirrored = [folder for folder in folders if folder.parts and folder.parts[0] not in KEPT]
    assert len(mirrored) > 20
    assert [str(folder) for folder in mirrored if not (PACKAGE / folder).is_dir()] == []
