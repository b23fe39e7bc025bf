"""The names of columns and labels, as far as data have them: public, and kept with the rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

import numpy as np

from tacit.core import Domain, Hypothesis, Label, NamedRule
from tacit.core.named import SeveralLabels, Value
from tacit.domains.schema import Schema, column_names
from tacit.problems.several.rules import Rules
from tacit.sources.samples import Columns


@runtime_checkable
class _Series(Protocol):
    """A column that may have a name."""

    @property
    def name(self) -> object: ...


def naming(
    data: object,
    *,
    domain: Domain,
    columns: Columns | None,
    values: tuple[object, object],
    several: tuple[str, ...] = (),
) -> Callable[[Hypothesis], Hypothesis]:
    """What gives a rule the names that its data have, and leaves it where they have none.

    The names are read now, so that nothing about them can fail after a charge.

    ``columns`` are the features and labels of a source. ``values`` are the negative and the
    positive label value; a negative one of ``None`` was not declared. ``several`` are all labels,
    where there are more than two.
    """
    negative, positive = (_plain(value) for value in values)
    features, labels = names_in(data, columns)
    told = () if isinstance(domain, Schema) else features
    only, rows = (told[0], ()) if len(told) == 1 else (None, tuple(told))
    nameless = not features and not labels and positive == 1 and negative is None and not several

    def called(name: str | None) -> Label | SeveralLabels:
        if several:
            return SeveralLabels(name=name, values=several)
        return Label(name=name, negative=negative, positive=positive)

    def named(rule: Hypothesis) -> Hypothesis:
        if nameless:
            return rule
        each = rule.rules if isinstance(rule, Rules) else (rule,)
        names = labels if len(labels) == len(each) else (None,) * len(each)
        rules = tuple(
            NamedRule(rule=one, label=called(name), column=only, rows=rows)
            for one, name in zip(each, names, strict=True)
        )
        return Rules(rules=rules) if isinstance(rule, Rules) else rules[0]

    return named


def names_in(data: object, columns: Columns | None) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names of features and labels, none where data have none."""
    if columns is not None:
        return columns
    if isinstance(data, tuple) and len(data) == 2:
        return _names_of(data[0]), _names_of(data[1])
    return (), ()


def _names_of(part: object) -> tuple[str, ...]:
    """The name of a column, or those of a frame's columns; arrays and lists have none."""
    if isinstance(part, (np.ndarray, list, tuple)):
        return ()
    names = column_names(part)
    if names is None and isinstance(part, _Series):
        names = [part.name] if isinstance(part.name, str) and part.name else None
    return tuple(names or ())


def _plain(value: object) -> Value:
    """A label value as JSON can hold it."""
    value = value.item() if isinstance(value, np.generic) else value
    return value if value is None or isinstance(value, (str, int, float)) else str(value)
