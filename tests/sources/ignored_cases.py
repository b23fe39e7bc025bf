"""Cases that several tests share: Records whose label was not declared, ignored from every source and by every way in."""

import numpy as np
import pyarrow as pa

from tacit.core import Accuracy, Privacy, Task

N = 4000


X = np.random.default_rng(1).integers(0, 100, N)


# Half of the labels are missing or misspelt, and every one of these at a high value: counted
# as "no" they would outweigh all that is known there.
OTHER = (X >= 50) & (np.arange(N) % 4 != 0)


TOLD = np.where(OTHER, np.where(np.arange(N) % 2, "", "Yes?"), np.where(X >= 50, "yes", "no"))


TABLE = pa.table({"x": X, "sick": [one or None for one in TOLD.tolist()]})


VALUES = {"label": "sick", "positive": "yes", "negative": "no"}


def task(concepts, **more):
    privacy = Privacy(1, **more)
    return Task(concepts, privacy=privacy, accuracy=Accuracy("0.1", "0.05"), setting="agnostic")
