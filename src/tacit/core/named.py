"""A rule with the names of what it reads and what it says, as its owner named them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, runtime_checkable

from tacit.core.errors import BadInput
from tacit.core.hypothesis import (
    PLAIN,
    Hypothesis,
    Labels,
    ReadsRows,
    hypothesis_from_dict,
    hypothesis_kind,
)
from tacit.core.label_values import MOST_VALUES
from tacit.core.printable import one_line
from tacit.core.records import Stored

Value = str | int | float | bool | None
_OPPOSITES: dict[Value, Value] = {
    "true": "false",
    "True": "False",
    "TRUE": "FALSE",
    "false": "true",
    "False": "True",
    "FALSE": "TRUE",
}
"""The declared other value of a truth value, where only one was named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """The label column: its name, and the values that stand for 0 and for 1.

    ``negative`` is ``None`` where it was not declared: then 0 stands for any other value.
    """

    name: str | None = None
    negative: Value = 0
    positive: Value = 1

    @property
    def words(self) -> Labels:
        """What 0 and 1 stand for: "sick is no" and "sick is yes"."""
        is_ = "" if self.name is None else f"{self.name} is "
        negative = f"not {self.positive}" if self.negative is None else str(self.negative)
        return one_line(f"{is_}{negative}"), one_line(f"{is_}{self.positive}")

    @property
    def values(self) -> tuple[Value, Value]:
        """What a prediction is written as: two texts, or two values of one type."""
        if self.negative is None:
            if isinstance(self.positive, int) and self.positive in (0, 1):
                return int(not self.positive), int(self.positive)
            if self.positive in _OPPOSITES:
                return _OPPOSITES[self.positive], self.positive
            return f"not {self.positive}", str(self.positive)
        if type(self.negative) is not type(self.positive):
            return str(self.negative), str(self.positive)
        return self.negative, self.positive

    def to_dict(self) -> dict[str, Value]:
        """A JSON-ready form."""
        return {"name": self.name, "negative": self.negative, "positive": self.positive}


@dataclass(frozen=True, slots=True, kw_only=True)
class SeveralLabels:
    """A label column with more than two values, numbered from 0 on: its name, and the values."""

    values: tuple[Value, ...]
    name: str | None = None

    @property
    def words(self) -> Labels:
        """What each number stands for: "species is setosa"."""
        is_ = "" if self.name is None else f"{self.name} is "
        return tuple(one_line(f"{is_}{value}") for value in self.values)

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form."""
        return {"name": self.name, "values": list(self.values)}


def label_from_dict(record: object) -> Label | SeveralLabels:
    """Read back what ``to_dict`` of a label wrote, perhaps by somebody else."""
    plain = (str, int, float, bool, type(None))
    if isinstance(record, dict) and set(record) == {"name", "values"}:
        told, values = record["name"], record["values"]
        listed = isinstance(values, list) and 2 < len(values) <= MOST_VALUES
        if not listed or not all(isinstance(one, plain) for one in (told, *values)):
            raise BadInput("the label of a rule must have plain values")
        return SeveralLabels(name=None if told is None else str(told), values=tuple(values))
    if not isinstance(record, dict) or set(record) != {"name", "negative", "positive"}:
        raise BadInput("the label of a rule must have a name, a negative and a positive value")
    name = record["name"]
    if not all(isinstance(one, plain) for one in record.values()):
        raise BadInput("the label of a rule must have two plain values")
    return Label(
        name=None if name is None else str(name),
        negative=record["negative"],
        positive=record["positive"],
    )


class _Columns(Protocol):
    @property
    def names(self) -> tuple[str, ...]: ...


@runtime_checkable
class ReadsColumns(Protocol):
    """A rule over the named columns of a table, of which it reads some."""

    @property
    def schema(self) -> _Columns: ...

    @property
    def reads(self) -> tuple[int, ...]: ...


@runtime_checkable
class Valued(Protocol):
    """A rule that says how many labels it may give; any other gives two."""

    @property
    def label_count(self) -> int: ...


def label_count(rule: object) -> int:
    """How many labels a rule may give."""
    return rule.label_count if isinstance(rule, Valued) else 2


@hypothesis_kind
@dataclass(frozen=True, slots=True, kw_only=True)
class NamedRule:
    """A rule with its label, and with the names of its columns if it does not know them itself.

    ``column`` is the only one that it reads; ``rows`` are several, in their order. Text, JSON and
    predictions are made from this one object.
    """

    kind: ClassVar[str] = "named"
    rule: Hypothesis
    label: Label | SeveralLabels
    column: str | None = None
    rows: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(self.label.values) != label_count(self.rule):
            raise BadInput("the rule has another number of label values than there are names")
        width = self.rule.domain.width if isinstance(self.rule, ReadsRows) else len(self.rows)
        if self.rows and len(self.rows) != width:
            raise BadInput("the rule reads another number of columns than there are names")

    def predict(self, x: object) -> Any:
        """Which rows are the positive label, or the number of each row's label."""
        return self.rule.predict(x)

    @property
    def columns(self) -> tuple[str, ...] | None:
        """The names of the columns that the rule needs; ``None`` if it was not told."""
        if isinstance(self.rule, ReadsColumns):
            return tuple(self.rule.schema.names[column] for column in self.rule.reads)
        return self.rows or (None if self.column is None else (self.column,))

    def answers(self, x: object) -> list[Value]:
        """The label's value for every row."""
        values = self.label.values
        return [values[int(one)] for one in self.rule.predict(x)]

    def describe(self, *, column: str = "x", labels: Labels = PLAIN) -> str:
        """The rule in words, with the names of its own."""
        own = self.label.words if labels == PLAIN else labels
        rows = tuple(map(one_line, self.rows))
        if rows and isinstance(self.rule, ReadsRows):
            return self.rule.worded(rows, own)
        told = f"({', '.join(rows)})" if rows else one_line(self.column or column)
        return self.rule.describe(column=told, labels=own)

    def to_dict(self) -> dict[str, object]:
        return {
            "kind": self.kind,
            "label": self.label.to_dict(),
            "column": self.column,
            "rule": self.rule.to_dict(),
            **({"columns": list(self.rows)} if self.rows else {}),
        }

    @classmethod
    def from_dict(cls, record: Stored) -> NamedRule:
        column = record["column"]
        return cls(
            rule=hypothesis_from_dict(record["rule"]),
            label=label_from_dict(record["label"]),
            column=None if column is None else str(column),
            rows=names_from(record.get("columns")),
        )


def names_from(record: object) -> tuple[str, ...]:
    """Read back the names of several columns; none where the record has none."""
    if record is None:
        return ()
    if not isinstance(record, list) or not all(isinstance(one, str) for one in record):
        raise BadInput("the columns of a rule must have names")
    return tuple(record)
