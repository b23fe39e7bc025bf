"""Bytes as UTF-8, whatever the encoding and the packing."""

import gzip
from io import BytesIO

import pytest

from tacit.sources.blocks import first_line, utf8_blocks
from tacit.sources.dialect import Broken, Dialect

TEXT = "größe,maß\n1,2\n"


def whole(content, dialect, *, packed=False):
    return b"".join(utf8_blocks(BytesIO(content), dialect, packed=packed)).decode("utf-8")


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "latin-1", "utf-16"])
@pytest.mark.parametrize("packed", [False, True])
def test_every_encoding_becomes_the_same_text(encoding, packed):
    content = TEXT.encode(encoding)
    content = gzip.compress(content) if packed else content
    dialect = Dialect(encoding=encoding)
    assert whole(content, dialect, packed=packed) == TEXT
    line = first_line(BytesIO(content), dialect, packed=packed, longest=100)
    assert line.decode("utf-8") == "größe,maß\n"


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
