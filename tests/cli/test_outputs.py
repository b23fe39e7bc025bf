"""What commands write: never over anything, never lost once paid for."""

import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tacit
from tacit.accounting import Ledger
from tacit.cli import main
from tacit.cli.deliver import Delivery, undelivered
from tacit.cli.outputs import Outputs, Target, check_outputs
from tacit.core import BadInput

RULE = '{"rule": {"kind": "threshold", "size": "100", "cut": "50", "orientation": ">="}}'

SCHEMA = '[columns.age]\nkind = "integer"\nlow = 0\nhigh = 99\nbins = 10\n'


@pytest.fixture
def here(tmp_path, monkeypatch):
    x = np.random.default_rng(0).integers(0, 100, 400)
    rows = "".join(f"{value},{int(value >= 50)}\n" for value in x)
    (tmp_path / "in.csv").write_text("age,sick\n" + rows)
    (tmp_path / "s.toml").write_text(SCHEMA)
    (tmp_path / "rule.json").write_text(RULE)
    (tmp_path / "m.csv").write_text("0,1\n1,1\n")
    Ledger.open(tmp_path / "b.db", 100)
    monkeypatch.chdir(tmp_path)
    return tmp_path


LEARN = [
    *("learn", "in.csv", "--label", "sick", "--epsilon", "1", "--schema", "s.toml"),
    *("--model", "stump", "--ledger", "b.db"),
]

THRESHOLD = [
    *("learn", "in.csv", "--label", "sick", "--epsilon", "1", "--class", "thresholds"),
    *("--column", "age", "--size", "100", "--ledger", "b.db"),
]

SANITIZE = [
    *("sanitize", "in.csv", "--columns", "age:0..99", "--queries", "thresholds"),
    *("--epsilon", "1", "--ledger", "b.db"),
]

PLAN = ["plan", "--class", "thresholds", "--size", "100", "--epsilon", "1"]

COMMANDS = {
    "learn": (LEARN, "-o", ["in.csv", "b.db", "s.toml"]),
    "learn column": (THRESHOLD, "-o", ["in.csv", "b.db"]),
    "sanitize": (SANITIZE, "-o", ["in.csv"]),
    "sanitize certificate": ([*SANITIZE, "-o", "t.csv"], "--certificate", ["in.csv", "b.db"]),
    "sanitize plot": ([*SANITIZE, "-o", "t.csv"], "--plot", []),
    "predict": (["predict", "rule.json", "in.csv", "--column", "age"], "-o", ["in.csv"]),
    "schema": (["schema", "init", "in.csv"], "-o", ["in.csv"]),
    "plan": (PLAN, "--save", []),
    "sweep": ([*PLAN, "--sweep", "alpha=0.1,0.2"], "--save", []),
    "dims": (["dims", "m.csv"], "--save", ["m.csv"]),
    "audit": (["audit", "laplace", "--budget", "1s"], "--save", []),
}

ENDINGS = {"sanitize": "x.csv", "sanitize plot": "x.svg", "predict": "x.csv", "schema": "x.toml"}


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("how", ["plain", "force", "link", "hard link", "other spelling"])
def test_no_output_is_an_input(here, name, how, capsys):
    words, option, inputs = COMMANDS[name]
    for target in inputs:
        path = target
        if how == "link":
            path = f"link-{target}"
            os.symlink(target, path)
        elif how == "hard link":
            path = f"hard-{target}"
            os.link(target, path)
        elif how == "other spelling":
            path = f"./../{here.name}/{target}"
        before = contents(here)
        force = [] if how == "plain" else ["--force"]
        assert main([*words, option, path, *force]) == 2
        error = capsys.readouterr().err
        assert "different files" in error or "must end in" in error
        assert contents(here) == before
        if how == "hard link":
            os.unlink(path)  # a ledger with two names is refused, whatever is asked
    assert not Ledger.open(here / "b.db").entries


