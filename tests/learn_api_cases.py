"""Cases that several tests share: ``learn``, ``run``, ``algorithms`` and certificates."""

from tacit import (
    Accuracy,
    Privacy,
    Task,
)
from tacit.classes import Thresholds


def task(concepts=None, **more):
    given = {"privacy": Privacy(1), "accuracy": Accuracy("0.1", "0.05")} | more
    return Task(concepts or Thresholds(bits=16), **given)
