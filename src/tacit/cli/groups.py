"""Options in groups: a frozen dataclass, whose fields a command gets as options.

A command takes a group as one typed parameter; :func:`grouped` shows Typer its fields instead.
So several commands have the same options by the same words, and the functions behind a command
take what they read and no dictionary.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import MISSING, asdict, dataclass, fields, is_dataclass
from functools import cache, wraps
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from typer.models import OptionInfo

KEYWORD = inspect.Parameter.KEYWORD_ONLY


@dataclass(frozen=True, slots=True)
class Panel:
    """Where the help shows a group: ``Annotated[Group, Panel("Who is protected")]``."""

    title: str


class Without:
    """Fields that a command does not offer; they keep their defaults."""

    def __init__(self, *names: str) -> None:
        self.names = names


@dataclass(frozen=True, slots=True)
class Group:
    """One group of a command: its type, and how it is shown."""

    kind: type
    panel: str | None
    without: frozenset[str]

    def options(self) -> Iterator[inspect.Parameter]:
        """A parameter for each field that is offered."""
        hints = get_type_hints(self.kind, include_extras=True)
        for field in fields(self.kind):
            if field.name not in self.without:
                empty = inspect.Parameter.empty
                default = empty if field.default is MISSING else field.default
                shown = self._shown(hints[field.name])
                yield inspect.Parameter(field.name, KEYWORD, default=default, annotation=shown)

    def _shown(self, hint: object) -> object:
        """What Typer is told of a field: its type, and its option in the panel of the group."""
        kind, *told = get_args(hint)
        option = copy(next(one for one in told if isinstance(one, OptionInfo)))
        option.rich_help_panel = self.panel or option.rich_help_panel
        return Annotated[kind, option]


def groups_of(command: Callable[..., None]) -> dict[str, Group]:
    """The groups that a command takes, by the names of its parameters."""
    found = {}
    for name, parameter in inspect.signature(command, eval_str=True).parameters.items():
        kind, *told = _unwrapped(parameter.annotation)
        if isinstance(kind, type) and is_dataclass(kind):
            left_out = frozenset(
                word for one in told if isinstance(one, Without) for word in one.names
            )
            if unknown := left_out - {field.name for field in fields(kind)}:
                raise TypeError(f"{kind.__name__} has no field {min(unknown)}")
            panels = [one.title for one in told if isinstance(one, Panel)]
            found[name] = Group(kind, panels[-1] if panels else None, left_out)
    return found


def _unwrapped(annotation: object) -> tuple[object, ...]:
    return get_args(annotation) if get_origin(annotation) is Annotated else (annotation,)


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """The command with the options of its groups in place of the groups, required ones first."""
    groups = groups_of(command)
    options: list[inspect.Parameter] = []
    alone: list[inspect.Parameter] = []
    for name, parameter in inspect.signature(command, eval_str=True).parameters.items():
        if name in groups:
            options += groups[name].options()
        else:
            (options if parameter.kind is KEYWORD else alone).append(parameter)
    options.sort(key=lambda option: option.default is not inspect.Parameter.empty)
    taken = {name: [one.name for one in group.options()] for name, group in groups.items()}

    @wraps(command)
    def run(**given: Any) -> None:
        made = {
            name: groups[name].kind(**{field: given.pop(field) for field in held})
            for name, held in taken.items()
        }
        command(**given, **made)

    shown = inspect.Signature([*alone, *options], return_annotation=None)
    vars(run)["__signature__"] = shown
    run.__annotations__ = {name: one.annotation for name, one in shown.parameters.items()}
    return run


def option_names(command: Callable[..., None]) -> frozenset[str]:
    """The names of all options of a command, for the nearest one in an error."""
    shown = inspect.signature(command).parameters.values()
    return frozenset(one.name for one in shown if one.kind is KEYWORD)


def given(group: Any) -> dict[str, object]:
    """What was said, by the names of the fields: all that is not ``None``."""
    return {name: value for name, value in asdict(group).items() if value is not None}


@cache
def marked(kind: type, mark: object) -> frozenset[str]:
    """The fields of a group whose annotation bears a mark."""
    hints = get_type_hints(kind, include_extras=True)
    return frozenset(name for name, hint in hints.items() if mark in get_args(hint))
