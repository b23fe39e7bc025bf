"""Cases that several tests share: The owner of a file is told where it is broken; nobody else is."""

import gzip

ROWS = [f"n,{place},{place % 2}".encode() for place in range(50)]


def _file(path, rows, *, packed=False):
    data = b"\n".join([b"note,age,y", *rows]) + b"\n"
    path.write_bytes(gzip.compress(data) if packed else data)
    return path
