"""Tests of ``tacit.sources.dialect``."""

import gzip
from io import BytesIO

import pytest
from tests.sources.blocks_cases import TEXT, whole

from tacit.sources.blocks import first_line
from tacit.sources.dialect import Dialect


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "latin-1", "utf-16"])
@pytest.mark.parametrize("packed", [False, True])
def test_every_encoding_becomes_the_same_text(encoding, packed):
    content = TEXT.encode(encoding)
    content = gzip.compress(content) if packed else content
    dialect = Dialect(encoding=encoding)
    assert whole(content, dialect, packed=packed) == TEXT
    line = first_line(BytesIO(content), dialect, packed=packed, longest=100)
    assert line.decode("utf-8") == "größe,maß\n"
