"""The command line: thin, quick to start, never a traceback.

Each command is a function in a module of this folder; only the one that is asked for is
imported. Exit codes: 0 done, 2 bad input or usage, 3 refused by the budget, 4 refused
because privacy itself needs more records, 5 paid but not delivered where asked (it says
where it is kept, or why there is none), 1 a bug of ours, 130 interrupted (it says what was
spent).
"""

from __future__ import annotations

import importlib
import io
import os
import sys

TYPE_CHECKING = False  # ``typing`` takes longer to load than all that is here
if TYPE_CHECKING:
    from typing import Any, TextIO

COMMANDS = {
    "plan": "How many records a task needs, and how many every algorithm needs.",
    "learn": "Learn a private rule from a table and write it with its certificate.",
    "sanitize": "Release a synthetic table, or a column, with its certified error.",
    "predict": "Apply a learned rule to a table.",
    "schema": "Write or check the public schema of a table.",
    "certificate": "The certificate of a release, for people and for registries.",
    "verify": "Check a release file: what holds, and what is only claimed.",
    "keys": "Make keys, and sign a release.",
    "dims": "Dimensions of a class, with witnesses that can be checked.",
    "bounds": "List the theorems of the package, or evaluate one at your numbers.",
    "optimal": "How well the best private learner of a tiny class can do, with a proof.",
    "audit": "Whether a mechanism, ours or yours, is as private as it says.",
    "reproduce": "The tables of the five papers again: planned, needed, measured.",
    "attack": "Break a faulty mechanism, and fail to break the corrected one.",
    "budget": "Make a ledger with a limit; what was charged to it, and what is left.",
    "serve": "The page: plan, release, verify and try things in a browser on this machine.",
    "doctor": "What is installed and missing; with a file, what is wrong with it.",
    "completion": "A script that completes commands and options in bash, zsh or fish.",
    "demo": "Plan, learn and certify on data that comes with scikit-learn.",
}
"""Command names, each a module and a function of this folder, with what they do."""


def usage() -> str:
    """The text of ``tacit --help``."""
    width = max(map(len, COMMANDS))
    rows = "\n".join(f"  {name:<{width}}  {words}" for name, words in COMMANDS.items())
    return (
        "Usage: tacit COMMAND [OPTIONS]\n\n"
        "Learn from sensitive data with differential privacy: plan, learn, certify, verify.\n\n"
        f"Commands:\n{rows}\n\n"
        "Options:\n  --help     This text; `tacit COMMAND --help` says more.\n"
        "  --version  The version.\n\n"
        "Exit codes: 0 done, 2 bad input or usage, 3 refused by the budget,\n"
        "4 refused because privacy itself needs more records, 5 paid for, but not\n"
        "delivered where asked (it says where it is, or why there is none), 130 interrupted (it\n"
        "says what was spent)."
    )


def main(arguments: list[str] | None = None) -> int:
    """Run one command; the value is the exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    code = 0
    try:
        _open_streams()
        if (deliver := _deliver()) is not None:
            deliver.begin()
        code = _main(given)
        sys.stdout.flush()
    except KeyboardInterrupt:  # while modules are loaded: before anything is read or charged
        _interrupted()
        return 130
    except BrokenPipeError:
        silence(sys.stdout)
    except OSError as error:
        silence(sys.stdout)
        _tell(f"error: {error.strerror or 'input/output error'}")
        return 2
    return code


def _open_streams() -> None:
    """Let writing to a closed output fail as writing does, and no character be one too many.

    Python has ``None`` for an output that was closed before it began; a terminal may know
    fewer characters than the names in a table.
    """
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115 - as long as the process
    sys.stdout = sys.stdout or open(os.devnull)  # noqa: SIM115 - not writable, as it was
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


def silence(stream: TextIO) -> None:
    """Send what is still to be written nowhere: the stream is gone, and Python would complain."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
    except (OSError, ValueError):
        return


def _tell(words: str) -> None:
    """Say what went wrong; the exit code says it where nobody can be told."""
    try:
        print(words, file=sys.stderr, flush=True)
    except OSError:
        silence(sys.stderr)


def _deliver() -> Any:
    """What delivers paid releases; ``None`` where it is not loaded, and nothing was begun."""
    return sys.modules.get("tacit.cli.deliver")


def _interrupted() -> None:
    deliver = _deliver()
    spent = "nothing was spent" if deliver is None else deliver.spent_outside()
    _tell(f"interrupted: {spent}")


def _main(given: list[str]) -> int:
    if not given or given[0] in ("--help", "-h", "help"):
        print(usage())
        return 0
    if given[0] == "--version":
        from tacit import __version__

        print(f"tacit {__version__}")
        return 0
    name, rest = given[0], given[1:]
    if name in ("--install-completion", "--show-completion"):
        print("tacit completion bash, zsh or fish prints the script: see its --help")
        return 0
    if name not in COMMANDS:
        import difflib

        near = difflib.get_close_matches(name, COMMANDS, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        _tell(f"error: there is no command {name!r}{hint}; see `tacit --help`")
        return 2
    return _run(name, rest)


def _run(name: str, rest: list[str]) -> int:
    import typer

    from tacit.core import TacitError
    from tacit.core.printable import lines

    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    module = importlib.import_module(f"tacit.cli.{name}")
    function = getattr(module, name)
    if isinstance(function, typer.Typer):
        app = function
    else:
        app.command(name, context_settings=getattr(module, "SETTINGS", None))(function)
    code = 0
    try:
        try:
            _refuse_repeats(typer.main.get_command(app), rest)
            app(args=rest, prog_name=f"tacit {name}")
        except SystemExit as done:
            code = done.code if isinstance(done.code, int) else int(done.code is not None)
            # Typer turns Ctrl-C into this and says nothing, where no paid command was under way.
            if isinstance(getattr(done.__context__, "__cause__", None), KeyboardInterrupt):
                _interrupted()
        sys.stdout.flush()
    except TacitError as refused:
        _tell(f"error: {lines(str(refused))}")
        return refused.exit_code
    except BrokenPipeError:
        silence(sys.stdout)
    except OSError as error:
        silence(sys.stdout)
        _tell(f"error: {name}: {error.strerror or 'input/output error'}")
        return 2
    except Exception as bug:  # noqa: BLE001 - a traceback could show private values
        _tell(
            f"error: {name} failed unexpectedly ({type(bug).__name__}); please report it. "
            "Details are withheld because they may hold private values."
        )
        return 1
    return code


def _refuse_repeats(command: Any, words: list[str]) -> None:
    """Refuse an option that is given twice, or with its opposite: one would be dropped silently."""
    from tacit.core import BadInput

    inner = getattr(command, "commands", {}).get(words[0] if words else "", command)
    for option in inner.params:
        multiple, flag = getattr(option, "multiple", False), getattr(option, "is_flag", False)
        if multiple:
            continue
        if flag:
            one, other = option.opts, option.secondary_opts
            if any(word in one for word in words) and any(word in other for word in words):
                raise BadInput(f"{one[0]} and {other[0]} are opposites: give one of them")
            continue
        given = [
            word
            for word in words
            for spelled in option.opts
            if spelled.startswith("-") and _gives(word, spelled)
        ]
        if len(given) > 1:
            raise BadInput(f"{option.opts[0]} is given twice: give it once")


def _gives(word: str, option: str) -> bool:
    """Whether a word gives an option: ``--output``, ``--output=x``, ``-o``, ``-ox``."""
    if option.startswith("--"):
        return word == option or word.startswith(f"{option}=")
    return word.startswith(option)