@pytest.mark.parametrize("name", ["learn", "learn column", "sanitize", "predict", "schema"])
@pytest.mark.parametrize("pattern", ["parts", "parts/", "parts/*.csv"])
def test_no_output_is_one_of_several_inputs(here, name, pattern, capsys):
    """A folder was compared as one file, so that --force wrote over a file in it."""
    (here / "parts").mkdir()
    for part in ("1.csv", "2.csv"):
        (here / "parts" / part).write_bytes((here / "in.csv").read_bytes())
    words, option, _ = COMMANDS[name]
    words = [pattern if word == "in.csv" else word for word in words]
    for target in ("parts/1.csv", f"{here}/parts/../parts/2.csv"):
        before = contents(here / "parts")
        assert main([*words, "--glob", option, target, "--force"]) == 2
        assert "different files" in capsys.readouterr().err
        assert contents(here / "parts") == before
    assert not Ledger.open(here / "b.db").entries


@pytest.mark.parametrize("name", COMMANDS)
def test_an_existing_file_is_kept_without_force(here, name, capsys):
    words, option, _ = COMMANDS[name]
    path = here / ENDINGS.get(name, "x.json")
    path.write_text("an hour of work")
    before = contents(here)
    assert main([*words, option, path.name]) == 2
    assert "--force" in capsys.readouterr().err
    assert contents(here) == before


@pytest.mark.parametrize("name", ["learn", "sanitize", "predict", "schema", "plan"])
def test_force_overwrites(here, name):
    words, option, _ = COMMANDS[name]
    path = here / ENDINGS.get(name, "x.json")
    path.write_text("an hour of work")
    assert main([*words, option, path.name, "--force"]) == 0
    assert path.read_text() != "an hour of work"
    assert not [one for one in os.listdir(here) if one.startswith(".tacit-")]


@pytest.mark.parametrize("ledger", ["--ledger b.db", "--no-ledger"])
@pytest.mark.parametrize("name", ["other.db", "link"])
def test_force_keeps_a_ledger_that_the_command_does_not_know(here, name, ledger, capsys):
    book = here / "other.db"
    Ledger.open(book, 1)
    (here / "link").symlink_to(book)
    before = book.read_bytes()
    words = [*LEARN[: LEARN.index("--ledger")], *ledger.split()]
    assert main([*words, "-o", name, "--force"]) == 2
    assert "is a ledger or another database" in capsys.readouterr().err
    assert book.read_bytes() == before
    assert not Ledger.open_existing(here / "b.db").entries


def test_two_outputs_are_two_files(here, capsys):
    assert main([*SANITIZE, "-o", "t.csv", "--certificate", "t.csv"]) == 2
    assert "different files" in capsys.readouterr().err


def test_names_that_belong_to_the_ledger_are_not_taken(here, capsys):
    for name in ("b.db-journal", "b.db.undelivered-1.json"):
        assert main([*LEARN, "-o", name]) == 2
        assert "keeps for itself" in capsys.readouterr().err


def test_what_is_no_file_is_refused(here, capsys):
    for name in ("/dev/null", "/dev/full", ".", "none/x.json", "/proc/x.json"):
        assert main([*LEARN, "-o", name, "--force"]) == 2
        assert "error:" in capsys.readouterr().err
    assert not Ledger.open(here / "b.db").entries


@pytest.mark.skipif(not os.path.islink("/dev/stdout"), reason="this system has no /dev/stdout")
@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_names_of_the_system_do_not_become_files(name):
    with pytest.raises(BadInput, match="not an ordinary file"):
        check_outputs({"output": Path(name)}, inputs={}, force=True)


def test_a_file_that_appears_meanwhile_is_kept(tmp_path):
    path = tmp_path / "x.json"
    target = Target(path, force=False)
    path.write_text("somebody else's")
    with pytest.raises(BadInput, match="exists"):
        target.write("ours")
    assert path.read_text() == "somebody else's"


