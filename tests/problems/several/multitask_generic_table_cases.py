"""Cases that several tests share: One table for all symmetric differences of a listed class, then k selections."""

from tacit import Accuracy, Privacy, Task
from tacit.classes import Table

INTERVALS = Table(
    [[start <= x < end for x in range(12)] for start in range(12) for end in range(start + 1, 13)]
)


NAME = "sanitize-then-table"


def job(concepts, *, delta="1e-6", k=4, **more):
    given = {"privacy": Privacy(2, delta), "accuracy": Accuracy("0.3", "0.1")} | more
    return Task(concepts, k=k, setting="agnostic", **given)
