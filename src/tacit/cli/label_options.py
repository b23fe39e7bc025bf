"""Label values from the words of the command line."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from typing import Any

from tacit.core import BadInput, Label
from tacit.core.label_values import OTHER, OTHERS
from tacit.core.named import SeveralLabels, Value
from tacit.core.several_values import BOTH_FOR_CLASS


def read_label(text: str) -> str | int | float:
    """A label given on the command line: a number where it looks like one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def read_values(text: str) -> tuple[str, ...]:
    """The values of ``--classes``, with commas between them; quoted if one has a comma itself."""
    from tacit.domains.labels import check_values

    found = [name.strip() for name in next(csv.reader([text], skipinitialspace=True), [])]
    if len(found) < 2 or not all(found):
        raise BadInput("--classes takes two or more label values with commas between them: a,b,c")
    check_values(tuple(map(read_label, found)), name="--classes")
    return tuple(found)


def told(classes: str | None, other: str) -> dict[str, Any]:
    """What ``--classes`` and ``--other`` say about a task."""
    if classes is None:
        return {"other": other}
    values = read_values(classes)
    return {"other": other, "values": len(values), "names": values}


def declared_labels(given: Mapping[str, Any]) -> dict[str, Any]:
    """The label values that the options declare: 0 and 1 where none does.

    Of two ``--classes`` the first is the negative and the second the positive one.
    """
    negative, positive = given["negative"], given["positive"]
    if given["classes"] is None:
        if positive is not None:
            return {}
        if negative is not None:
            raise BadInput("--negative needs --positive: the label value that the rule looks for")
        return {"positive": "1", "negative": "0"}
    if negative is not None or positive is not None:
        raise BadInput("--classes lists all label values: leave out --positive and --negative")
    values = read_values(given["classes"])
    if len(values) == 2:
        return {"negative": values[0], "positive": values[1], "classes": None}
    return {"classes": values, "positive": "1"}


def several_values(given: Mapping[str, Any]) -> tuple[Value, ...]:
    """All labels of a rule where there are more than two, "other" among them; else none."""
    own = given["other"] == "class"
    if given["classes"] is None and not own:
        return ()
    if given["classes"] is None and given["negative"] is None:
        raise BadInput(BOTH_FOR_CLASS)
    told = given["classes"] or (given["negative"], given["positive"])
    values = tuple(read_label(one) for one in told)
    if own and OTHER in values:
        raise BadInput(
            f"--other class calls all other labels {OTHER!r}: leave it out of the declared ones"
        )
    return (*values, OTHER) if own else values


def read_labels(given: Mapping[str, Any]) -> Label | SeveralLabels:
    """The label column and its two values, or more."""
    several = several_values(given)
    if several:
        return SeveralLabels(name=given["label"], values=several)
    return read_target(given)


def read_target(given: Mapping[str, Any]) -> Label:
    """The label column and its two values."""
    from tacit.domains.labels import check_values

    negative = given["negative"]
    target = Label(
        name=given["label"],
        negative=None if negative is None else read_label(negative),
        positive=read_label(given["positive"]),
    )
    told = (target.positive,) if negative is None else (target.negative, target.positive)
    check_values(told, name="--positive and --negative")
    return target


def check_other(given: Mapping[str, Any]) -> None:
    """Refuse what cannot become of other labels."""
    if given["other"] not in OTHERS:
        raise BadInput(f"--other must be one of {', '.join(OTHERS)}")
    several = given["classes"] is not None
    if several and given["labels"] is not None:
        raise BadInput("--labels learns each column with two label values: leave out --classes")
    if given["other"] == "ignore" and given["negative"] is None and not several:
        raise BadInput("--other ignore needs both label values: --negative and --positive")
