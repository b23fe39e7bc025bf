"""Who is a neighbour of whom."""

from __future__ import annotations

from enum import Enum

from tacit.core.errors import BadInput


class Relation(Enum):
    """Which two data sets a private release must not tell apart.

    ``REPLACE_ONE``  one whole record is substituted; the number of records is public.
    ``ADD_REMOVE``   one record is added or removed; the number of records is private.
    ``LABEL``        one record's label changes; all features are public.
    """

    REPLACE_ONE = "replace-one"
    ADD_REMOVE = "add-remove"
    LABEL = "label"

    def __init__(self, name: str) -> None:
        self.size_is_public = name != "add-remove"
        """Whether the number of records may be shown and relied on."""

    @classmethod
    def read(cls, value: Relation | str) -> Relation:
        """Accept a member or its name in any usual spelling."""
        if isinstance(value, cls):
            return value
        key = str(value).strip().lower().replace("_", "-")
        for member in cls:
            if key == member.value:
                return member
        names = ", ".join(repr(member.value) for member in cls)
        raise BadInput(f"relation must be one of {names}")


REPLACE_ONE = Relation.REPLACE_ONE
ADD_REMOVE = Relation.ADD_REMOVE
LABEL = Relation.LABEL
