"""Put results together: ``python report.py OURS.json [RIVALS.json ...]`` prints Markdown.

For each table and epsilon: the best rival, chosen by its mean on the test sets, and ours with
defaults; the mean paired difference with a 95 % interval over the splits. Splits overlap, so
the interval speaks of these tables, not of new ones.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np
from protocol import EPSILONS, SPLITS

_T = 2.093  # Student, 19 degrees of freedom, two-sided 95 %


def merged(paths: list[str]) -> dict:
    out: dict = {}
    for path in paths:
        for name, methods in json.loads(Path(path).read_text(encoding="utf-8")).items():
            for method, scores in methods.items():
                out.setdefault(name, {}).setdefault(method, {}).update(scores)
    return out


def main(paths: list[str]) -> None:
    ours = merged([path for path in paths if Path(path).name.startswith("ours")])
    rivals = merged([path for path in paths if not Path(path).name.startswith("ours")])
    for name, methods in ours.items():
        print(f"\n### {name}\n")
        floors = {k: v["none"] for k, v in rivals.get(name, {}).items() if "none" in v}
        if floors:
            words = (
                f"{k.removeprefix('not private: ')} {np.mean(v):.3f}" for k, v in floors.items()
            )
            print("Not private: " + ", ".join(words) + ".\n")
        for method, scores in methods.items():
            print(f"| epsilon | best tuned rival | | ours ({method}) | difference (95 %) |")
            print("|---|---|---|---|---|")
            for epsilon in EPSILONS:
                if epsilon not in scores:
                    continue
                mine = np.array(scores[epsilon])
                found = [
                    (np.mean(v[epsilon]), k, np.array(v[epsilon]))
                    for k, v in rivals.get(name, {}).items()
                    if epsilon in v
                ]
                if not found:
                    print(f"| {epsilon} | not measured | | {mine.mean():.3f} | |")
                    continue
                mean, label, theirs = max(found, key=lambda one: one[0])
                gap = mine - theirs
                half = _T * gap.std(ddof=1) / np.sqrt(SPLITS)
                print(
                    f"| {epsilon} | {mean:.3f} | {label} | {mine.mean():.3f} "
                    f"| {gap.mean():+.3f} ± {half:.3f} |"
                )
            print()


if __name__ == "__main__":
    main(sys.argv[1:])
