"""Cases that several tests share: Laws with factors against brute force, fits, and the rows that are dealt from them."""

import numpy as np

CELLS = (2, 3, 4, 3, 2)


def factors_of(seed, together):
    rng = np.random.default_rng(seed)
    return {columns: rng.normal(size=[CELLS[c] for c in columns]) for columns in together}


def joint(factors):
    logs = np.zeros(CELLS)
    for columns, factor in factors.items():
        logs = logs + factor.reshape([CELLS[c] if c in columns else 1 for c in range(5)])
    weights = np.exp(logs - logs.max())
    return weights / weights.sum()


def marginal(law, columns):
    return law.sum(axis=tuple(c for c in range(5) if c not in columns))
