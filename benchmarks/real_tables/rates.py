"""How good estimated probabilities are: ranking (AUC) and calibration, on records set aside."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata


def auc(labels: npt.ArrayLike, scores: npt.ArrayLike) -> float:
    """The chance that a positive record scores above a negative one; ties count one half.

    >>> auc([0, 1, 1, 0], [0.1, 0.9, 0.5, 0.5])
    0.875
    """
    truth, score = np.asarray(labels, dtype=bool), np.asarray(scores, dtype=float)
    yes, no = int(truth.sum()), int((~truth).sum())
    if not yes or not no:
        return 0.5
    return float((rankdata(score)[truth].sum() - yes * (yes + 1) / 2) / (yes * no))


def calibration_error(labels: npt.ArrayLike, chances: npt.ArrayLike, *, bands: int = 10) -> float:
    """The mean distance of stated chances from the rate that followed, over bands of chances.

    >>> round(calibration_error([0, 1, 1, 1], [0.4, 0.4, 0.8, 0.8]), 3)
    0.15
    """
    truth, chance = np.asarray(labels, dtype=float), np.asarray(chances, dtype=float)
    band = np.minimum((chance * bands).astype(int), bands - 1)
    gaps = [
        np.count_nonzero(band == one) * abs(truth[band == one].mean() - chance[band == one].mean())
        for one in np.unique(band)
    ]
    return float(np.sum(gaps) / len(truth))
