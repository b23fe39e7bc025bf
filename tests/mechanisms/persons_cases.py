"""Cases that several tests share: Whole persons: every mechanism's law on tiny domains, all persons and all their rows."""

import math
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np

from tacit.checks.audit.branching import law
from tacit.checks.testing import exact_epsilon
from tacit.classes import Points, Table, Thresholds
from tacit.core import (
    ADD_REMOVE,
    LABEL,
)
from tacit.domains.persons import ListedPersons
from tacit.exact.balls import at

ROWS = [(x, y) for x in (0, 1) for y in (0, 1)]


_ROUNDING = Fraction(1, 1 << 40)


MATRIX = Table(np.array([[0, 0], [1, 0], [1, 1]]))


CLASSES = [Thresholds(size=2), Points(size=2), MATRIX]


def people(most):
    """Every person with at most so many rows, the one without any, too."""
    return [rows for c in range(most + 1) for rows in combinations_with_replacement(ROWS, c)]


def pairs(number, most, relation):
    """Neighbouring crowds: a person is replaced, or comes, or goes, or has other labels."""
    everyone = people(most)
    for crowd in combinations_with_replacement(everyone, number - 1):
        if relation is ADD_REMOVE:
            for one in everyone:
                yield crowd, (*crowd, one)
        else:
            for one, other in product(everyone, repeat=2):
                if relation is LABEL and [x for x, _ in one] != [x for x, _ in other]:
                    continue
                yield (*crowd, one), (*crowd, other)


def worst(mechanism, concepts, number, most, relation):
    """The largest loss over all neighbours, searched in floats and then certified."""
    laws, logs = {}, {}

    @cache
    def masses(crowd):
        data = ListedPersons(concepts.domain, crowd)
        kept = data.at_most(mechanism.rows)  # all that a mechanism for persons sees
        seen = (tuple(kept.sample.x), tuple(kept.sample.y), tuple(kept.owner))
        if seen not in laws:
            laws[seen] = law(mechanism, data).masses
            logs[seen] = {key: math.log(float(mass)) for key, mass in laws[seen].items()}
        return seen

    found, at_worst = -1.0, None
    for left, right in pairs(number, most, relation):
        p, q = masses(left), masses(right)
        loss = max(abs(logs[p][key] - logs[q][key]) for key in logs[p])
        if loss > found:
            found, at_worst = loss, (p, q)
    assert len(laws) >= 25
    with at(160):
        p, q = (laws[one] for one in at_worst)
        return exact_epsilon(p, q).max(exact_epsilon(q, p))
