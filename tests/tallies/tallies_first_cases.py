"""Cases that several tests share: What a first pass holds saves passes and changes no stage."""

from dataclasses import dataclass, field

import numpy as np

from tacit.core.tally import Glimpsed
from tacit.tallies.arrays import ArrayRecords

ROWS = 40_000


BITS = 24


@dataclass
class Counting:
    """Counts the passes; shows no glimpse."""

    inner: ArrayRecords
    passes: list = field(default_factory=list)

    def fold(self, tally):
        self.passes.append(type(tally).__name__)
        return self.inner.fold(tally)


class Showing(Counting, Glimpsed):
    """The same, with a glimpse of the first records that ``some`` names."""

    some = slice(None, None, 4)

    def __len__(self):
        return len(self.inner)

    def glimpse(self, tally):
        columns = tuple(np.ascontiguousarray(c[self.some]) for c in self.inner.columns)
        return ArrayRecords(columns).fold(tally)


def _data(kind):
    rng = np.random.default_rng(3)
    x = rng.integers(0, 1 << BITS, ROWS)
    right = x >= 3 << (BITS - 2)
    match kind:
        case "realizable":
            return x, right
        case "noisy":
            return x, right ^ (rng.random(ROWS) < 0.3)
        case "flat":
            return x, rng.random(ROWS) < 0.5
        case "sorted":
            return np.sort(x), np.sort(x) >= 1 << (BITS - 1)
        case "two values":
            return np.where(right, 5, 1 << 23), right
        case "some values":
            return x % 60 * 4099, (x % 60 > 20) ^ (rng.random(ROWS) < 0.1)
        case "few at first":
            x[:2000] = 77
            return x, right


KINDS = ("realizable", "noisy", "flat", "sorted", "two values", "some values", "few at first")
