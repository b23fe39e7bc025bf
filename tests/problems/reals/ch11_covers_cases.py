"""Cases that several tests share: Covers and packings of the real-valued classes: sizes, verifiers, counting."""

import numpy as np

from tacit.classes import Halfspaces, RealBoxes, RealIntervals, RealThresholds

SMALL = {
    "thresholds": (RealThresholds(), 7),
    "thresholds, other bounds": (RealThresholds(low=-2, high=3), 9),
    "intervals": (RealIntervals(), 6),
    "boxes": (RealBoxes(columns=2), 4),
    "boxes, other bounds": (RealBoxes(bounds=[(0, 10), (-1, 1)]), 3),
    "plane": (Halfspaces(columns=2), 9),
    "space": (Halfspaces(columns=3), 3),
    "four": (Halfspaces(columns=4), 2),
}


def _records(concept_class, generator, n):
    """Random records, some of them at corners, cuts, outside and missing."""
    width = concept_class.domain.width
    rows = generator.normal(0.5, 1, size=(n, width))
    rows[: n // 3] = generator.integers(-8, 17, size=(n // 3, width)) / 8
    rows[0] = 0
    rows[1] = np.nan
    return rows
