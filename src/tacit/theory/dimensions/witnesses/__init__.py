"""Witnesses: the evidence for one side of a bound, as plain data.

Each file here has its checks in the file of the same name in ``tacit.theory.dimensions.checks``.
"""

from tacit.theory.dimensions.witnesses.base import KINDS, Witness, witness_from_dict
from tacit.theory.dimensions.witnesses.combinatorial import (
    EmbeddedThresholds,
    MistakeBound,
    MistakeTree,
    ShatteredSet,
)
from tacit.theory.dimensions.witnesses.metric import Cover, HalfCovers, HardBall, Packing
from tacit.theory.dimensions.witnesses.protocols import (
    HardDistribution,
    MoreThanOneBit,
    PrivateProtocol,
    PublicProtocol,
    RadonSet,
)
from tacit.theory.dimensions.witnesses.represent import (
    HardPairs,
    MinimalRepresentation,
    NoRepresentation,
    RandomRepresentation,
    Representation,
)

__all__ = [
    "KINDS",
    "Cover",
    "EmbeddedThresholds",
    "HalfCovers",
    "HardBall",
    "HardDistribution",
    "HardPairs",
    "MinimalRepresentation",
    "MistakeBound",
    "MistakeTree",
    "MoreThanOneBit",
    "NoRepresentation",
    "Packing",
    "PrivateProtocol",
    "PublicProtocol",
    "RadonSet",
    "RandomRepresentation",
    "Representation",
    "ShatteredSet",
    "Witness",
    "witness_from_dict",
]
