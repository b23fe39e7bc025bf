"""Cases that several tests share: Bytes as UTF-8, whatever the encoding and the packing."""

from io import BytesIO

from tacit.sources.blocks import utf8_blocks

TEXT = "größe,maß\n1,2\n"


def whole(content, dialect, *, packed=False):
    return b"".join(utf8_blocks(BytesIO(content), dialect, packed=packed)).decode("utf-8")
