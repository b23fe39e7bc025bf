"""Cases that several tests share: A value is the same value however a loader spells it, and odd ones are silent."""

from __future__ import annotations


class Odd(int):
    def _fail(self, *_):
        raise RuntimeError("private")

    __ne__ = __eq__ = __lt__ = __float__ = __str__ = __bool__ = _fail
    __hash__ = int.__hash__
