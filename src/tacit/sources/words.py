"""What is said about a file that cannot be read: the same words whatever its records hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tacit.core import BadInput, Source, SourceChanged
from tacit.core.printable import one_line
from tacit.core.source import LeavesOut

Names = str | Sequence[str] | None


def not_a_table(name: str) -> BadInput:
    """The one message for a file that is not well-formed: no line, no cell, no cause."""
    return BadInput(
        f"{name}: the file is not one well-formed table; it was refused as a whole and nothing "
        f"was charged. `tacit doctor` tells its owner where; --delimiter, --quote and --encoding "
        "declare how it is written"
    )


def changed(name: str) -> SourceChanged:
    """The message for a file that is not what it was when it was checked."""
    return SourceChanged(f"{name} changed while it was read; run it again")


def not_read(name: str, column: str, kind: str) -> BadInput:
    """The message for a column that is there, of a type that is not read."""
    return BadInput(f"{name}: column {column!r} is of type {one_line(kind)}, which is not read")


def refuse_unread(source: Source, *asked: Names) -> None:
    """Refuse a column that is there, but of a type that is not read."""
    unread = source.unread if isinstance(source, LeavesOut) else {}
    for name in _asked(asked):
        if name in unread and name not in source.types:
            raise not_read(source.name, name, unread[name])


def there_are(source: Source, *asked: Names) -> str:
    """Which columns there are, in words; refuses those asked for whose type is not read."""
    refuse_unread(source, *asked)
    return there(source.types, *asked)


def there(types: Mapping[str, object], *asked: Names) -> str:
    """Which columns there are, in words; not where the first line of a file may be a record.

    Messages repeat no record. A file without a header has one there: names of which one is a number
    may be that record, and in a file without types those of which none was asked for.
    """
    wanted = set(_asked(asked))
    untyped = all(kind is None for kind in types.values())
    if any(map(_is_number, types)):
        return "the names that are there are not repeated: one is a number, as in a record"
    if untyped and not wanted & set(types):
        return (
            "the names that are there are not repeated: none of them was asked for, as if the "
            "first line were a record (`tacit doctor` shows it to its owner)"
        )
    return f"there are {', '.join(types)}"


def _asked(asked: Sequence[Names]) -> list[str]:
    return [name for one in asked for name in ((one,) if isinstance(one, str) else one or ())]


def _is_number(name: str) -> bool:
    try:
        float(name.replace(",", "."))
    except ValueError:
        return False
    return True
