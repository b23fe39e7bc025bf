"""Cases that several tests share: audit.accuracy: every class has hard distributions; planned records suffice, few do not."""

from tacit.core import Accuracy, Privacy, Task
from tacit.domains import Schema

SCHEMA = Schema.of([(0, 1), bool], bins=4)


def task(concepts, relation="replace-one", **more):
    return Task(
        concepts,
        privacy=Privacy(1, 0, relation),
        accuracy=Accuracy("0.2", "0.2"),
        **more,
    )
