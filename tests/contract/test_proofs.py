"""Every proof speaks of the code as it is, and every mechanism has one."""

import re

import pytest

from tacit.checks.testing import proofs
from tacit.checks.testing.proofs import ROOT, SECTIONS, code_hash, proof_files, read
from tacit.core import PAPERS
from tacit.core.registry import mechanisms

FILES = proof_files()
MECHANISMS = mechanisms()


def _name(path):
    return str(path.relative_to(ROOT))


def test_there_are_proofs_and_mechanisms():
    assert len(FILES) >= 10
    assert len(MECHANISMS) >= 5


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_the_proof_is_about_the_present_code(path):
    names, recorded, _ = read(path)
    assert names, "a proof must say what it covers"
    assert recorded == code_hash(names), (
        "the code changed since this proof was checked: read both, then run "
        f"python -m tacit.checks.testing.proofs --update src/tacit/{_name(path)}"
    )


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_the_proof_has_all_sections_with_something_in_them(path):
    _, _, body = read(path)
    for section in SECTIONS:
        found = re.search(rf"^## {section}\n(.*?)(?=^## |\Z)", body, re.DOTALL | re.MULTILINE)
        assert found, f"no section {section}"
        assert found.group(1).strip(), f"section {section} is empty"


@pytest.mark.parametrize("path", FILES, ids=_name)
def test_the_proof_stands_beside_its_code(path):
    """``x.proof.md`` covers something of ``x.py``, or of the package ``x``."""
    stem = path.name.removesuffix(".proof.md")
    module = ".".join(("tacit", *path.parent.relative_to(ROOT).parts, stem))
    names, _, _ = read(path)
    home = path.with_name(f"{stem}.py").exists()
    assert not home or any(name == module or name.startswith(f"{module}.") for name in names)


@pytest.mark.parametrize("cls", MECHANISMS, ids=lambda cls: cls.__qualname__)
def test_the_mechanism_has_a_proof_that_covers_it(cls):
    assert cls.CLAIM.proof, "a mechanism's privacy is proved in this package"
    path = ROOT / cls.CLAIM.proof
    assert path.exists()
    names, _, _ = read(path)
    covered = {f"{cls.__module__}.{cls.__qualname__}", cls.__module__}
    assert covered & set(names), f"{cls.CLAIM.proof} does not cover {cls.__qualname__}"


def test_a_changed_line_stales_a_proof_and_a_comment_does_not(tmp_path, monkeypatch):
    module = tmp_path / "specimen_of_proof.py"
    monkeypatch.syspath_prepend(str(tmp_path))

    def hash_of(text):
        module.write_text(text)
        import importlib
        import linecache
        import sys

        sys.modules.pop("specimen_of_proof", None)
        importlib.invalidate_caches()
        linecache.clearcache()
        return proofs.code_hash(["specimen_of_proof.f"])

    first = hash_of('def f(x):\n    """Says."""\n    return x + 1\n')
    same = hash_of('def f(x):\n    """Says more."""\n    # Why.\n    return (x + 1)\n')
    other = hash_of('def f(x):\n    """Says."""\n    return x + 2\n')
    assert first == same != other


def test_update_and_report(tmp_path, monkeypatch, capsys):
    path = tmp_path / "specimen.proof.md"
    path.write_text("---\ncovers:\n  - tacit.exact.coins.bernoulli\nhash: 0\n---\nBody.\n")
    monkeypatch.setattr(proofs, "ROOT", tmp_path)
    assert proofs.main([]) == 1
    assert "specimen" in capsys.readouterr().out
    assert proofs.main(["--update", str(path)]) == 0
    assert proofs.main([]) == 0
    assert read(path)[2] == "Body.\n"


def test_the_papers_have_names():
    assert set(PAPERS) == {"BBKN13", "FX14", "CH11", "B20", "BNS19", "own"}
