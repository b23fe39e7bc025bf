"""One grid of cells against several in one draw: exact means, nothing is sampled.

``python grids.py RESULTS.jsonl [SPLITS] [TABLE ...] [EPSILON ...]`` adds for a table, an epsilon
and a split (80 of 100 records) the mean mistakes of a draw over all kinds, as a part of the
records: on the default's grid ("one grid"), with the same trees on 32 and 16 cells a column beside
them, all kinds in equal parts ("all grids"), and with deeper trees too, where coarser cells let
them be weighed within seconds ("deeper"). "cells 64" and so on are ``ln Z`` of the trees of two
levels on that grid: what a question costs there. Where the default draws from short lists alone, by
permute-and-flip, nothing is added, nor for tables whose only grid is 16.

``python grids.py show RESULTS.jsonl`` prints the differences as Markdown.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from by_kind import one, weight_of
from cells import add, chosen, numbers, parts, read
from famous import LOADERS, load

from tacit import Ledger
from tacit.domains.schema import Schema
from tacit.estimators import BestRuleClassifier
from tacit.problems.tables.best_rules import BestRules, shares

COARSER = (32, 16)
EPSILONS = ("0.05", "0.1", "0.5", "1", "5")
Weight = Callable[[Fraction], float]
Splits = dict[str, dict[int, dict[str, float]]]


def grids_of(declared: Any) -> dict[int, Schema]:
    """The default's grid and the coarser ones that differ, by their cells a column."""
    model = BestRuleClassifier(domain=declared, ledger=Ledger.memory())
    finest = model._grid(lambda bins: Schema.of(declared, bins=bins))
    sizes = {bins: Schema.of(declared, bins=bins) for bins in (64, *COARSER)}
    first = next(bins for bins, schema in sizes.items() if schema == finest)
    found = {first: finest}
    for bins in COARSER:
        if bins < first and sizes[bins] != list(found.values())[-1]:
            found[bins] = sizes[bins]
    return found


def mixed(kinds: list[Any], numbers_of: Callable[[Any], dict[str, float]]) -> float:
    """The mean mistakes of a draw over these kinds, the constant labels first."""
    told = [numbers_of(kind) for kind in kinds]
    pairs = zip(shares(kinds), told, strict=True)
    odds = np.array([np.log(float(share)) + at["log_z"] for share, at in pairs])
    chances = np.exp(odds - odds.max())
    wrong = np.array([at["mistakes"] for at in told])
    return float((chances * wrong).sum() / chances.sum())


def cell(
    target: str, name: str, word: str, seed: int, table: Any, known: dict[Any, Weight]
) -> None:
    """The lines of one table, epsilon and split."""
    grids, placed, labels, learn = table
    finest = next(iter(grids.values()))
    n, epsilon = len(learn), Fraction(word)
    rate = epsilon * (1 - BestRules(finest).count_share(n=n, epsilon=epsilon)) / 2
    drawn = {bins: BestRules(grid).kinds(n=n, rate=rate) for bins, grid in grids.items()}
    trees, lists = next(iter(drawn.values()))
    every = [*trees, *(kind for kinds, _ in list(drawn.values())[1:] for kind in kinds[1:])]
    if len(trees) == 1:
        return

    def told(kind: Any) -> dict[str, float]:
        bins = next(bins for bins, grid in grids.items() if grid == kind.schema)
        key = bins, getattr(kind, "depth", repr(kind))
        if key not in known:
            known[key] = weight_of(kind, placed[bins][learn], labels[learn])
        return one(kind, rate, known[key], n)

    cached = {id(kind): told(kind) for kind in (*every, *lists)}
    deepest = max(kind.depth for kind in trees)
    level = [kind for kind in every if kind.depth <= deepest]
    lines = {"one grid": trees, "all grids": level, "deeper": every}
    for method, kinds in lines.items():
        mistakes = mixed([*kinds, *lists], lambda kind: cached[id(kind)])
        price = float(np.log(len(grids)) / (rate * n))
        add(target, (name, word, method, ""), seed, {"mistakes": mistakes, "price": price})
    for bins, (kinds, _) in drawn.items():
        two = [cached[id(kind)] for kind in kinds if kind.depth == 2]
        if two:
            add(target, (name, word, f"cells {bins}", ""), seed, {"log_z": two[0]["log_z"]})


def show(path: str) -> None:
    """Differences to one grid, as parts of the records, and what coarser cells save in nats."""
    found = read(path)
    tables = list(dict.fromkeys(key[0] for key in found))
    print(f"| table | {' | '.join(EPSILONS)} | nats saved |\n|---{'|---' * len(EPSILONS)}|---|")
    every: dict[str, list[float]] = defaultdict(list)
    for table in tables:
        told, saved = [], []
        for word in EPSILONS:
            at = {key[2]: splits for key, splits in found.items() if key[:2] == (table, word)}
            told.append(_gaps(at, every) if at else "")
            saved += _saved(at)
        print(f"| {table} | {' | '.join(told)} | {min(saved):+.2f} to {max(saved):+.2f} |")
    for method, gaps in every.items():
        print(f"\n{method}: mean {np.mean(gaps):+.5f}, worst {max(gaps):+.4f}, ", end="")
        print(f"best {min(gaps):+.4f}, cells {len(gaps)}")


def _gaps(at: Splits, every: dict[str, list[float]]) -> str:
    """The differences in one cell; those with deeper trees in brackets where they are others."""
    gaps = []
    for method in ("all grids", "deeper"):
        both = [(at[method][seed], one) for seed, one in at["one grid"].items()]
        gaps.append(float(np.mean([many["mistakes"] - one["mistakes"] for many, one in both])))
        every[method].append(gaps[-1])
    level, deeper = (f"{gap:+.4f}" for gap in gaps)
    return level if level == deeper else f"{level} ({deeper})"


def _saved(at: Splits) -> list[float]:
    """``ln Z`` of trees of two levels on each coarser grid, less that on the default's."""
    cells = {int(method.split()[1]): at[method] for method in at if method.startswith("cells")}
    finest = cells.pop(max(cells)) if cells else {}
    pairs = [(splits[seed], finest[seed]) for splits in cells.values() for seed in splits]
    return [one["log_z"] - other["log_z"] for one, other in pairs]


def main(target: str, words: list[str]) -> None:
    splits, epsilons = numbers(words)
    have = read(target)
    for name in chosen(words, LOADERS):
        x, y, declared = load(name)
        grids = grids_of(declared)
        if len(grids) == 1:
            continue
        placed = {bins: np.asarray(grid.coerce(x)) for bins, grid in grids.items()}
        for seed in range(splits):
            learn, _ = parts(len(y), seed)
            table = grids, placed, np.asarray(y, dtype=bool), learn
            known: dict[Any, Weight] = {}
            for word in epsilons:
                if word in EPSILONS and seed not in have.get((name, word, "one grid", ""), {}):
                    cell(target, name, word, seed, table, known)
                    print(name, seed, word, flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "show":
        show(sys.argv[2])
    else:
        main(sys.argv[1], sys.argv[2:])
