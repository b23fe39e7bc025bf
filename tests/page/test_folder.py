"""Which files the page may read: no name leads out of its folder."""

from __future__ import annotations

import os

import pytest

from tacit.core import BadInput
from tacit.page.folder import TABLES, Folder


@pytest.fixture
def folder(tmp_path):
    root = tmp_path / "data"
    (root / "sub").mkdir(parents=True)
    for place in (
        tmp_path / "outside.csv",
        root / "in.csv",
        root / "sub/deep.csv",
        root / ".h.csv",
    ):
        place.write_text("a\n1\n")
    os.symlink(tmp_path / "outside.csv", root / "link.csv")
    os.symlink(tmp_path, root / "up")
    os.symlink(root / "round.csv", root / "circle.csv")
    os.symlink(root / "circle.csv", root / "round.csv")
    os.mkfifo(root / "pipe.csv")
    return Folder(root)


def test_files_of_the_folder_are_found(folder):
    assert folder.file("in.csv", kinds=TABLES).read_text() == "a\n1\n"
    assert folder.file("sub/deep.csv", kinds=TABLES).name == "deep.csv"
    assert folder.listing(TABLES) == ["in.csv", "sub/deep.csv"]


def test_what_may_not_be_read_is_left_out(folder, monkeypatch):
    from pathlib import Path

    whole = Path.iterdir

    def refusing(self):
        if self.name == "sub":
            raise PermissionError
        return whole(self)

    monkeypatch.setattr(Path, "iterdir", refusing)
    assert folder.listing(TABLES) == ["in.csv"]


@pytest.mark.parametrize(
    "name",
    [
        "../outside.csv", "sub/../../outside.csv", "link.csv", "up/outside.csv", "/etc/passwd",
        ".h.csv", "", ".", "..", "sub", "in.csv/", "in.csv\0", "..\\outside.csv", "absent.csv",
        "sub//deep.csv", "circle.csv", "round.csv/in.csv", "pipe.csv",
    ],
)  # fmt: skip
def test_no_name_leads_out(folder, name):
    with pytest.raises(BadInput, match="no file"):
        folder.file(name, kinds=TABLES)


def test_an_absolute_name_of_a_file_inside_is_no_name(folder):
    with pytest.raises(BadInput):
        folder.file(str(folder.root / "in.csv"), kinds=TABLES)


def test_a_file_of_another_kind_is_not_there(folder):
    with pytest.raises(BadInput):
        folder.file("in.csv", kinds=(".db",))


def test_new_files_have_plain_names(folder):
    assert folder.new("rule.json", kinds=(".json",)).parent == folder.root.resolve()
    for name in ("../rule.json", "sub/rule.json", ".rule.json", "rule.txt", "a\0.json", ""):
        with pytest.raises(BadInput):
            folder.new(name, kinds=(".json",))
