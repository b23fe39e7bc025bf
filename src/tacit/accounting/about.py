"""What a charge was for: public words that are kept beside its cost."""

from __future__ import annotations

import getpass
import importlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields, replace
from functools import cache

from tacit.core import BadInput
from tacit.core.task_fields import RECORD

_LONGEST = 10_000  # characters of all words about one charge


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """Public words about one charge; all are optional.

    ``data_set``  what the records are called.
    ``columns``   the columns that were read, besides the label; the first ones, if they are many.
    ``label``     the label column.
    ``purpose``   why it was spent, in the words of whoever spent it.
    ``unit``      who is protected: ``record``, or what one person's records are told by.
    ``rows_per_unit``  how many rows of each person are used at most.
    ``who``       the account that spent it.
    ``software``  name and version of the program.
    """

    data_set: str = ""
    columns: tuple[str, ...] = ()
    label: str = ""
    purpose: str = ""
    unit: str = RECORD
    rows_per_unit: str = ""
    who: str = ""
    software: str = ""

    def __post_init__(self) -> None:
        texts = [getattr(self, one.name) for one in fields(self) if one.name != "columns"]
        named = isinstance(self.columns, tuple) and all(isinstance(c, str) for c in self.columns)
        if not named or not all(isinstance(text, str) for text in texts):
            raise BadInput("what a charge is about must be words: data_set, columns, label, ...")
        object.__setattr__(self, "columns", _some(self.columns))
        if sum(map(len, (*texts, *self.columns))) > _LONGEST:
            raise BadInput(f"what a charge is about must fit into {_LONGEST} characters")

    def to_dict(self) -> dict[str, str | list[str]]:
        """A JSON-ready form without what was left out."""
        given = {one.name: getattr(self, one.name) for one in fields(self)}
        given["columns"] = list(self.columns)
        return {name: value for name, value in given.items() if value}


def _some(names: tuple[str, ...]) -> tuple[str, ...]:
    """As many of these names as a charge has room for; where some are left out it says so."""
    kept: list[str] = []
    room = _LONGEST // 2
    for name in names:
        room -= len(name)
        if room < 0:
            return (*kept, f"and {len(names) - len(kept)} more")
        kept.append(name)
    return names


def about_from_dict(record: Mapping[str, object]) -> About:
    """Read back what ``About.to_dict`` wrote."""
    known = {one.name for one in fields(About)}
    if not set(record) <= known:
        raise BadInput("this ledger entry says something that this version does not know")
    values: dict[str, object] = dict(record)
    columns = values.pop("columns", [])
    if not isinstance(columns, list) or not all(isinstance(v, str) for v in values.values()):
        raise BadInput("this ledger entry is damaged")
    texts = {name: str(value) for name, value in values.items()}
    return About(columns=tuple(columns), **texts)


_NOW: ContextVar[About] = ContextVar("tacit_about", default=About())  # noqa: B039 - frozen


def present() -> About:
    """What charges are about now; the account and the software are filled in."""
    given = _NOW.get()
    return replace(given, who=given.who or _account(), software=software())


def software() -> str:
    """The name and version of this program."""
    version: str = importlib.import_module("tacit").__version__
    return f"tacit {version}"


@contextmanager
def describing(about: About) -> Iterator[None]:
    """Attach these public words to every charge made inside this block."""
    token = _NOW.set(about)
    try:
        yield
    finally:
        _NOW.reset(token)


@contextmanager
def protecting(unit: str | None, *, rows: int) -> Iterator[None]:
    """Say that charges inside this block protect each ``unit``, with so many rows used."""
    if unit is None:
        yield
        return
    with describing(replace(_NOW.get(), unit=unit, rows_per_unit=str(rows))):
        yield


def _account() -> str:
    return _name_of(os.geteuid() if hasattr(os, "geteuid") else 0)


@cache
def _name_of(number: int) -> str:
    del number  # another account, another name
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # an account without a name, as in containers
        return ""
