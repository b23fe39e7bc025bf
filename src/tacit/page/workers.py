"""The processes that compute plans and searches: warmed up, limited, ended with the page."""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from types import FrameType
from typing import ParamSpec, TypeVar

from tacit.cli.classes import public_classes
from tacit.core import BadInput
from tacit.page.planning import answer, wanted

P = ParamSpec("P")
R = TypeVar("R")

SECONDS = 30.0
"""For one question; what takes longer is for the command line."""
_WORKERS = 2


class _TooLong(BaseException):
    """Not an ``Exception``: the planner takes those for what an algorithm says of itself."""


def limited(seconds: float, function: Callable[P, R], /, *args: P.args, **named: P.kwargs) -> R:
    """``function(*args)``, given up after so many seconds where the system has a timer for it.

    Only the main thread of a process can be stopped, which is where a worker computes.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "SIGALRM"):
        return function(*args, **named)

    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        raise _TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return function(*args, **named)
    except _TooLong:
        raise BadInput(
            f"this takes more than {seconds:g} seconds here: ask the command line, which waits"
        ) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _warm() -> None:
    """Load what a plan needs, so that the first one asked for is quick; Ctrl-C is the parent's."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name in public_classes():
        options = wanted(name)
        if not any(one.file for one in options):
            words = {f"o.{one.name}": one.start for one in options if one.start}
            answer((("class", name), *sorted(words.items())), None)


def _ready() -> bool:
    return True


@contextmanager
def workers() -> Iterator[ProcessPoolExecutor]:
    """Processes that compute; whatever they still do is given up at the end."""
    # Spawned, not forked: a fork would copy the records and locks of running releases.
    pool = ProcessPoolExecutor(
        _WORKERS, mp_context=multiprocessing.get_context("spawn"), initializer=_warm
    )
    before = set(multiprocessing.active_children())
    for _ in range(_WORKERS):
        pool.submit(_ready)
    ours = set(multiprocessing.active_children()) - before
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in ours:
            process.terminate()
