"""Cases that several tests share: Witnesses survive a round trip, and a tampered one proves nothing false."""

from fractions import Fraction
from functools import cache

from tacit.theory.dimensions import (
    communication,
    dense_ball,
    doubling,
    littlestone,
    minimal,
    named,
    net,
    representation,
    thresholds_within,
    vc,
)
from tacit.theory.dimensions.incidence import read
from tacit.theory.dimensions.private_coins import radon_set

TABLE = named.thresholds(4)


POINTS = named.points(4)


def _made():
    third, quarter = Fraction(1, 3), Fraction(1, 4)
    yield TABLE, vc(named.parities(2)).witnesses, named.parities(2)
    for table in (TABLE, POINTS):
        for found in (
            vc(table),
            littlestone(table),
            thresholds_within(table),
            representation(table, alpha=third),
            representation(table, alpha=quarter, beta=quarter),
            communication(table, error=third),
            communication(table, error=third, coins="private"),
            doubling(table),
        ):
            yield table, found.witnesses, table
        yield table, net(table, radius=quarter), table
        yield table, (dense_ball(table, radius="1/2"),), table
        yield table, (minimal(table, table, alpha=quarter),), table
    yield named.parities(3), (radon_set(read(named.parities(3))),), named.parities(3)


@cache
def made():
    """Every witness with its table: found when first asked for, not where tests are collected."""
    return [(witness, table) for _, group, table in _made() for witness in group]
