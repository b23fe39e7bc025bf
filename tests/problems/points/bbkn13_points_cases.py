"""Cases that several tests share: BBKN13 sections 4 and 6: representing sets, tries, short rules, pseudorandom points."""

from fractions import Fraction

import numpy as np

from tacit import Accuracy, Privacy, Task
from tacit.classes import Points

ALPHA, BETA, ONE = Fraction(1, 10), Fraction(1, 20), Fraction(1)


def improper(bits, **changes):
    task = Task(
        Points(bits=bits),
        privacy=Privacy(1),
        accuracy=Accuracy(ALPHA, BETA),
        output="improper",
    )
    return task.with_(**changes)


def everywhere(size):
    return np.arange(size, dtype=np.uint64)