def test_a_file_is_whole_or_not_there(tmp_path):
    with Outputs({"output": tmp_path / "x"}, inputs={}, force=False):
        pass
    assert list(tmp_path.iterdir()) == []
    with Outputs({"output": tmp_path / "x"}, inputs={}, force=False) as files:
        files["output"].write("short")
    assert (tmp_path / "x").read_text() == "short"
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_a_closed_pipe_loses_nothing(here):
    read, write = os.pipe()
    os.close(read)  # as `| head` does once it has enough
    done = subprocess.run(
        [sys.executable, "-m", "tacit.cli", *LEARN, "-o", "r.json"],
        stdout=write,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(write)
    assert done.returncode == 5
    assert "was spent; the release is in r.json" in done.stderr
    assert done.stderr.count("\n") == 1
    assert (here / "r.json").read_text().startswith("{")


@pytest.mark.parametrize("words", [LEARN, THRESHOLD, [*SANITIZE, "-o", "t.csv"]])
def test_a_full_screen_ends_with_five_and_says_where_the_release_is(here, words):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "tacit.cli", *words],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 5
    assert done.stderr.count("\n") == 1
    assert "was spent" in done.stderr
    assert len(Ledger.open(here / "b.db").entries) == 1
    assert len(undelivered(Ledger.open(here / "b.db"))) == 1
    assert "t.csv" in done.stderr if "-o" in words else "tacit budget recover" in done.stderr


@pytest.mark.parametrize("missing", ["stdout", "stderr"])
def test_an_output_that_was_closed_from_the_start_loses_nothing(here, missing, monkeypatch, capsys):
    with monkeypatch.context() as patched:
        patched.setattr(sys, missing, None)  # as Python has it after `>&-` or `2>&-`
        assert main(LEARN) == (5 if missing == "stdout" else 0)
        getattr(sys, missing).close()
    told = capsys.readouterr()
    assert len(Ledger.open(here / "b.db").entries) == 1
    assert len(undelivered(Ledger.open(here / "b.db"))) == (missing == "stdout")
    if missing == "stdout":
        assert "was spent; the release is kept; `tacit budget recover" in told.err
    else:
        assert "if age" in told.out or "always" in told.out


@pytest.mark.parametrize(
    ("words", "stream", "code"),
    [
        (["budget", "show", "none.db"], "stderr", 2),
        (["budget", "show"], "stderr", 2),
        (["lern"], "stderr", 2),
        (["--help"], "stdout", 2),
        (["budget", "show", "b.db"], "stdout", 2),
        ([*LEARN[:5], "1000", *LEARN[6:]], "stderr", 3),
    ],
)
def test_a_stream_that_cannot_be_written_to_keeps_the_exit_code(
    here, words, stream, code, monkeypatch
):
    with open("/dev/full", "w") as full:
        monkeypatch.setattr(sys, stream, full)
        assert main(words) == code


def test_a_terminal_that_knows_few_characters_gets_the_release(here, monkeypatch):
    Ledger.create(here / "z.db", 9, data_set="Z\N{LATIN SMALL LETTER U WITH DIAERESIS}rich")
    bare = io.TextIOWrapper(io.BytesIO(), "ascii")
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdout", bare)
        assert main([*LEARN[:-1], "z.db", "-o", "r.json"]) == 0
        assert main(["budget", "show", "z.db"]) == 0
        bare.flush()
    assert "Z\\xfcrich" in bare.buffer.getvalue().decode("ascii")
    assert not undelivered(Ledger.open(here / "z.db"))


def test_a_delivered_release_is_not_kept_twice(here):
    assert main([*LEARN, "-o", "r.json"]) == 0
    assert sorted(os.listdir(here)) == [
        *("b.db", "b.db.counter", "in.csv", "m.csv", "r.json", "rule.json", "s.toml")
    ]


def test_an_output_that_fails_after_the_charge_is_kept(here, monkeypatch, capsys):
    honest = Target.publish

    def full(self):
        if self.path.name == "r.json":
            raise OSError(28, "No space left on device")
        honest(self)

    monkeypatch.setattr(Target, "publish", full)
    assert main([*LEARN, "-o", "r.json"]) == 5
    error = capsys.readouterr().err
    assert "was spent" in error
    assert "tacit budget recover" in error
    assert '"rule"' in undelivered(Ledger.open(here / "b.db"))[0].read()


