"""Cases that several tests share: What a number of records buys: the planner's own answers, kind by kind."""

from __future__ import annotations

SCHEMA = '[columns.age]\nkind = "integer"\nlow = 0\nhigh = 9\n'
