"""What is said about a file that cannot be read: the same words whatever its records hold."""

from __future__ import annotations

from collections.abc import Iterable

from tacit.core import BadInput, SourceChanged


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


def there(columns: Iterable[str]) -> str:
    """Which columns there are, in words; not where one is a number.

    The first line of a file without a header is a record, and messages repeat none.
    """
    names = list(columns)
    if any(map(_is_number, names)):
        return "the names that are there are not repeated: one is a number, as in a record"
    return f"there are {', '.join(names)}"


def _is_number(name: str) -> bool:
    try:
        float(name.replace(",", "."))
    except ValueError:
        return False
    return True
