"""Cases that several tests share: Short lists of rules: mistakes against prediction, exact privacy, and when they are used."""


def columns(width):
    return [(0, 1)] * width
