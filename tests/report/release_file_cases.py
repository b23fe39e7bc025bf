"""Cases that several tests share: Release files: written, read, verified; any change is found, and nothing in one runs."""

from fractions import Fraction


def paths(value, at=()):
    """Every place in a record."""
    if isinstance(value, dict):
        for key in value:
            yield from paths(value[key], (*at, key))
    elif isinstance(value, list):
        for index in range(len(value)):
            yield from paths(value[index], (*at, index))
    else:
        yield at


def changed(value):
    """Another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        try:
            return str(Fraction(value) + 1)
        except ValueError:
            return value + "x"
    return 1.5 if value is None else None
