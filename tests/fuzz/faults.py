"""Let every change of a file fail in turn: ``python -m tests.fuzz.faults [COMMAND ...]``.

For each paid command, and for k = 1, 2, ... until no k-th change is left: the k-th opening,
writing, syncing, cutting, linking, renaming or deleting of a file fails (an input/output
error), or the disk is full from there on. After each blow: no release without its charge, the
limit is kept, the chain verifies, the exit code is a documented one, and whoever paid is told
what was spent and where the release is.

It needs a C compiler and LD_PRELOAD (Linux); ``build`` says ``None`` where there is none.
"""

import contextlib
import ctypes
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
SCHEMA = '[columns.age]\nkind = "integer"\nlow = 0\nhigh = 99\nbins = 10\n'
LEARN = ("learn", "in.csv", "--label", "sick", "--epsilon", "1")
STUMP = (*LEARN, "--schema", "s.toml", "--model", "stump")
CLEAN = ("sanitize", "in.csv", "--columns", "age:0..99", "--queries", "thresholds")
COMMANDS = {
    "learn": (*STUMP, "--ledger", "b.db", "-o", "out.json"),
    "learn, printed": (*STUMP, "--ledger", "b.db"),
    "learn, no ledger": (*STUMP, "--no-ledger", "-o", "out.json"),
    "column": (
        *LEARN, "--class", "thresholds", "--column", "age", "--size", "100",
        "--ledger", "b.db", "-o", "out.json",
    ),
    "sanitize": (
        *CLEAN, "--epsilon", "1", "--ledger", "b.db", "-o", "out.csv", "--certificate", "out.json",
    ),
    "create": ("budget", "create", "new.db", "--epsilon", "1", "--data-set", "d"),
}  # fmt: skip
DOCUMENTED = {0, 2, 3, 5}


def build(folder):
    """The library that makes writes fail, or ``None`` where it cannot be made."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None or not sys.platform.startswith("linux"):
        return None
    made = Path(folder) / "faults.so"
    words = [compiler, "-shared", "-fPIC", "-O1", "-o", str(made), str(HERE / "faults.c"), "-ldl"]
    return made if subprocess.run(words, check=False).returncode == 0 else None


def template(folder):
    """A folder with data, a schema and a ledger of three."""
    from tacit.accounting import Ledger

    folder.mkdir()
    rows = "".join(f"{value % 100},{int(value % 100 >= 50)}\n" for value in range(300))
    (folder / "in.csv").write_text("age,sick\n" + rows)
    (folder / "s.toml").write_text(SCHEMA)
    Ledger.create(folder / "b.db", 3, data_set="d")


def struck(shim, folder, words, at, full):
    """Run one command in a forked process; exit code, whether a write failed, what it said."""
    said = folder.with_name("said.txt")
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.chdir(folder)
            out = os.open(said, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(out, 1)
            os.dup2(out, 2)
            from tacit.cli import main

            shim.tacit_arm(str(folder).encode(), at, int(full))
            code = main(list(words))
            fired = shim.tacit_fired()
            sys.stdout.flush()
            os.write(write, json.dumps([code, fired]).encode())
        finally:
            os._exit(0)
    os.close(write)
    told = b""
    while piece := os.read(read, 4096):
        told += piece
    os.close(read)
    os.waitpid(pid, 0)
    assert told, f"{words[0]} died: {said.read_text()[-2000:]}"
    code, fired = json.loads(told)
    return code, fired, " ".join(said.read_text().split())


def sound(name, folder, code, said):
    """What must be true after any blow."""
    from tacit.accounting import Ledger
    from tacit.cli.deliver import undelivered
    from tacit.report.release_file import load

    assert code in DOCUMENTED, (code, said)
    assert "Traceback" not in said, said
    book = Ledger.open_existing(folder / "b.db")  # checks the chain and the counter
    charged = len(book.entries)
    assert charged <= 1
    assert book.spent.epsilon <= 3
    if name == "create":
        if code == 0:
            assert Ledger.open_existing(folder / "new.db").epsilon == 1
        elif (folder / "new.db").exists():
            Ledger.open_existing(folder / "new.db")  # whole, never half
        return
    kept = undelivered(book)
    if (folder / "out.json").exists():
        found = load(folder / "out.json")
        assert found.verify(seconds=None), str(found.verify(seconds=None))
        if "--ledger" in COMMANDS[name]:
            assert charged == 1, "a release without its charge"
            assert found.certificate.account.entry == 1
    if name == "learn, no ledger":
        assert code != 0 or (folder / "out.json").exists()
        return
    wanted = [folder / one for one in COMMANDS[name] if one in ("out.json", "out.csv")]
    arrived = all(path.exists() for path in wanted) if wanted else "if age" in said
    if code == 0:
        assert charged == 1
        assert arrived or (not wanted and kept == [])
    elif charged:
        assert code == 5, (code, said)
        assert "was spent" in said, said
        printed = '"format": "tacit-release"' in said and "its only copy" in said
        assert kept or arrived or printed, f"paid and lost: {said}"
        told = ("tacit budget recover", "the release is in", "its only copy")
        assert any(words in said for words in told), said
    else:
        assert not kept
        assert not any(path.exists() for path in wanted)


def warm(folder, name):
    """Run the command once in this process: its children then have everything loaded."""
    from tacit.cli import main

    place, here = folder / "warm", Path.cwd()
    shutil.copytree(folder / "template", place)
    os.chdir(place)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            assert main(list(COMMANDS[name])) == 0
    finally:
        os.chdir(here)
        shutil.rmtree(place)


def blows(shim, folder, name, *, full, most=10**6):
    """How many changes of files a command makes, each of which failed once."""
    start = folder / "template"
    if not start.exists():
        template(start)
    warm(folder, name)
    for at in range(1, most):
        place = folder / "struck"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(start, place)
        code, fired, said = struck(shim, place, COMMANDS[name], at, full)
        try:
            sound(name, place, code, said)
        except AssertionError as wrong:
            raise AssertionError(f"{name}, change {at}, full={full}: {wrong}") from wrong
        if not fired:
            assert code == 0, (code, said)
            return at - 1
    return most


def main(*names):
    """Every command, by errors and by a full disk; runs itself under the library."""
    if "TACIT_FAULTS" not in os.environ:
        with tempfile.TemporaryDirectory() as folder:
            made = build(folder)
            if made is None:
                print("SKIPPED: no C compiler, or not Linux")
                return 77
            more = {"TACIT_FAULTS": "1", "LD_PRELOAD": str(made)}
            words = [sys.executable, "-m", "tests.fuzz.faults", *names]
            return subprocess.run(words, env=os.environ | more, check=False).returncode
    shim = ctypes.CDLL(None)
    kinds = (False,) if "--errors-only" in names else (False, True)
    with tempfile.TemporaryDirectory() as name:
        for command in [one for one in names if one in COMMANDS] or COMMANDS:
            for full in kinds:
                done = blows(shim, Path(name), command, full=full)
                assert done > 3, (command, done)
                print(f"{command}: {done} {'full disks' if full else 'errors'}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
