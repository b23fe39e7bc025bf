"""Shares of one draw, each table judged by shares that were chosen on all others.

``python left_out.py KINDS.jsonl`` reads what ``by_kind.py`` wrote. A draw gives a kind a part of
the prior in proportion to ``exp(gamma C)``, ``C`` the nats that naming its least likely rule takes
(``gamma = 0`` is equal parts, what the default has by a theorem; an earlier default had about
``gamma = 0.1``, chosen with tables in view), each constant label an eighth in all. Its mean
mistakes, less those of the best single kind, are the excess of a cell. For every table: the
``gamma`` with the least mean excess on all *other* tables, and the excess of this one with it, with
equal parts, and with the gamma that would have been best here.
"""

from __future__ import annotations

import sys
from collections import defaultdict

import numpy as np
from cells import read

GAMMAS = (0.0, 0.05, 0.1, 0.2, 0.5, 1.0)
CONSTANT, LEAST = 1 / 8, 1 / 64
Cell = list[dict[str, float]]


def cells(path: str) -> dict[tuple[str, str, int], Cell]:
    """The kinds of every table, epsilon and split, the constant labels first."""
    found: dict[tuple[str, str, int], Cell] = defaultdict(list)
    for (table, epsilon, _, _), splits in read(path).items():
        for split, numbers in splits.items():
            found[table, epsilon, split].append(numbers)
    return {key: sorted(one, key=lambda kind: kind["nats"]) for key, one in found.items()}


def mistakes(kinds: Cell, gamma: float) -> float:
    """The mean mistakes of a draw over these kinds, as a part of the records."""
    nats = np.array([one["nats"] for one in kinds[1:]])
    held = np.array([one["constant"] for one in kinds[1:]])
    parts = np.exp(gamma * (nats - nats.max(initial=0)))
    parts /= parts.sum()
    inside = float((parts * held).sum())
    first = max((CONSTANT - inside) / (0.5 - inside), LEAST) if len(parts) else 1.0
    shares = np.concatenate(([first], (1 - first) * parts))
    odds = np.log(shares) + np.array([one["log_z"] for one in kinds])
    chances = np.exp(odds - odds.max())
    wrong = np.array([one["mistakes"] for one in kinds])
    return float((chances * wrong).sum() / chances.sum())


def excess(kinds: Cell, gamma: float) -> float:
    """Mean mistakes above those of the best single kind."""
    return mistakes(kinds, gamma) - min(one["mistakes"] for one in kinds)


def constant(both: dict[str, float]) -> float:
    """The mistakes of the better constant label, as a part of the records, from ``ln Z`` of both.

    Mistakes ``m`` of one are ``n - m`` of the other, so ``ln Z`` falls in ``m`` up to ``n/2``.
    """
    rate, n = both["rate"], both["records"]
    low, high = 0.0, n / 2
    for _ in range(60):
        middle = (low + high) / 2
        told = np.logaddexp(-rate * middle, -rate * (n - middle)) - np.log(2)
        low, high = (middle, high) if told > both["log_z"] else (low, middle)
    return low / n


def main(path: str) -> None:
    found = cells(path)
    by_table: dict[str, list[list[float]]] = defaultdict(list)
    for (table, _, _), kinds in found.items():
        by_table[table].append([excess(kinds, gamma) for gamma in GAMMAS])
    means = {table: np.mean(rows, axis=0) for table, rows in by_table.items()}
    print("| left out | chosen on the others | excess with it | equal parts | best here |")
    print("|---|---|---|---|---|")
    chosen_all, equal_all = [], []
    for table, here in means.items():
        others = np.mean([mean for other, mean in means.items() if other != table], axis=0)
        chosen, best = int(others.argmin()), int(here.argmin())
        chosen_all.append(here[chosen])
        equal_all.append(here[0])
        print(
            f"| {table} | {GAMMAS[chosen]} | {here[chosen]:.4f} | {here[0]:.4f} | "
            f"{here[best]:.4f} ({GAMMAS[best]}) |"
        )
    print(f"| mean | | {np.mean(chosen_all):.4f} | {np.mean(equal_all):.4f} | |")
    print("\n| gamma | mean excess | worst cell |\n|---|---|---|")
    for place, gamma in enumerate(GAMMAS):
        worst = max(row[place] for rows in by_table.values() for row in rows)
        mean = np.mean([one[place] for one in means.values()])
        print(f"| {gamma} | {mean:.4f} | {worst:.4f} |")
    above = sorted(
        ((mistakes(kinds, 0) - constant(kinds[0]), *key[:2]) for key, kinds in found.items()),
        reverse=True,
    )
    told = ", ".join(f"{table} {epsilon} {more:.4f}" for more, table, epsilon in above[:4])
    print(f"\nEqual parts, mean mistakes above those of the better constant label: at most {told}.")


if __name__ == "__main__":
    main(sys.argv[1])
