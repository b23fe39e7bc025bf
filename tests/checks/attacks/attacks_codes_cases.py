"""Cases that several tests share: Fingerprinting codes: certified lengths, and what they accuse."""

from fractions import Fraction as F

import numpy as np

from tacit.checks.attacks.chance import uniforms

XI = F(1, 80)


def pirates(words, rng):
    """Feasible words of a coalition: where all agree they agree."""
    ones = words.sum(axis=0)
    agreed0, agreed1 = ones == 0, ones == len(words)
    free = uniforms(rng, words.shape[1]) < 0.5
    guesses = {
        "majority": 2 * ones >= len(words),
        "minority": 2 * ones < len(words),
        "all ones": np.ones(words.shape[1], dtype=bool),
        "all zeros": np.zeros(words.shape[1], dtype=bool),
        "coins": free,
    }
    return {name: np.where(agreed0, False, agreed1 | guess) for name, guess in guesses.items()}
