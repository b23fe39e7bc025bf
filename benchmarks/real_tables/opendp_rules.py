"""Two classifiers built from OpenDP's own mechanisms; OpenDP itself ships none (0.16).

Both work on public equal cells of the declared ranges and are stated for either relation.

- ``tree``: grown from the top, each split by ``make_noisy_max`` over all columns and cuts. The
  score is how many records the better labelling of the two sides gets right; at the last level
  the labels are part of the draw. Depth 1 is a stump in one draw. The nodes of a level hold
  different records, so a level costs what one of its draws costs.
- ``bayes``: naive Bayes from counts of (cell, label) with ``make_laplace``; with fewer columns
  than there are, ``make_noisy_top_k`` picks them first, by the score of their best stump.

The draws come from the operating system and cannot be repeated.
"""

from __future__ import annotations

import numpy as np
import opendp.prelude as dp

dp.enable_features("contrib")

# How many cells of a table of counts one neighbour changes, each by one.
_CELLS = {"replace": 2, "add-remove": 1}


def _space(relation: str):
    # Counts only rise when a record is added; a replacement may raise one score and lower another.
    metric = dp.linf_distance(T=int, monotonic=relation == "add-remove")
    return dp.vector_domain(dp.atom_domain(T=int)), metric


def _within(measurement, distance: int, epsilon: float):
    assert measurement.map(distance) <= epsilon * (1 + 1e-9)
    return measurement


def _noisy_max(scores, epsilon: float, relation: str) -> int:
    scale = _CELLS[relation] / epsilon
    pick = dp.m.make_noisy_max(*_space(relation), dp.max_divergence(), scale=scale)
    return _within(pick, 1, epsilon)(scores.ravel().tolist())


def _counts(cells, y, bins: int):
    """Records by label, column and cell: an array (2, columns, bins)."""
    width = cells.shape[1]
    index = (y[:, None] * width + np.arange(width)) * bins + cells
    return np.bincount(index.ravel(), minlength=2 * width * bins).reshape(2, width, bins)


def _sides(cells, y, bins: int):
    """Right answers of each (column, cut, label left, label right)."""
    left = _counts(cells, y, bins).cumsum(axis=2)
    right = left[:, :, -1:] - left
    sides = left[:, :, :-1, None, None], right[:, :, :-1, None, None]
    zero, one = (
        np.concatenate([side[0], side[1]], axis=2) for side in sides
    )  # (columns, cuts, label, 1)
    return zero + one.swapaxes(2, 3)


def tree(cells, y, *, bins: int, depth: int, first: float, epsilon: float, relation: str):
    """A predictor; ``first`` is the share of epsilon of every level but the last, together."""
    shares = [first / (depth - 1)] * (depth - 1) + [1 - first] if depth > 1 else [1.0]

    def grow(cells, y, level: int):
        scores = _sides(cells, y, bins)
        last = level == depth - 1
        if not last:
            scores = scores.max(axis=(2, 3))
        spent = epsilon * shares[level]
        place = np.unravel_index(_noisy_max(scores, spent, relation), scores.shape)
        column, cut = place[:2]
        low = cells[:, column] <= cut
        if last:
            below, above = place[2:]
            return lambda new: np.where(new[:, column] <= cut, below, above)
        below, above = grow(cells[low], y[low], level + 1), grow(cells[~low], y[~low], level + 1)
        return lambda new: np.where(new[:, column] <= cut, below(new), above(new))

    return grow(cells, y, 0)


def bayes(
    cells,
    y,
    *,
    bins: int,
    columns: int,
    first: float,
    prior: float,
    power: float,
    epsilon: float,
    relation: str,
):
    """A predictor; ``first`` is the share of epsilon for picking columns, ``prior`` a
    pseudo-count, ``power`` tempers the product over columns (1 is naive Bayes proper)."""
    chosen = list(range(cells.shape[1]))
    if columns < len(chosen):
        scores = _sides(cells, y, bins).max(axis=(1, 2, 3))
        spent = epsilon * first
        scale = columns * _CELLS[relation] / spent
        pick = dp.m.make_noisy_top_k(*_space(relation), dp.max_divergence(), k=columns, scale=scale)
        chosen = _within(pick, 1, spent)(scores.tolist())
        epsilon -= spent
    width = len(chosen)
    changed = _CELLS[relation] * width
    noise = dp.m.make_laplace(
        dp.vector_domain(dp.atom_domain(T=int)), dp.l1_distance(T=int), scale=changed / epsilon
    )
    exact = _counts(cells[:, chosen], y, bins)
    noisy = np.array(_within(noise, changed, epsilon)(exact.ravel().tolist()), dtype=float)
    table = np.maximum(noisy.reshape(exact.shape), 0) + prior
    label = table.sum(axis=2)  # every column tells the labels' totals: average them
    odds = np.log(label[1].mean() / label[0].mean())
    share = np.log(table / label[:, :, None])
    lift = power * (share[1] - share[0])

    def predict(new):
        return (odds + lift[np.arange(width), new[:, chosen]].sum(axis=1) > 0).astype(int)

    return predict
