"""Cases that several tests share: A representation or protocol that was found becomes a learner."""

import numpy as np

from tacit import Accuracy, Privacy, Task
from tacit.classes import Table
from tacit.core import ALGORITHMS

EIGHT, FOUR, THREE = (Table(np.eye(size, dtype=bool)) for size in (8, 4, 3))


ENTRY = ALGORITHMS["found-representation"]


def task(family, *, alpha="0.4", beta="0.2", **more):
    return Task(family, privacy=Privacy(1), accuracy=Accuracy(alpha, beta), **more)
