"""Tests of ``tacit.core.resources``."""

from tacit.cli.resources import Limits
from tacit.core.resources import resources


def test_the_settings_hold_inside_and_not_after():
    seen = []

    before = resources().workers
    with Limits(threads=1, memory_limit="100MB", passes="fixed").held():
        seen.append((resources().workers, resources().memory, resources().fixed_passes))
    assert seen == [(1, 10**8, True)]
    assert resources().workers == before
    assert resources().memory is None
