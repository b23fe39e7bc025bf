"""Whether a released rule or table has the columns, and the cells, of what it was drawn from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from tacit.core.records import Stored
from tacit.problems.tables.best_rules import BestRules
from tacit.report.class_records import class_from_record

_SCHEMA = "schema"


def same_columns(value: Stored, recipe: Stored | None) -> bool:
    """Whether every schema of a rule or table is one of its recipe, columns in the same order.

    A recipe without a schema says nothing about columns, and neither does a rule of one column.
    """
    known = [_columns(one) for described in _described(recipe) for one in _allowed(described)]
    used = [_columns(described[_SCHEMA]) for described in _described(value)]
    return not known or all(one in known for one in used)


def _allowed(described: Stored) -> Iterator[Stored]:
    """The schema that a recipe names, and that of finer cells where nobody asked for its own."""
    yield described[_SCHEMA]
    if described.get("kind") == BestRules.__name__:
        family = class_from_record(described)
        assert isinstance(family, BestRules)
        yield family.boosted_schema.to_dict()


def _columns(schema: Stored) -> list[tuple[str, object]]:
    return list(schema["columns"].items())


def _described(record: object) -> Iterator[Stored]:
    """Everything in a record that has a schema: a rule may stand inside another, or be several."""
    if isinstance(record, Mapping):
        if isinstance(record.get(_SCHEMA), Mapping):
            yield record
        for name, part in record.items():
            if name != _SCHEMA:
                yield from _described(part)
    elif isinstance(record, list | tuple):
        for part in record:
            yield from _described(part)
