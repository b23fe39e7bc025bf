"""Cases that several tests share: Every dialect and kind of file that can be declared, and what is said of those that are not."""


def _file(path, text, encoding="utf-8"):
    path.write_bytes(text.encode(encoding))
    return path