def test_ctrl_c_before_and_after_a_release_says_what_was_spent(here, monkeypatch, capsys):
    def stop(*given, **named):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("tacit.cli.spend.payer", stop)
        assert main([*LEARN, "-o", "r.json"]) == 130
    assert capsys.readouterr().err == "interrupted: nothing was spent\n"
    honest = Delivery.__exit__

    def late(self, kind, error, trace):
        honest(self, kind, error, trace)
        raise KeyboardInterrupt

    monkeypatch.setattr(Delivery, "__exit__", late)
    assert main([*LEARN, "-o", "r.json"]) == 130
    told = capsys.readouterr().err
    assert "epsilon = 0.224) was spent; the release is in" in told
    assert "r.json" in told


def test_little_is_loaded_before_ctrl_c_is_answered():
    # Until ``main`` runs, Ctrl-C is answered by Python, with a traceback.
    tell = (
        "import sys; sys.path.insert(0, sys.argv[1]); known = {*sys.modules}; import tacit.cli; "
        "print(*sorted({*sys.modules} - known))"
    )
    source = str(Path(tacit.__file__).parents[1])
    bare = [sys.executable, "-I", "-S", "-c", tell, source]
    loaded = subprocess.run(bare, capture_output=True, text=True, check=True).stdout.split()
    assert "tacit.cli" in loaded
    assert not {"typing", "re", "collections", "tacit.core"} & set(loaded)


def test_ctrl_c_says_what_was_spent(here, monkeypatch, capsys):
    from tacit.problems.tables.tree_learner import TreeLearner

    def stop(self, data, *, rng):
        raise KeyboardInterrupt

    monkeypatch.setattr(TreeLearner, "_release", stop)
    assert main([*LEARN, "-o", "r.json"]) == 130
    error = capsys.readouterr().err
    parts = "epsilon = 0.776 (one selection) + epsilon = 0.224"
    assert f"epsilon = 1 in all ({parts}) was spent; nothing was written" in error
    monkeypatch.setattr(Ledger, "charge", stop)
    monkeypatch.setattr(Ledger, "charge", lambda self, event, note="": stop(self, None, rng=None))
    assert main([*LEARN, "-o", "r.json"]) == 130
    assert "nothing was spent" in capsys.readouterr().err


def test_ctrl_c_while_one_of_several_files_is_written_leaves_none(here, monkeypatch, capsys):
    """Each was whole, and some were there: now all are named at the end, or none."""

    def stop(record):
        raise KeyboardInterrupt

    words = [*SANITIZE, "-o", "t.csv", "--certificate", "c.json"]
    with monkeypatch.context() as patched:
        patched.setattr("tacit.cli.sanitize_column.release_text", stop)
        assert main(words) == 130
    assert not list(here.glob("t.csv")) + list(here.glob("c.json")) + list(here.glob(".tacit-*"))
    assert "the release is kept" in capsys.readouterr().err
    assert len(undelivered(Ledger.open(here / "b.db"))) == 1
    assert main(words) == 0
    assert (here / "t.csv").exists()
    assert (here / "c.json").exists()


@pytest.mark.parametrize("number", [1, 2])
def test_ctrl_c_while_room_is_made_leaves_no_draft(here, number, monkeypatch):
    calls = []

    def stop(handle):
        calls.append(handle)
        if len(calls) == number:
            raise KeyboardInterrupt

    monkeypatch.setattr("tacit.cli.outputs.os.fsync", stop)
    assert main([*LEARN, "-o", "r.json"]) == 130
    assert not [one.name for one in here.iterdir() if one.name.startswith(".tacit-")]
    assert not Ledger.open_existing(here / "b.db").entries


def test_a_table_that_changes_after_the_charge_ends_with_five_and_what_was_spent(
    here, monkeypatch, capsys
):
    from tacit.core import SourceChanged
    from tacit.problems.tables.tree_learner import TreeLearner

    def stop(*_, **__):
        raise SourceChanged("in.csv changed while it was read; run it again")

    with monkeypatch.context() as before:
        before.setattr(Ledger, "charge", stop)
        assert main([*LEARN, "-o", "r.json"]) == 2
        assert "was spent" not in capsys.readouterr().err
    monkeypatch.setattr(TreeLearner, "_release", stop)
    assert main([*LEARN, "-o", "r.json"]) == 5
    error = capsys.readouterr().err
    assert "run it again; epsilon = 1 in all" in error
    assert "was spent; nothing was written" in error
    assert len(Ledger.open_existing(here / "b.db").entries) == 1
