"""Bytes as UTF-8, whatever the encoding and the packing."""

import gzip
from io import BytesIO

import pytest
from tests.sources.blocks_cases import TEXT, whole

from tacit.sources.blocks import at_least, utf8_blocks
from tacit.sources.dialect import Broken, Dialect


@pytest.mark.parametrize("cut", [5, 20, 30])
def test_half_a_packed_file_is_broken(cut):
    content = gzip.compress(TEXT.encode() * 50)[:cut]
    with pytest.raises(Broken):
        whole(content, Dialect(), packed=True)


def test_an_unknown_byte_is_broken_with_quotes_and_its_own_lines_matter_without():
    content = b"a,b\n\x81,2\n3,4\n"
    with pytest.raises(Broken):
        whole(content, Dialect(encoding="cp1252"))
    found = b"".join(
        utf8_blocks(BytesIO(content), Dialect(encoding="cp1252", quote=None), packed=False)
    )
    assert found.endswith(b",2\n3,4\n")
    with pytest.raises(UnicodeDecodeError):
        found.decode("utf-8")


def test_blocks_are_joined_until_there_are_enough_bytes():
    blocks = iter([b"ab", b"cd", b"ef", b"g"])
    assert at_least(blocks, 0) == b"ab"
    assert at_least(blocks, 3) == b"cdef"
    assert at_least(blocks, 9) == b"g"
    assert at_least(blocks, 9) == b""
