"""The files that a command writes: opened before anything is charged, whole or not at all.

Nothing that exists is overwritten without ``--force``, and no output may be the data, the
ledger, the schema or another output, under whatever name; nor any other ledger.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from tacit.core import BadInput

_ROOM = 1 << 16
"""Bytes that are written and kept before the charge, so that a full disk is found then."""

_DATABASE = b"SQLite format 3\0"
"""What the file of a ledger begins with, whatever its name."""


class NotWritten(BadInput):
    """An output file could not be written, for a reason of the machine."""


class Target:
    """An output file that is not there yet: a draft in the same folder."""

    def __init__(self, path: Path, *, force: bool) -> None:
        self.path = path
        self._force = force
        try:
            handle, name = tempfile.mkstemp(prefix=".tacit-", suffix=path.suffix, dir=path.parent)
            self.draft = Path(name)
            try:
                os.write(handle, bytes(_ROOM))
                os.fsync(handle)
            finally:
                os.close(handle)
        except BaseException as error:  # Ctrl-C, too, leaves no draft behind
            self.discard()
            if isinstance(error, OSError):
                raise _cannot(path, error) from None
            raise

    def write(self, content: str | bytes) -> None:
        """Write the file and give it its name."""
        self.fill(content)
        self.publish()

    def fill(self, content: str | bytes) -> None:
        """Write the draft; ``publish`` gives it its name."""
        data = content.encode() if isinstance(content, str) else content
        try:
            # Over the room that was kept, not into a new file: a full disk still has it.
            with self.draft.open("r+b") as stream:
                stream.write(data)
                stream.truncate()
                stream.flush()
                os.fsync(stream.fileno())
        except OSError as error:
            raise _cannot(self.path, error) from None

    def publish(self) -> None:
        """Give the finished draft its name; an existing file gives way to ``--force`` only."""
        try:
            mask = os.umask(0)
            os.umask(mask)
            self.draft.chmod(0o666 & ~mask)
            if self._force:
                self.draft.replace(self.path)
                return
            try:
                os.link(self.draft, self.path)
            except FileExistsError:
                raise
            except OSError:  # a file system without hard links
                if os.path.lexists(self.path):
                    raise FileExistsError from None
                self.draft.replace(self.path)
            self.discard()
        except FileExistsError:
            raise _exists(self.path) from None
        except OSError as error:
            raise _cannot(self.path, error) from None

    def discard(self) -> None:
        """Take the draft away; one that cannot be taken away harms nobody."""
        draft = getattr(self, "draft", None)
        if draft is not None:
            with suppress(OSError):
                draft.unlink(missing_ok=True)


class Outputs:
    """The targets of one command, by name; drafts that were not finished are taken away."""

    def __init__(
        self,
        outputs: Mapping[str, Path | None],
        *,
        inputs: Mapping[str, Path | None],
        force: bool,
    ) -> None:
        wanted = check_outputs(outputs, inputs=inputs, force=force)
        self._targets: dict[str, Target] = {}
        try:
            for name, path in wanted.items():
                self._targets[name] = Target(path, force=force)
        except BaseException:  # Ctrl-C, too
            self.discard()
            raise

    def __getitem__(self, name: str) -> Target:
        return self._targets[name]

    def __contains__(self, name: str) -> bool:
        return name in self._targets

    def publish(self, names: Sequence[str]) -> None:
        """Give these drafts their names one right after the other, when all are finished.

        Ctrl-C while one of them is written leaves none of them, not some.
        """
        for name in names:
            self._targets[name].publish()

    @property
    def paths(self) -> list[Path]:
        """Where the files are, or will be."""
        return [target.path for target in self._targets.values()]

    def discard(self) -> None:
        """Take away every draft."""
        for target in self._targets.values():
            target.discard()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.discard()


def check_outputs(
    outputs: Mapping[str, Path | None], *, inputs: Mapping[str, Path | None], force: bool
) -> dict[str, Path]:
    """Refuse outputs that would overwrite anything; the value is those that were asked for."""
    wanted = {name: path for name, path in outputs.items() if path is not None}
    for name, path in wanted.items():
        _check_different(name, path, wanted, inputs)
        _check(path, force=force)
    return wanted


def one_output(path: Path, *, inputs: Mapping[str, Path | None], force: bool) -> Outputs:
    """The only output of a command, called ``output``."""
    return Outputs({"output": path}, inputs=inputs, force=force)


def _check(path: Path, *, force: bool) -> None:
    if path.is_dir():
        raise BadInput(f"{path.name or path} is a folder; name a file")
    if not path.parent.is_dir():
        raise BadInput(f"the folder of {path.name} does not exist")
    if not os.path.lexists(path):
        return
    if _of_the_system(path) or not (path.is_symlink() or path.is_file()):
        raise BadInput(f"{path.name} is not an ordinary file; name a file to write")
    if not force:
        raise _exists(path)
    if _is_database(path):
        raise BadInput(f"{path.name} is a ledger or another database, which --force keeps as it is")


def _is_database(path: Path) -> bool:
    """Whether a file is one that ledgers are: with it a record of what was spent would go."""
    try:
        with path.open("rb") as stream:
            return stream.read(len(_DATABASE)) == _DATABASE
    except OSError:
        return False


def _of_the_system(path: Path) -> bool:
    """Whether a name such as /dev/stdout is the system's own: it must not become a file."""
    folder = Path(os.path.realpath(path.parent))
    return folder == Path("/dev") or folder.parts[:2] == ("/", "proc")


def _check_different(
    name: str, path: Path, outputs: Mapping[str, Path], inputs: Mapping[str, Path | None]
) -> None:
    others = {other: at for other, at in inputs.items() if at is not None}
    others |= {other: at for other, at in outputs.items() if other != name}
    for other, at in others.items():
        if same_file(path, at):
            raise BadInput(f"the {name} and the {other} must be different files: {path.name}")
        if at.is_dir() and _within(path, at):
            raise BadInput(f"{path.name} would lie in the {other}, a folder; name a file elsewhere")
    ledger = inputs.get("ledger")
    if ledger is not None and _beside(path, ledger):
        raise BadInput(f"{path.name} is a name that the ledger {ledger.name} keeps for itself")


def same_file(one: Path, other: Path) -> bool:
    """Whether two paths are one file: by name, through links, or by hard links."""
    if os.path.realpath(one) == os.path.realpath(other):
        return True
    try:
        return one.samefile(other)
    except OSError:
        return False


def _within(path: Path, folder: Path) -> bool:
    """Whether a file would lie in a folder or anywhere below it, where links lead, too."""
    places = {Path(os.path.realpath(one)) for one in (path, path.parent)}
    seen, left = set[Path](), [Path(os.path.realpath(folder))]
    while left:
        here = left.pop()
        if any(place.is_relative_to(here) for place in places):
            return True
        seen.add(here)
        linked = {Path(os.path.realpath(one)) for one in here.rglob("*") if one.is_symlink()}
        left += linked - seen
    return False


def _beside(path: Path, ledger: Path) -> bool:
    """Whether a name belongs to the ledger: its journal, its counter, its undelivered releases."""
    real, book = Path(os.path.realpath(path)), Path(os.path.realpath(ledger))
    return real.parent == book.parent and real.name.startswith((f"{book.name}-", f"{book.name}."))


def _exists(path: Path) -> BadInput:
    return BadInput(f"{path.name} exists; --force overwrites it, or name another file")


def _cannot(path: Path, error: OSError) -> NotWritten:
    return NotWritten(f"{path.name} cannot be written: {error.strerror or 'input/output error'}")
