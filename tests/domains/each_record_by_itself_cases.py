"""Cases that several tests share: No record changes how another one is read, whatever the engine, file or list it came in."""

from __future__ import annotations

LONG = (1 << 60) + 1  # no float64 holds it
