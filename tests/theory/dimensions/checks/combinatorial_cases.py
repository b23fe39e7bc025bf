"""Cases that several tests share: Verifiers of shattered sets, trees, bounds and thresholds: each change is found."""

from tacit.theory.dimensions.incidence import read
from tacit.theory.dimensions.witnesses import (
    EmbeddedThresholds,
)

STEPS = read([[int(i <= j) for j in range(3)] for i in range(3)])


EMBEDDED = EmbeddedThresholds(digest="", points=(0, 1, 2), concepts=(0, 1, 2))
