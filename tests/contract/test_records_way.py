"""How often a record's way changes rooms: these numbers may fall, and never rise."""

import pytest
from benchmarks.records_way import FLOORS, followed, ways

MOST = {"command": (116, 63), "tree": (133, 61), "sanitize": (54, 26), "points": (68, 35)}
"""Changes of room in all, and with ``core`` and ``exact`` left out. The aim is 27, 71, 20, 23."""


@pytest.mark.parametrize("name", MOST)
def test_changes_of_room_do_not_grow(name, tmp_path):
    way = followed(ways(tmp_path)[name])
    most, apart = MOST[name]
    assert 10 < way.changes() <= most
    assert 10 < way.changes(without=FLOORS) <= apart
    assert max(way.bounds.values(), default=1) == 1
