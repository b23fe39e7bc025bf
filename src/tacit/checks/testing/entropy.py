"""Entropy that can be repeated, and is therefore never private."""

from __future__ import annotations

import hashlib

from tacit.exact.entropy import CounterRng


def seeded(seed: int | str) -> CounterRng:
    """A reproducible source: equal seeds give equal draws.

    >>> seeded(7).below(1000) == seeded(7).below(1000)
    True
    """
    return CounterRng(hashlib.sha256(f"tacit.testing:{seed}".encode()).digest())


class Scripted(CounterRng):
    """Begins with the given bits, then goes on like ``seeded``.

    For driving a sampler into a chosen case. ``used`` tells how many bits were asked for
    with ``bits``, or while the script lasted.
    """

    __slots__ = ("_script", "_script_length", "used")

    def __init__(self, script: int, length: int, *, seed: int = 0) -> None:
        super().__init__(hashlib.sha256(f"tacit.testing:{seed}".encode()).digest())
        self._script, self._script_length = script, length
        self.used = 0

    def bits(self, count: int) -> int:
        self.used += count
        taken = min(count, self._script_length)
        self._script_length -= taken
        head = self._script >> self._script_length
        self._script &= (1 << self._script_length) - 1
        return (head << (count - taken)) | (super().bits(count - taken) if count > taken else 0)

    def bytes(self, count: int) -> bytes:
        if self._script_length == 0:
            return super().bytes(count)
        # Little-endian words, as numpy reads them on every machine we run on.
        words = [self.bits(64).to_bytes(8, "little") for _ in range(-(-count // 8))]
        return b"".join(words)[:count]
