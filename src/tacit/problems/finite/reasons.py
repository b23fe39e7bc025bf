"""Why some algorithms are private under some relations only, in words."""

from __future__ import annotations

BY_POSITION = "splits the records by position, so their number must be public"
TABLES_NEED = "needs the number of records to be public and whole records to be private"
