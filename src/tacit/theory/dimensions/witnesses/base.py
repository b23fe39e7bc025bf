"""Witnesses: the evidence for one side of a bound, as plain data.

Each proves one inequality about one table (named by ``digest``); ``says`` puts it in
words. They are checked in ``tacit.theory.dimensions.checks``, which shares no code with the
searches that make them. All numbers are whole or rational.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any, ClassVar, TypeVar

from tacit.core import BadInput

Ints = tuple[int, ...]
Table = tuple[Ints, ...]
Weights = tuple[Fraction, ...]
C = TypeVar("C", bound="Witness")
KINDS: dict[str, type[Witness]] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """Evidence about the table called ``digest``. Use one of the subclasses."""

    digest: str
    side: ClassVar[str] = "lower"

    def says(self) -> str:
        """The proved inequality, in words."""
        raise TypeError("Witness is abstract")

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form that ``witness_from_dict`` reads back."""
        body = {field.name: _encode(getattr(self, field.name)) for field in fields(self)}
        return {"kind": type(self).__name__, "says": self.says(), **body}


def witness_kind(cls: type[C]) -> type[C]:
    """Class decorator: witnesses of this class can be read back."""
    KINDS[cls.__name__] = cls
    return cls


def witness_from_dict(record: Mapping[str, object]) -> Witness:
    """Read back what ``to_dict`` wrote; anything damaged is refused.

    Types are checked here, truth in ``tacit.theory.dimensions.checks``. ``says`` is not read:
    what a witness says follows from its numbers.
    """
    cls = KINDS.get(str(record.get("kind")))
    if cls is None:
        raise BadInput("this is not a witness that this version of Tacit can read")
    try:
        values = {f.name: _decode(record[f.name], str(f.type)) for f in fields(cls)}
    except (KeyError, TypeError, ValueError, ZeroDivisionError):
        raise BadInput(f"the witness of kind {cls.__name__} is damaged") from None
    return cls(**values)


def _encode(value: object) -> Any:
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, tuple):
        return [_encode(part) for part in value]
    return value


def _decode(value: object, kind: str) -> Any:
    if kind.startswith("tuple["):
        inner = kind.removeprefix("tuple[").removesuffix(", ...]")
        return tuple(_decode(part, inner) for part in _listed(value))
    if kind in ("Ints", "Table", "Weights"):
        inner = {"Ints": "int", "Table": "Ints", "Weights": "Fraction"}[kind]
        return tuple(_decode(part, inner) for part in _listed(value))
    if kind == "int" and type(value) is int:
        return value
    if kind == "str" and isinstance(value, str):
        return value
    if kind == "Fraction" and isinstance(value, str):
        return Fraction(value)
    raise TypeError(kind)


def _listed(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("list")
    return value
