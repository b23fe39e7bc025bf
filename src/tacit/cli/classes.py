"""Every public class by its name, with options that are read from the class itself."""

from __future__ import annotations

import difflib
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.core import BadInput, concept_classes
from tacit.core.respelled import earlier_names

if TYPE_CHECKING:
    from tacit.core import ConceptClass

EXTRA_OPTIONS = {"allow_extra_args": True, "ignore_unknown_options": True}
"""What Typer must be told, so that a class's own options reach ``read_class``."""

_MOST_DIGITS = 2000


def public_classes() -> dict[str, type]:
    """The public classes by the names they have on the command line."""
    return {_spelled(name): family for name, family in concept_classes().items()}


def _spelled(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name)[1:]


def read_class(
    name: str | None, given: Mapping[str, str | None], *, taken: set[str]
) -> ConceptClass:
    """The class that ``--class`` names, made with the options that it takes.

    ``given`` are words by option name; ``taken`` are the command's own options, for the
    nearest name in an error.
    """
    classes = public_classes()
    if name is None:
        raise BadInput(f"name a class: --class {', '.join(classes)}")
    if name not in classes:
        near = difflib.get_close_matches(name, classes, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        raise BadInput(f"--class must be one of {', '.join(classes)}{hint}")
    takes = inspect.signature(classes[name]).parameters
    words = {key: word for key, word in given.items() if word is not None}
    if any(key not in takes for key in words):
        words = _as_now(classes[name], words)
    for key in words:
        if key not in takes:
            raise BadInput(_unknown(name, key, list(takes), taken))
    options = {key: _value(key, value, takes[key]) for key, value in words.items()}
    try:
        made: ConceptClass = classes[name](**options)
    except TypeError:
        raise BadInput(f"--class {name} takes {_listed(takes)}; see `tacit plan --help`") from None
    return made


def _as_now(family: type, words: Mapping[str, str]) -> dict[str, str]:
    """The words by the names that options have now; an earlier name is told."""
    now, found = earlier_names(family), dict(words)
    for old in [key for key in words if key in now]:
        new = now[old]
        if new in words:
            raise BadInput(f"--{old} is --{new}, which was given too: give it once")
        print(f"note: --{old} is called --{new} now", file=sys.stderr)
        found[new] = found.pop(old)
    return found


def _listed(takes: Mapping[str, object]) -> str:
    return ", ".join(f"--{key.replace('_', '-')}" for key in takes)


def _unknown(name: str, key: str, takes: list[str], taken: set[str]) -> str:
    for word, why in _OUT_OF_SCOPE.items():
        if word in key:
            return f"there is no option --{key.replace(chr(95), chr(45))}: {why}"
    near = difflib.get_close_matches(key, [*takes, *(taken - {key})], n=1)
    hint = f"; did you mean --{near[0].replace('_', '-')}?" if near else ""
    options = _listed(dict.fromkeys(takes))
    for other, family in public_classes().items():
        if other.endswith(f"-{name}") and key in inspect.signature(family).parameters:
            hint = f"; --class {other} takes it"
            break
    return (
        f"there is no option --{key.replace(chr(95), chr(45))} with --class {name}: "
        f"it takes {options}{hint}"
    )


def _value(key: str, word: str, parameter: inspect.Parameter) -> Any:
    """A word of the command line as the class takes it, by the parameter's declared type."""
    declared = str(parameter.annotation)
    if "Schema" in declared:
        from tacit.domains.schema import Schema

        return Schema.of(word)
    if "NDArray" in declared:
        return _matrix(Path(word))
    option = f"--{key.replace('_', '-')}"
    if declared.startswith("tuple[tuple[int"):
        if not re.fullmatch(r"-?\d+([,;]-?\d+)*", word):
            raise BadInput(f"{option} takes sets of columns by their places: 0,1;2")
        return tuple(tuple(map(int, part.split(","))) for part in word.split(";"))
    if declared.startswith("Iterable[tuple"):
        ends = [tuple(part.split("..")) for part in word.split(",")]
        if any(len(both) != 2 for both in ends):
            raise BadInput(f"{option} takes the two ends for each column: 0..1,2..3")
        return ends
    if declared.startswith("int"):
        if not re.fullmatch(r"-?\d+", word):
            raise BadInput(f"{option} takes a whole number")
        if len(word) > _MOST_DIGITS:
            raise BadInput(f"{option} has more than {_MOST_DIGITS} digits")
        return int(word)
    return word


def _matrix(path: Path) -> Any:
    import numpy as np

    try:
        return np.loadtxt(path, delimiter=",", ndmin=2)
    except (OSError, ValueError):
        raise BadInput(f"{path.name}: not a CSV of 0s and 1s with lines of equal length") from None


def class_options() -> set[str]:
    """Every option that some public class takes, by the name of its parameter."""
    return {one for family in public_classes().values() for one in _takes(family)}


def _takes(family: type) -> tuple[str, ...]:
    return (*inspect.signature(family).parameters, *earlier_names(family))


_OUT_OF_SCOPE = {
    "weight": "weights of records are out of scope, since a record with one could move a result by "
    "more than one record; say what mistakes on a label cost with --cost",
    "regress": "regression is out of scope, a rule answers with one of the declared labels; name "
    "them with --negative and --positive, or --classes",
}
"""What is asked for by these words, and why it is not there."""


def unknown_option(key: str, known: Iterable[str]) -> BadInput:
    """The refusal of an option that there is not, with the nearest of those that there are."""
    names, spelled = sorted(known), key.replace("_", "-")
    if key in names:
        return BadInput(f"--{key} is written --{spelled}")
    for word, why in _OUT_OF_SCOPE.items():
        if word in spelled:
            return BadInput(f"there is no option --{spelled}: {why}")
    near = difflib.get_close_matches(key, names, n=1)
    hint = f"; did you mean --{near[0].replace('_', '-')}?" if near else ""
    return BadInput(f"there is no option --{spelled}{hint}")


def extra_options(
    words: list[str], *, known: Callable[[], Iterable[str]] = class_options
) -> dict[str, str | None]:
    """``["--bits", "8"]`` or ``["--bits=8"]`` as ``{"bits": "8"}``; each option once.

    One without a value is told that it needs one if it is ``known``, else that there is none.
    """
    found: dict[str, str | None] = {}
    rest = list(words)
    while rest:
        head = rest.pop(0)
        if not head.startswith("--"):
            raise BadInput(
                f"there is no place for {head!r}: options begin with --, and several files are "
                "one pattern in quotes with --glob"
            )
        name, equals, value = head[2:].partition("=")
        key = name.replace("-", "_")
        if key in found:
            raise BadInput(f"--{name} was given twice")
        if not equals:
            if not rest or rest[0].startswith("--"):
                names = set(known())
                needs = BadInput(f"--{name} needs a value")
                raise needs if key in names and "_" not in name else unknown_option(key, names)
            value = rest.pop(0)
        found[key] = value
    return found
