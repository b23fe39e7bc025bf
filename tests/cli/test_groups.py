"""Tests of ``tacit.cli.groups``: options are declared once, in groups that are typed."""

import ast
import importlib
import inspect
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, get_args

import pytest
import typer

from tacit import cli
from tacit.cli.groups import Panel, Without, given, grouped, groups_of, marked, option_names

GROUPED = ("learn", "plan", "sanitize", "predict")
SEVERAL_MEANINGS = {
    *("output", "as_json", "rows", "columns", "column", "matrix", "public"),
    *("relation", "schema", "model"),
    *("alpha", "beta", "bits", "size", "setting", "marginal"),
}
"""Names with another text in another command: they mean something else there, take fewer words,
or tell a default in words where one command has it and another does not. May shrink."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    bits: Annotated[int, typer.Option(help="How many.")]
    unit: Annotated[str | None, typer.Option(help="Of what."), "mark"] = None
    loud: Annotated[bool, typer.Option("--loud", help="Shout.")] = False


def shown_by(kind):
    """A command with this group, which hands back what it is given."""
    seen = []

    def command(name: str, *, first: Annotated[int, typer.Option()] = 3, size) -> None:
        seen.append((name, first, size))

    command.__annotations__["size"] = kind
    return grouped(command), seen


def test_a_group_is_shown_as_options_and_handed_over_whole():
    command, seen = shown_by(Annotated[Size, Panel("How large")])
    parameters = inspect.signature(command).parameters
    assert list(parameters) == ["name", "bits", "first", "unit", "loud"], "required ones first"
    options = {name: get_args(parameters[name].annotation)[1] for name in ("bits", "unit", "loud")}
    assert {option.rich_help_panel for option in options.values()} == {"How large"}
    assert options["bits"].help == "How many."
    command(name="a", bits=3, first=4, unit=None, loud=True)
    assert seen == [("a", 4, Size(bits=3, loud=True))]
    assert option_names(command) == {"bits", "first", "unit", "loud"}


def test_a_command_may_leave_options_out():
    command, seen = shown_by(Annotated[Size, Without("unit")])
    assert "unit" not in inspect.signature(command).parameters
    command(name="a", bits=3, first=4, loud=False)
    assert seen[0][2].unit is None
    with pytest.raises(TypeError, match="has no field colour"):
        shown_by(Annotated[Size, Without("colour")])


def test_an_option_of_two_groups_of_one_command_is_refused():
    def command(*, one: Size, other: Size) -> None: ...

    with pytest.raises(ValueError, match="duplicate"):
        grouped(command)


def test_what_was_said_and_what_is_marked():
    assert given(Size(bits=3)) == {"bits": 3, "loud": False}
    assert marked(Size, "mark") == {"unit"}


@pytest.mark.parametrize("name", GROUPED)
def test_every_option_of_the_large_commands_is_in_a_group(name):
    function = getattr(importlib.import_module(f"tacit.cli.{name}"), name)
    groups = groups_of(inspect.unwrap(function))
    held = [one.name for group in groups.values() for one in group.options()]
    assert len(held) == len(set(held)) > 10
    assert option_names(function) == set(held)


def declarations():
    """Every option in the source of the command line: its spellings, or its name, and its text."""
    for path in sorted(Path(cli.__file__).parent.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.arg(arg=name, annotation=told) if told is not None:
                    ...
                case ast.AnnAssign(target=ast.Name(id=name), annotation=told):
                    ...
                case ast.Assign(targets=[ast.Name(id=name)], value=told):
                    ...
                case _:
                    continue
            for call in ast.walk(told):
                if isinstance(call, ast.Call) and ast.unparse(call.func) == "typer.Option":
                    spelled = tuple(map(ast.unparse, call.args)) or name.lower()
                    words = {one.arg: ast.unparse(one.value) for one in call.keywords}
                    yield path.name, spelled, words.get("help")


def test_no_option_is_declared_twice_with_the_same_text():
    places = defaultdict(list)
    for file, spelled, text in declarations():
        places[spelled, text].append(file)
    assert len(places) > 100
    assert {key: files for key, files in places.items() if len(files) > 1} == {}


def test_one_name_has_one_text_but_where_it_means_something_else():
    """Of the large commands, those that are grouped."""
    texts = defaultdict(set)
    for name in GROUPED:
        function = getattr(importlib.import_module(f"tacit.cli.{name}"), name)
        for group in groups_of(inspect.unwrap(function)).values():
            for one in group.options():
                texts[one.name].add(get_args(one.annotation)[1].help)
    assert {name for name, told in texts.items() if len(told) > 1} == SEVERAL_MEANINGS
