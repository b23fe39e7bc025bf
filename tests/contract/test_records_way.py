"""How often a record's way changes rooms: these numbers may fall, and never rise."""

import pytest
from benchmarks.records_way import FLOORS, followed, ways

MOST = {"command": (79, 52), "tree": (104, 56), "sanitize": (40, 23), "points": (47, 28)}
"""Changes of room in all, and with ``core`` and ``exact`` left out. The aim is 27, 71, 20, 23."""


@pytest.mark.parametrize("name", MOST)
def test_changes_of_room_do_not_grow(name, tmp_path):
    runs = [followed(ways(tmp_path)[name]) for _ in range(3)]
    way = min(runs, key=lambda one: one.changes())  # coins are tossed again now and then
    most, apart = MOST[name]
    assert 10 < way.changes() <= most
    assert 10 < way.changes(without=FLOORS) <= apart
    assert max(way.bounds.values(), default=1) == 1
