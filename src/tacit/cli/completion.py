"""``tacit completion``: a script that lets a shell complete commands and options."""

from __future__ import annotations

import importlib
from typing import Annotated, Any

import typer

from tacit.core import BadInput

SHELLS = ("bash", "zsh", "fish")


def completion(
    shell: Annotated[str, typer.Argument(help="bash, zsh or fish.")],
) -> None:
    """Print a completion script for a shell.

    bash: `tacit completion bash > ~/.local/share/bash-completion/completions/tacit`;
    zsh: `tacit completion zsh > DIR/_tacit` with DIR in `$fpath`;
    fish: `tacit completion fish > ~/.config/fish/completions/tacit.fish`.
    The script names the options of this version and runs nothing.
    """
    if shell not in SHELLS:
        raise BadInput(f"the shell must be one of {', '.join(SHELLS)}")
    write = {"bash": _bash, "zsh": _zsh, "fish": _fish}[shell]
    typer.echo(write(options_of_commands()), nl=False)


def options_of_commands() -> dict[str, list[str]]:
    """What may follow each command, `budget create` and the like included."""
    from tacit.cli import COMMANDS

    found: dict[str, list[str]] = {"": [*COMMANDS, "--help", "--version"]}
    for name in COMMANDS:
        made = _command(name)
        inner = getattr(made, "commands", {})
        found[name] = [*inner, *_options(made)]
        found |= {f"{name} {word}": _options(one) for word, one in inner.items()}
    return found


def _command(name: str) -> Any:
    """Click's own object for a command of ours."""
    function = getattr(importlib.import_module(f"tacit.cli.{name}"), name)
    if isinstance(function, typer.Typer):
        return typer.main.get_command(function)
    app = typer.Typer(add_completion=False)
    app.command(name)(function)
    return typer.main.get_command(app)


def _options(made: Any) -> list[str]:
    spelled = [word for one in made.params for word in (*one.opts, *one.secondary_opts)]
    return [*sorted(word for word in spelled if word.startswith("-")), "--help"]


def _case(words: dict[str, list[str]], *, indent: str) -> str:
    """A shell's `case` from the command's words to what may follow."""
    named = [(name, follow) for name, follow in words.items() if name]
    named.sort(key=lambda one: " " not in one[0])  # `budget create` before `budget`
    lines = [f'{indent}"{name} "*) words="{" ".join(follow)}" ;;' for name, follow in named]
    return "\n".join([*lines, f'{indent}*) words="{" ".join(words[""])}" ;;'])


def _bash(words: dict[str, list[str]]) -> str:
    return f"""# bash completion for tacit
_tacit() {{
    local words current="${{COMP_WORDS[COMP_CWORD]}}"
    local said="${{COMP_WORDS[*]:1:COMP_CWORD-1}} "
    case "$said" in
{_case(words, indent="        ")}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$current"))
}}
complete -o default -F _tacit tacit
"""


def _zsh(words: dict[str, list[str]]) -> str:
    return f"""#compdef tacit
_tacit() {{
    local said="${{(j: :)words[2,CURRENT-1]}} " follow
    case "$said" in
{_case(words, indent="        ").replace("words=", "follow=")}
    esac
    compadd -- ${{=follow}} || _files
}}
compdef _tacit tacit
"""


def _fish(words: dict[str, list[str]]) -> str:
    lines = ["# fish completion for tacit"]
    for name, follow in words.items():
        seen = [f"__fish_seen_subcommand_from {one}" for one in name.split()]
        when = "; and ".join(seen) or "__fish_use_subcommand"
        lines += [f'complete -c tacit -n "{when}" -a "{word}"' for word in follow]
    return "\n".join(lines) + "\n"
