"""Cases that several tests share: Files that somebody else wrote."""


def nested(levels, *, inner, wrap):
    for _ in range(levels):
        inner = wrap(inner)
    return inner
