"""Workers give up what takes too long, and never a wrong answer for it."""

from __future__ import annotations

import signal
import time

import pytest

from tacit.core import BadInput
from tacit.page.workers import limited


def _slow(seconds: float) -> str:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            time.sleep(0.01)
        except Exception:
            return "taken for something else"
    return "done"


def test_what_takes_too_long_is_given_up():
    with pytest.raises(BadInput, match=r"more than 0\.2 seconds"):
        limited(0.2, _slow, 30.0)
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
    assert limited(30.0, _slow, 0.05) == "done"


def test_errors_are_handed_on():
    with pytest.raises(ZeroDivisionError):
        limited(30.0, lambda: 1 // 0)
