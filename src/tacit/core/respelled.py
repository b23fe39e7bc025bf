"""Earlier spellings of the numbers of a class or function: they keep working, and warn."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar

K = TypeVar("K", bound=Callable[..., object])

_EARLIER: dict[object, dict[str, str]] = {}


def respelled(*positions: str, after: int = 0, **names: str) -> Callable[[K], K]:
    """Let a class or function take its numbers as it once did, with a warning.

    ``positions``  numbers that had no name when they were given, by the names they have now.
    ``after``      how many values before them still come without a name: 1 after a schema.
    ``names``      the name of a number now, by the one that it had.
    """

    def decorate(kind: K) -> K:
        whole: Any = kind
        word = whole.__name__
        _EARLIER[kind] = dict(names)
        if not isinstance(kind, type):

            @wraps(kind)
            def called(*given: object, **named: object) -> object:
                before = _by_name(word, given, named)
                return kind(*before, **named)

            return called  # type: ignore[return-value]
        init = whole.__init__

        @wraps(init)
        def made(self: object, *given: object, **named: object) -> None:
            before = _by_name(word, given, named)
            init(self, *before, **named)

        whole.__init__ = made
        return kind

    def _by_name(word: str, given: tuple[object, ...], named: dict[str, object]) -> list[object]:
        """Put numbers without a name, or with an earlier one, into ``named``; give the others."""
        for name, value in zip(positions, given[after:], strict=False):
            _warn(f"{word} takes {name}= by its name now")
            named[name] = _once(name, named, value)
        for old in [name for name in named if name in names]:
            _warn(f"{old}= of {word} is called {names[old]}= now")
            named[names[old]] = _once(names[old], named, named.pop(old))
        return [*given[:after], *given[after + len(positions) :]]

    return decorate


def _warn(words: str) -> None:
    warnings.warn(words, DeprecationWarning, stacklevel=4)


def _once(name: str, named: Mapping[str, object], value: object) -> object:
    if name in named:
        raise TypeError(f"{name} was given twice")
    return value


def earlier_names(kind: object) -> Mapping[str, str]:
    """The names that a class's numbers have now, by those that they had."""
    return _EARLIER.get(kind, {})
