"""The files that the page may read: those in one folder, by name, and no others."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from tacit.core import BadInput

_MOST = 500
_DEEPEST = 3
TABLES = (".csv", ".tsv", ".gz", ".parquet", ".feather", ".xlsx")
SCHEMAS = (".toml",)
LEDGERS = (".db", ".ledger", ".sqlite")
RELEASES = (".json",)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of the owner's. Names are paths inside it; hidden files do not exist for it."""

    root: Path

    def file(self, name: str, *, kinds: tuple[str, ...]) -> Path:
        """The file of that name; whatever lies outside is as absent as what is not there."""
        parts = name.split("/")
        plain = all(part and not part.startswith(".") and "\\" not in part for part in parts)
        if plain and "\0" not in name and not name.startswith("/"):
            path = _inside(self.root.resolve(), self.root.resolve() / name)
            if path is not None and path.suffix.lower() in kinds and path.is_file():
                return path
        raise BadInput(f"there is no file {name!r} of a kind that fits in the folder of this page")

    def new(self, name: str, *, kinds: tuple[str, ...]) -> Path:
        """The path of a file to be written, directly in the folder."""
        if not _NAME.fullmatch(name) or not name.endswith(kinds):
            raise BadInput(
                "a new file is named with letters, digits, '.', '_' and '-', and ends in "
                + " or ".join(kinds)
            )
        return self.root.resolve() / name

    def listing(self, kinds: tuple[str, ...]) -> list[str]:
        """The names of files of these kinds, in order; at most five hundred, three levels deep."""
        root = self.root.resolve()
        found: list[str] = []
        level = [root]
        for _ in range(_DEEPEST):
            below: list[Path] = []
            for folder in level:
                for path in _entries(folder):
                    if path.name.startswith(".") or _inside(root, path) is None:
                        continue
                    if path.is_dir():
                        below.append(path)
                    elif path.suffix.lower() in kinds and path.is_file():
                        found.append(path.relative_to(root).as_posix())
            level = below
        return found[:_MOST]


def _inside(root: Path, path: Path) -> Path | None:
    """Where ``path`` really is, if that is in ``root``; links that go round in circles are not."""
    try:
        found = path.resolve()
    except (OSError, RuntimeError):
        return None
    return found if found.is_relative_to(root) else None


def _entries(folder: Path) -> list[Path]:
    """What is in a folder, in order; nothing if it may not be read."""
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []
