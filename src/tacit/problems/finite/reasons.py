"""Why some algorithms are private under some relations only, in words."""

from __future__ import annotations

IN_PARTS = "splits the records into parts, so their number must be public"
TABLES_NEED = "needs the number of records to be public and whole records to be private"
