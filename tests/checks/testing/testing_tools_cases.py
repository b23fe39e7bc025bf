"""Cases that several tests share: The tools that tests stand on, tested themselves."""

RECORDS = [(x, y) for x in (0, 1) for y in (0, 1)]
