"""Several bytes at any place of an array of bytes at once, in compiled loops.

No place is checked: whoever reads or copies here has seen that all of it is there.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

_PIECE = ir.VectorType(ir.IntType(8), 16)


def _at(context: Any, builder: Any, kind: Any, array: Any, place: Any, what: Any) -> Any:
    """The address of a place of an array, where ``what`` lies."""
    begin = cgutils.create_struct_proxy(kind)(context, builder, value=array).data
    return builder.bitcast(builder.gep(begin, [place]), what.as_pointer())


@intrinsic  # type: ignore[untyped-decorator]
def word_at(_typing: Any, data: Any, place: Any) -> Any:
    """The eight bytes from ``place`` on as a word, in the machine's own order."""
    del place

    def made(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        where = _at(context, builder, signature.args[0], given[0], given[1], ir.IntType(64))
        return builder.load(where, align=1)

    return types.uint64(data, types.uint64), made


@intrinsic  # type: ignore[untyped-decorator]
def put_word(_typing: Any, out: Any, place: Any, word: Any) -> Any:
    """Write a word as the eight bytes from ``place`` on, in the machine's own order."""
    del place, word

    def made(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        where = _at(context, builder, signature.args[0], given[0], given[1], ir.IntType(64))
        builder.store(given[2], where, align=1)
        return context.get_dummy_value()

    return types.void(out, types.uint64, types.uint64), made


def _moved(context: Any, builder: Any, signature: Any, given: Any, piece: Any) -> Any:
    """Read a piece at one place, then write it at the other."""
    kinds = signature.args
    begins = _at(context, builder, kinds[2], given[2], given[3], piece)
    goes = _at(context, builder, kinds[0], given[0], given[1], piece)
    builder.store(builder.load(begins, align=1), goes, align=1)
    return context.get_dummy_value()


@intrinsic  # type: ignore[untyped-decorator]
def copy_16(_typing: Any, out: Any, place: Any, data: Any, begin: Any) -> Any:
    """Copy the sixteen bytes from ``begin`` on to ``place``: all are read before any is written."""
    del place, begin
    return types.void(out, types.uint64, data, types.uint64), partial(_moved, piece=_PIECE)


@intrinsic  # type: ignore[untyped-decorator]
def copy_8(_typing: Any, out: Any, place: Any, data: Any, begin: Any) -> Any:
    """Copy the eight bytes from ``begin`` on to ``place``."""
    del place, begin
    return types.void(out, types.uint64, data, types.uint64), partial(_moved, piece=ir.IntType(64))


@intrinsic  # type: ignore[untyped-decorator]
def copy_bytes(_typing: Any, out: Any, place: Any, data: Any, begin: Any, size: Any) -> Any:
    """Copy ``size`` bytes from ``begin`` on to ``place`` of another array."""
    del place, begin, size

    def made(context: Any, builder: Any, signature: Any, given: Any) -> Any:
        kinds, byte = signature.args, ir.IntType(8)
        begins = _at(context, builder, kinds[2], given[2], given[3], byte)
        goes = _at(context, builder, kinds[0], given[0], given[1], byte)
        cgutils.raw_memcpy(builder, goes, begins, given[4], 1)
        return context.get_dummy_value()

    return types.void(out, types.uint64, data, types.uint64, types.uint64), made
