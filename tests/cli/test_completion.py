"""Completion scripts: bash runs its own; the others name every command and option."""

import shutil
import subprocess

import pytest

from tacit.cli import COMMANDS, main
from tacit.cli.completion import SHELLS, options_of_commands


@pytest.fixture(scope="module")
def scripts():
    found = {}
    for shell in SHELLS:
        with pytest.MonkeyPatch.context() as patch:
            told = []
            patch.setattr("typer.echo", lambda text, nl: told.append(text))  # noqa: B023
            assert main(["completion", shell]) == 0
        found[shell] = told[0]
    return found


def completed(script, *words):
    """What bash offers after these words, the last of which is being typed."""
    typed = " ".join(f"'{word}'" for word in words)
    asked = f'COMP_WORDS=({typed}); COMP_CWORD={len(words) - 1}; _tacit; echo "${{COMPREPLY[*]}}"'
    done = subprocess.run(
        ["bash", "--norc", "-c", f"{script}\n{asked}"], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_commands_options_and_inner_commands(scripts):
    script = scripts["bash"]
    assert completed(script, "tacit", "le") == ["learn"]
    assert set(COMMANDS) <= set(completed(script, "tacit", ""))
    assert completed(script, "tacit", "learn", "data.csv", "--eps") == ["--epsilon"]
    assert completed(script, "tacit", "budget", "cr") == ["create"]
    assert completed(script, "tacit", "budget", "create", "--dat") == ["--data-set"]
    assert completed(script, "tacit", "verify", "--le") == ["--ledger"]
    assert completed(script, "tacit", "learn", "--no-such") == []


def test_every_script_names_every_command_and_option(scripts):
    words = options_of_commands()
    assert set(COMMANDS) <= set(words)
    for shell, script in scripts.items():
        for follow in words.values():
            assert follow
            assert all(word in script for word in follow), shell


def test_another_shell_is_an_error_and_the_usual_option_says_how(capsys):
    assert main(["completion", "tcsh"]) == 2
    assert "bash, zsh, fish" in capsys.readouterr().err
    assert main(["--install-completion"]) == 0
    assert "tacit completion bash" in capsys.readouterr().out
