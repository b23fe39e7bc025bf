"""Fair bits: the operating system's, stretched by AES-256 in counter mode.

Privacy rests on these bits being unpredictable. The key comes from ``os.urandom``;
each refill spends the first 32 bytes of its key stream as the next key and forgets
the old one, and bytes that were handed out are erased, so a captured state does not
reveal draws made before. A forked child takes a fresh key before its first draw, and
``renew`` mixes in fresh bits before every release, so that two copies of one running
machine part ways.
"""

from __future__ import annotations

import hashlib
import os
import threading
from typing import ClassVar

from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from tacit.core import BadInput
from tacit.exact.sampler import ExactSampler

_KEY_BYTES = 32
_BUFFER_BYTES = 1 << 16
_LONGEST_BYTES = 1 << 28


def _stream(key: bytes, count: int) -> bytearray:
    """``count`` bytes of the AES-256-CTR key stream; a key is used for one stream only."""
    encryptor = Cipher(algorithms.AES(key), modes.CTR(bytes(16))).encryptor()
    stream = bytearray(count + 15)  # the library asks for room for one block more
    encryptor.update_into(bytes(count), stream)
    del stream[count:]
    return stream


class CounterRng(ExactSampler):
    """Bits from a key: the arithmetic shared by the private and the seeded source."""

    __slots__ = ("_buffer", "_key", "_lock", "_position")

    def __init__(self, key: bytes) -> None:
        self._lock = threading.Lock()
        self._restart(key)

    private: ClassVar[bool] = False
    """Whether the key is unpredictable."""

    def _restart(self, key: bytes) -> None:
        self._key = key
        self._buffer = bytearray()
        self._position = 0

    def _refill(self, count: int) -> None:
        stream = _stream(self._key, _KEY_BYTES + max(count, _BUFFER_BYTES))
        self._key = bytes(stream[:_KEY_BYTES])
        # What is left of the old buffer is handed out first.
        stream[:_KEY_BYTES] = self._buffer[self._position :]
        self._buffer = stream
        self._position = 0

    def bytes(self, count: int) -> bytes:
        """``count`` uniform bytes."""
        if count > _LONGEST_BYTES:
            return b"".join(
                self.bytes(min(_LONGEST_BYTES, count - done))
                for done in range(0, count, _LONGEST_BYTES)
            )
        with self._lock:
            end = self._position + count
            if end > len(self._buffer):
                self._refill(count)
                end = count
            piece = bytes(self._buffer[self._position : end])
            self._buffer[self._position : end] = bytes(count)
            self._position = end
        return piece

    def bits(self, count: int) -> int:
        """A uniform integer in ``[0, 2**count)``."""
        if count <= 0:
            return 0
        size = (count + 7) >> 3
        return int.from_bytes(self.bytes(size), "big") >> ((size << 3) - count)

    def below(self, bound: int) -> int:
        """A uniform integer in ``[0, bound)``: redraw until the bits fall below it."""
        if bound < 1:
            raise BadInput("a uniform draw needs a bound of at least 1")
        width = (bound - 1).bit_length()
        while True:
            draw = self.bits(width)
            if draw < bound:
                return draw

    def __deepcopy__(self, memo: object) -> CounterRng:
        # Two copies of one state would repeat each other's draws.
        del memo
        return self

    def __copy__(self) -> CounterRng:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        raise TypeError("a source of randomness is not copied between processes; make a new one")


_forks = 0


def _count_fork() -> None:
    global _forks
    _forks += 1


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_count_fork)


def here() -> tuple[int, int]:
    """Tells processes apart even when the system gives a process number a second time."""
    return os.getpid(), _forks


class SystemRng(CounterRng):
    """The default source: keyed by the operating system, fork-safe, thread-safe."""

    __slots__ = ("_own",)

    def __init__(self) -> None:
        self._own = here(), CounterRng(os.urandom(_KEY_BYTES))

    private: ClassVar[bool] = True

    def bytes(self, count: int) -> bytes:
        home, source = self._own
        if home != here():
            # A new source has a new lock (the old one may have been held at the fork), and
            # one assignment leaves no moment in which another thread sees half a state.
            source = CounterRng(os.urandom(_KEY_BYTES))
            self._own = here(), source
        return source.bytes(count)

    def renew(self) -> None:
        """Go on with a key made of fresh bits from the operating system and of the old key.

        A machine that was cloned or restored from a snapshot holds the key of its twin;
        the fresh bits part them.
        """
        mixed = hashlib.sha256(os.urandom(_KEY_BYTES) + self.bytes(_KEY_BYTES)).digest()
        self._own = here(), CounterRng(mixed)

    def __reduce__(self) -> tuple[object, ...]:
        return (SystemRng, ())


SYSTEM = SystemRng()
"""The process's own source, used wherever ``rng`` is not given."""
