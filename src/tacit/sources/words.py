"""What is said about a file that cannot be read: the same words whatever its records hold."""

from __future__ import annotations

from tacit.core import BadInput


def not_a_table(name: str) -> BadInput:
    """The one message for a file that is not well-formed: no line, no cell, no cause."""
    return BadInput(
        f"{name}: the file is not one well-formed table; it was refused as a whole and nothing "
        "was charged"
    )
