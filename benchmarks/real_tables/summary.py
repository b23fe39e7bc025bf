"""All cells: ``python summary.py [short] [halves] OURS.jsonl RIVALS.jsonl`` prints Markdown.

With ``short`` the summary of the first page: ahead, level, behind, and where behind. Otherwise
the tables of the second page. With ``halves`` rivals that state their epsilon for one record more
or fewer are read at half of it: replacing a record takes one away and brings one, so that is what
ours, and diffprivlib's logistic regression, promise for a replaced record (but for a delta that is
``1 + e^(epsilon/2)`` times as large). ``rivals_halves.jsonl`` has the runs that this needs besides.

Per table and epsilon: ours, the best rival (its best setting by the test records, among those that
ran on the most splits), the paired difference over the splits both ran on, and its 95 % interval.
Then the default against single kinds and the majority label, and processor seconds a fit.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import NamedTuple

import numpy as np
from cells import Key, read
from scipy.stats import t as student

EPSILONS = ("0.01", "0.05", "0.1", "0.5", "1", "5")
ROWS = {
    "accuracy": ("accuracy", ("default",)),
    "accuracy, delta 1e-6": ("accuracy", ("delta", "default")),
    "balanced accuracy, default": ("balanced", ("answered", "default")),
    "balanced accuracy, asked for": ("balanced", ("boosted", "balanced")),
    "area under the curve": ("area", ("boosted", "balanced")),
}
"""What is compared: the measure, and our lines for it, of which the first that was run counts: a
delta, which DP-EBM has here, changes the default on tables of more than 10,000 rows alone."""
NOT_ASKED = "balanced accuracy, default"
"""Counted, and listed with all cells: the default looks for few mistakes, not for balance."""
TREES = {"balanced accuracy, asked for": 5, "area under the curve": 2}
"""To answer, as many trees as the default wants before it adds them up; to rank, two."""
KINDS = ("tree", "stump", "score")
LINES = (
    "default", "answered", "delta", "balanced", "fewer", "fewer balanced", "rated", "ranked",
    "boosted", "majority", *KINDS,
)  # fmt: skip
HALVES = {
    "0.01": "0.005", "0.05": "0.025", "0.1": "0.05", "0.5": "0.25", "1": "0.5", "5": "2.5",
}  # fmt: skip
REPLACED = ("diffprivlib logistic",)
"""Rivals that state their epsilon for a replaced record."""
SHORT = {"interpret DP-EBM": "DP-EBM", "diffprivlib forest": "forest"}
SHORT["diffprivlib logistic"] = "logistic"
TABLES = (
    "titanic", "german", "attrition", "breast_cancer", "mroz", "hmda", "credit", "mlc_churn",
    "mushroom", "compas", "fair", "telco", "smoke_ban", "randhie", "credit_cards", "adult",
    "mortgages", "kdd",
)  # fmt: skip
Found = dict[Key, dict[int, dict[str, float]]]
Scores = dict[int, dict[str, float]]


class Placed(NamedTuple):
    """A cell: where ours stands, the best rival, our mean, the paired difference, half its 95 %
    interval, and how many splits both ran on."""

    table: str
    epsilon: str
    place: str
    rival: str
    ours: float
    gap: float
    wide: float
    splits: int


def difference(left: Scores, right: Scores, measure: str) -> tuple[float, float] | None:
    """The mean paired difference and half its 95 % interval, over the splits of both."""
    both = sorted(set(left) & set(right))
    if len(both) < 2:
        return None
    gaps = np.array([left[seed][measure] - right[seed][measure] for seed in both])
    wide = student.ppf(0.975, len(gaps) - 1) * gaps.std(ddof=1) / len(gaps) ** 0.5
    return float(gaps.mean()), float(wide)


def mean(scores: Scores, measure: str) -> float:
    return float(np.mean([one[measure] for one in scores.values()]))


def best(
    found: Found, table: str, epsilon: str, measure: str, *, halves: bool = False
) -> tuple[str, Scores] | None:
    """The rival that is best on the test records, among settings that ran on the most splits."""
    full = {}
    for at in dict.fromkeys((epsilon, HALVES[epsilon] if halves else epsilon)):
        cell = {k: s for k, s in found.items() if k[:2] == (table, at) and k[2] not in LINES}
        most = max(map(len, cell.values()), default=0)
        full |= {
            key: scores
            for key, scores in cell.items()
            if len(scores) == most and (not halves or (key[2] in REPLACED) == (at == epsilon))
        }
    if not full:
        return None
    key = max(full, key=lambda k: mean(full[k], measure))
    return key[2], full[key]


def line_of(
    found: Found, table: str, epsilon: str, measure: str, lines: tuple[str, ...]
) -> Scores | None:
    """The first of these lines that was run and has the measure on every split."""
    held = (found.get((table, epsilon, line, ""), {}) for line in lines)
    return next((s for s in held if s and all(measure in one for one in s.values())), None)


def ours_of(found: Found, table: str, epsilon: str, row: str) -> Scores | None:
    """Our line for a row: of a sum only where public numbers pay for enough trees."""
    measure, lines = ROWS[row]
    summed = found.get((table, epsilon, "boosted", ""), {})
    if "boosted" in lines and any(one.get("trees", 0) < TREES[row] for one in summed.values()):
        lines = lines[1:]
    return line_of(found, table, epsilon, measure, lines)


def placed(
    found: Found, table: str, epsilon: str, row: str, *, halves: bool = False
) -> Placed | None:
    """Where ours stands in one cell; none where one side has fewer than two splits of both."""
    measure = ROWS[row][0]
    ours = ours_of(found, table, epsilon, row)
    rival = best(found, table, epsilon, measure, halves=halves)
    gap = None if ours is None or rival is None else difference(ours, rival[1], measure)
    if ours is None or rival is None or gap is None:
        return None
    place = "ahead" if gap[0] > gap[1] else "behind" if gap[0] < -gap[1] else "level"
    both = len(set(ours) & set(rival[1]))
    return Placed(table, epsilon, place, rival[0], mean(ours, measure), *gap, both)


def said(found: Found, table: str, epsilon: str, row: str) -> str:
    """One cell of the table against the rivals."""
    at = placed(found, table, epsilon, row)
    if at is not None:
        mark = "**" if at.place == "behind" else ""
        told = f"{SHORT.get(at.rival, at.rival)} {mark}{at.gap:+.3f} ± {at.wide:.3f}{mark}"
        return f"{at.ours:.3f} ({told}, {at.splits})"
    ours = ours_of(found, table, epsilon, row)
    return "" if ours is None else f"{mean(ours, ROWS[row][0]):.3f}"


def cells_of(found: Found, row: str, tables: list[str], *, halves: bool) -> list[Placed]:
    every = (
        placed(found, table, epsilon, row, halves=halves)
        for table in tables
        for epsilon in EPSILONS
    )
    return [at for at in every if at is not None]


def counted(cells: list[Placed]) -> str:
    count = Counter(at.place for at in cells)
    return f"{count['ahead']} / {count['level']} / {count['behind']}"


def short(found: Found, tables: list[str], *, halves: bool) -> None:
    """Ahead, level, behind by measure and epsilon; then every cell where ours is behind."""
    print(f"| ahead / level / behind | {' | '.join(EPSILONS)} | all | mean difference |")
    print(f"|---{'|---' * (len(EPSILONS) + 2)}|")
    behind: dict[str, list[Placed]] = {}
    for row in ROWS:
        cells = cells_of(found, row, tables, halves=halves)
        behind[row] = [at for at in cells if at.place == "behind"]
        told = [counted([at for at in cells if at.epsilon == epsilon]) for epsilon in EPSILONS]
        over = float(np.mean([at.gap for at in cells]))
        print(f"| {row} | {' | '.join(told)} | **{counted(cells)}** | {over:+.3f} |")
    print("\nBehind the best rival beyond the interval:\n")
    for row, cells in behind.items():
        if row == NOT_ASKED:
            continue
        by_table: dict[str, list[str]] = {}
        for at in cells:
            gap = f"{at.epsilon} ({at.gap:+.3f} {SHORT.get(at.rival, at.rival)})"
            by_table.setdefault(at.table, []).append(gap)
        listed = "; ".join(f"{table} at {', '.join(each)}" for table, each in by_table.items())
        print(f"- *{row}* ({len(cells)}): {listed or 'nowhere'}.")


def against_rivals(found: Found, row: str, tables: list[str]) -> None:
    print(f"\n### {row[0].upper()}{row[1:]}\n")
    print(f"| table | {' | '.join(EPSILONS)} |\n|---{'|---' * len(EPSILONS)}|")
    for table in tables:
        cells = [said(found, table, epsilon, row) for epsilon in EPSILONS]
        print(f"| {table} | {' | '.join(cells)} |")


def against_kinds(found: Found, tables: list[str]) -> None:
    """The default minus the best single kind, and minus the majority label."""
    worst: list[tuple[float, str]] = []
    print(f"\n| table | {' | '.join(EPSILONS)} |\n|---{'|---' * len(EPSILONS)}|")
    for table in tables:
        cells = []
        for epsilon in EPSILONS:
            ours = found.get((table, epsilon, "default", ""))
            kinds = {
                k: found[table, epsilon, k, ""] for k in KINDS if (table, epsilon, k, "") in found
            }
            plain = found.get((table, epsilon, "majority", ""))
            if not ours or not plain or not set(ours) & set(plain):
                cells.append("")
                continue
            both = sorted(set(ours) & set(plain))
            over = np.mean([ours[seed]["accuracy"] - plain[seed]["accuracy"] for seed in both])
            told = f"{over:+.3f}"
            if "tree" in kinds:
                kind = max(kinds, key=lambda k: mean(kinds[k], "accuracy"))
                gap = difference(ours, kinds[kind], "accuracy")
                if gap is not None:
                    below = gap[0] < -gap[1]
                    mark = "**" if below else ""
                    told += f"; {kind} {mark}{gap[0]:+.3f} ± {gap[1]:.3f}{mark}"
                    worst.append((gap[0] + gap[1], f"{table} {epsilon}"))
            cells.append(told)
        print(f"| {table} | {' | '.join(cells)} |")
    behind = [where for gap, where in worst if gap < 0]
    named = f": {', '.join(behind)}" if behind else ""
    told = f"{len(behind)} of {len(worst)}{named}"
    print(f"\nBehind the best single kind beyond the interval in {told}.")


def seconds(found: Found, tables: list[str]) -> None:
    print(f"\n| table | {' | '.join(EPSILONS)} |\n|---{'|---' * len(EPSILONS)}|")
    for table in tables:
        cells = []
        for epsilon in EPSILONS:
            ours = found.get((table, epsilon, "default", ""), {})
            times = [one["cpu"] for one in ours.values() if "cpu" in one]
            cells.append(f"{np.median(times):.2f}" if times else "")
        print(f"| {table} | {' | '.join(cells)} |")


def main(*words: str) -> None:
    found = read(*(word for word in words if word not in ("short", "halves")))
    if "short" in words:
        short(found, list(TABLES), halves="halves" in words)
        return
    print("## Against rivals")
    for row in ROWS:
        against_rivals(found, row, list(TABLES))
    print("\n## The default beside single kinds\n")
    print("Accuracy of the default minus the majority label's; then minus the best single kind's.")
    against_kinds(found, list(TABLES))
    print("\n## Processor seconds a fit (median over the splits)")
    seconds(found, list(TABLES))


if __name__ == "__main__":
    main(*sys.argv[1:])
