"""Cases that several tests share: Several points, proper and pure: k and the bits are added, not multiplied."""

from tacit import Accuracy, Privacy, Task
from tacit.classes import Points
from tacit.core import ALGORITHMS

ENTRY = ALGORITHMS["listed-points"]


def task(bits, k, *, alpha="0.1", beta="0.1", **more):
    return Task(
        Points(bits=bits),
        privacy=Privacy(1, **more),
        accuracy=Accuracy(alpha, beta),
        k=k,
        output="proper",
    )
