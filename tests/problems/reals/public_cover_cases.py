"""Cases that several tests share: Public records without labels: covers made on them, from the front door to verify."""

from tacit import Accuracy, Privacy, Task
from tacit.classes import RealThresholds


def task(concepts=None, **more):
    given = {"epsilon": 1, "relation": "replace-one", "alpha": "0.1", "beta": "0.1"} | more
    return Task(
        concepts or RealThresholds(),
        privacy=Privacy(given.pop("epsilon"), relation=given.pop("relation")),
        accuracy=Accuracy(given.pop("alpha"), given.pop("beta")),
        **given,
    )
