"""Draws of the system's source that come out the same in every run of a test."""

import hashlib
import itertools
import os
from contextlib import contextmanager

from tacit.exact import entropy


class _Keyed:
    """Stands for ``os`` in ``tacit.exact.entropy``: fresh bits are a hash of a name and a count.

    A forked child has bits of its own, as it has from the operating system.
    """

    def __init__(self, name):
        self._name, self._home, self._count = name, os.getpid(), itertools.count()

    def urandom(self, count):
        child = "" if os.getpid() == self._home else os.getpid()
        word = f"{self._name} {child} {next(self._count)}".encode()
        return hashlib.shake_256(word).digest(count)

    def getpid(self):
        return os.getpid()


@contextmanager
def system_keyed_by(name):
    """Let the process's own source draw bits made of ``name``, and as before afterwards."""
    before = entropy.os, entropy.SYSTEM._own
    entropy.os = _Keyed(name)
    entropy.SYSTEM._own = entropy.SystemRng()._own
    try:
        yield
    finally:
        entropy.os, entropy.SYSTEM._own = before
