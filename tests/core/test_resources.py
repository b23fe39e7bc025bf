"""Tests of ``tacit.core.resources``."""

from tacit.cli.resources import limited
from tacit.core.resources import resources
from tacit.tallies.arrays import usable_threads


def test_the_settings_hold_inside_and_not_after():
    seen = []

    @limited
    def command(*, data):
        seen.append((data, usable_threads(), resources().memory, resources().fixed_passes))

    before = usable_threads()
    command(data="t.csv", threads=1, memory_limit="100MB", passes="fixed")
    assert seen == [("t.csv", 1, 10**8, True)]
    assert usable_threads() == before
    assert resources().memory is None
