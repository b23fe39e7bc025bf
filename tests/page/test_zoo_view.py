"""The dimensions on the page: as the formulas say, each with witnesses that hold."""

from __future__ import annotations

from tacit.page import zoo


def test_the_list_is_searched(caller):
    everything = caller.get("zoo").text
    assert f"{len(zoo.ENTRIES)} of {len(zoo.ENTRIES)} classes" in everything
    some = caller.get("zoo", q="parities littlestone 3").text
    assert "zoo/parities/3" in some
    assert "zoo/points/4" not in some
    assert "0 of" in caller.get("zoo", q="<script>").text


def test_an_entry_shows_its_witnesses(caller):
    text = caller.get("zoo/thresholds/7").text
    assert "the verifier accepts the witness" in text
    assert "refused" not in text
    assert "mistake tree of depth 3" in text


def test_made_up_entries_are_refused(caller):
    for path in ("zoo/thresholds/9999", "zoo/nothing/3", "zoo/points/x"):
        assert caller.get(path).status_code == 400
