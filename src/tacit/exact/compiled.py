"""Compile loops with numba: kept on disk where that works, compiled anew where it does not.

A service account without a home, a read-only installation or a full disk makes compiling
slower, and never makes it fail: what fails here could fail after a charge.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
import numpy.typing as npt

S = TypeVar("S", bound=np.generic)
F = TypeVar("F", bound=Callable[..., Any])


def compiled(*, nogil: bool = True, inline: str = "never") -> Callable[[F], F]:
    """Decorator: compile the function when it is first called with new types.

    Threads that count side by side must not wait for each other: no lock is held meanwhile.
    """

    def decorate(function: F) -> F:
        made: Any = numba.njit(nogil=nogil, inline=inline)(function)
        try:
            made.enable_caching()
        except RuntimeError:  # numba finds no folder that it may write to
            return made  # type: ignore[no-any-return]
        made._cache = _Forgiving(made._cache)
        return made  # type: ignore[no-any-return]

    return decorate


def steady(values: npt.NDArray[S]) -> npt.NDArray[S]:
    """The same values in one piece, not to be written: as one type, whoever made the array.

    Numba compiles anew for arrays with gaps and for those that must not be written; a kernel
    that was compiled before a charge must not be compiled again after it.
    """
    kept = values.flags.c_contiguous or values.flags.f_contiguous
    seen = (values if kept else np.ascontiguousarray(values)).view()
    seen.flags.writeable = False
    return seen


class _Forgiving:
    """Numba's cache of one function; what goes wrong with its files is passed over."""

    def __init__(self, cache: Any) -> None:
        self._cache = cache

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)

    def load_overload(self, signature: Any, context: Any) -> Any:
        """What was compiled before, or ``None``."""
        try:
            return self._cache.load_overload(signature, context)
        except Exception:  # noqa: BLE001 - a damaged file means compiling anew
            return None

    def save_overload(self, signature: Any, data: Any) -> None:
        """Keep what was compiled, if that can be done."""
        try:
            self._cache.save_overload(signature, data)
        except OSError:
            return
