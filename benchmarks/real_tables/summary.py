"""The page of all cells: ``python summary.py OURS.jsonl RIVALS.jsonl > cells.md``.

Per table and epsilon: ours, the best rival (its best setting by the test records, among those that
ran on the most splits), the paired difference over the splits both ran on, and its 95 % interval.
Then the default against single kinds and the majority label, and processor seconds a fit.
"""

from __future__ import annotations

import sys
from collections import Counter

import numpy as np
from cells import MEASURES, Key, read
from scipy.stats import t as student

EPSILONS = ("0.01", "0.05", "0.1", "0.5", "1", "5")
OURS = {"accuracy": ("default", "delta"), "balanced": ("balanced",), "area": ("boosted", "ranked")}
KINDS = ("tree", "stump", "score")
LINES = (
    "default", "delta", "balanced", "fewer", "fewer balanced", "rated", "ranked", "boosted",
    "majority", *KINDS,
)  # fmt: skip
WORDS = {
    "accuracy": "accuracy",
    "balanced": "balanced accuracy",
    "area": "area under the curve",
}
Found = dict[Key, dict[int, dict[str, float]]]
Scores = dict[int, dict[str, float]]


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


def best(found: Found, table: str, epsilon: str, measure: str) -> tuple[str, Scores] | None:
    """The rival that is best on the test records, among settings that ran on the most splits."""
    cell = {k: s for k, s in found.items() if k[:2] == (table, epsilon) and k[2] not in LINES}
    most = max(map(len, cell.values()), default=0)
    full = {k: s for k, s in cell.items() if len(s) == most}
    if not full:
        return None
    key = max(full, key=lambda k: mean(full[k], measure))
    return key[2], full[key]


def line_of(found: Found, table: str, epsilon: str, lines: tuple[str, ...]) -> Scores | None:
    """The first of these lines that was run; a delta is named where it was."""
    return next((found[k] for x in lines if (k := (table, epsilon, x, "")) in found), None)


def ours_of(found: Found, table: str, epsilon: str, measure: str) -> Scores | None:
    """Our line for a measure: to rank, a sum where public numbers pay for two trees or more."""
    lines = OURS[measure]
    summed = found.get((table, epsilon, "boosted", ""), {})
    if measure == "area" and any(one.get("trees", 0) < 2 for one in summed.values()):
        lines = lines[1:]
    return line_of(found, table, epsilon, lines)


def said(found: Found, table: str, epsilon: str, measure: str, count: Counter[str]) -> str:
    """One cell of the table against the rivals."""
    ours = ours_of(found, table, epsilon, measure)
    if ours is None:
        return ""
    told, rival = f"{mean(ours, measure):.3f}", best(found, table, epsilon, measure)
    if rival is None:
        return told
    gap = difference(ours, rival[1], measure)
    if gap is None:
        return f"{told} ({mean(rival[1], measure):.3f} {rival[0]}, one split)"
    place = "ahead" if gap[0] > gap[1] else "behind" if gap[0] < -gap[1] else "level"
    count[place] += 1
    mark = "**" if place == "behind" else ""
    both = len(set(ours) & set(rival[1]))
    return f"{told} ({rival[0]}: {mark}{gap[0]:+.3f} ± {gap[1]:.3f}{mark}, {both} splits)"


def against_rivals(found: Found, measure: str, tables: list[str]) -> None:
    count: Counter[str] = Counter()
    print(f"\n### {WORDS[measure][0].upper()}{WORDS[measure][1:]}\n")
    print(f"| table | {' | '.join(EPSILONS)} |\n|---{'|---' * len(EPSILONS)}|")
    for table in tables:
        cells = [said(found, table, epsilon, measure, count) for epsilon in EPSILONS]
        print(f"| {table} | {' | '.join(cells)} |")
    run = sum(count.values())
    print(
        f"\n{run} cells with a rival on two splits or more: ahead beyond the interval in "
        f"{count['ahead']}, level in {count['level']}, behind beyond it in {count['behind']}."
    )


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
            if not ours or not plain:
                cells.append("")
                continue
            told = f"{mean(ours, 'accuracy') - mean(plain, 'accuracy'):+.3f}"
            if kinds:
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


def main(*paths: str) -> None:
    found = read(*paths)
    tables = list(dict.fromkeys(key[0] for key in found))
    print("## Against rivals")
    for measure in MEASURES:
        against_rivals(found, measure, tables)
    print("\n## The default beside single kinds\n")
    print("Accuracy of the default minus the majority label's; then minus the best single kind's.")
    against_kinds(found, tables)
    print("\n## Processor seconds a fit (median over the splits)")
    seconds(found, tables)


if __name__ == "__main__":
    main(*sys.argv[1:])
