"""Put results together: ``python report.py [again] RESULTS.json [MORE.json ...]`` prints Markdown.

For each table, the mean test accuracy of every family at every epsilon: rivals with the setting
that did best on these test sets, ours with defaults. Then the mean paired difference between
ours and the best rival with a 95 % interval over the splits, in four readings:

- *shipped*: against the classifiers that diffprivlib and interpret ship, each at the epsilon it
  states, whoever its neighbours are; ours for replaced records.
- *all*: those and the two that we built from OpenDP's mechanisms.
- *replaced*: all, for replaced records. A rival stated for one record more or fewer counts with
  what it reaches at half the epsilon.
- *more or fewer*: ours with ``relation="add-remove"`` against the rivals stated for that.

With ``again``, the rivals' chosen settings are read from their second run, with new noise: the
first is the maximum over many noisy runs. Bold differences lie below zero with their whole
interval, by 0.001 or more. Splits overlap, so the intervals speak of these
tables, not of new ones.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from families import NEIGHBOURS
from protocol import EPSILONS, SPLITS, merged
from tables import SCHEMAS

OURS = {"replace": "rule", "add-remove": "rule, add-remove"}
READINGS = {"shipped": "replace", "all": "replace", "replaced": "replace"}
READINGS["more or fewer"] = "add-remove"  # the relation of ours in each
_T = 2.093  # Student, 19 degrees of freedom, two-sided 95 %
_WORDS = {"replace": "replaced", "add-remove": "more or fewer"}


def _counts(family: str, unit: str, reading: str) -> bool:
    if reading == "more or fewer":
        return unit == "add-remove"
    # What we built for either relation is not taken in the cheaper one here.
    twin = family.startswith("opendp") and unit == "add-remove"
    return not twin and not (reading == "shipped" and family.startswith("opendp"))


def best(methods: dict[str, Any], epsilon: str, reading: str, run: str = "scores"):
    """(family, scores over the splits) of the best rival in a reading, or None."""
    found = []
    for family, unit in NEIGHBOURS.items():
        convert = reading == "replaced" and unit == "add-remove"
        at = f"{float(epsilon) / 2:g}" if convert else epsilon
        cell = methods.get(family, {}).get(at)
        if cell is not None and _counts(family, unit, reading):
            found.append((family, np.array(cell[run])))
    return max(found, key=lambda one: one[1].mean(), default=None)


def difference(mine: np.ndarray, theirs: np.ndarray) -> str:
    gap = mine - theirs
    wide = _T * gap.std(ddof=1) / np.sqrt(SPLITS)
    # Bold: behind beyond the interval, and by something that three places show.
    mark = "**" if gap.mean() + wide < 0 and gap.mean() < -0.0005 else ""
    return f"{mark}{gap.mean():+.3f} ± {wide:.3f}{mark}"


def line(*cells: str) -> None:
    print("| " + " | ".join(cells) + " |")


def families(methods: dict[str, Any], run: str) -> None:
    line("method", "neighbours", *EPSILONS)
    print("|---" * (len(EPSILONS) + 2) + "|")
    for family, unit in NEIGHBOURS.items():
        cells = methods.get(family, {})
        means = [f"{np.mean(cells[e][run]):.3f}" if e in cells else "" for e in EPSILONS]
        if cells:
            line(family.partition(",")[0], _WORDS[unit], *means)
    for unit, label in OURS.items():
        held = methods.get(label, {})
        means = [f"**{np.mean(held[e]):.3f}**" if e in held else "" for e in EPSILONS]
        if held:
            line("**ours, defaults**", _WORDS[unit], *means)


def gaps(methods: dict[str, Any], run: str) -> None:
    line("ours minus best rival", *EPSILONS)
    print("|---" * (len(EPSILONS) + 1) + "|")
    for reading, unit in READINGS.items():
        shown = []
        for epsilon in EPSILONS:
            top, mine = best(methods, epsilon, reading, run), methods.get(OURS[unit], {})
            known = top is not None and epsilon in mine
            shown.append(
                f"{difference(np.array(mine[epsilon]), top[1])} {top[0].partition(',')[0]}"
                if known
                else "not measured"
            )
        line(f"*{reading}*", *shown)


def main(words: list[str]) -> None:
    run = "again" if "again" in words else "scores"
    results = merged([word for word in words if word != "again"])
    for name in SCHEMAS:
        methods = results.get(name, {})
        print(f"\n### {name}\n")
        floors = {k: v["none"] for k, v in methods.items() if k.startswith("not private")}
        words = [f"{k[13:]} {np.mean(v['scores']):.3f}" for k, v in floors.items()]
        print("Not private: " + ", ".join(words) + ".\n")
        families(methods, run)
        print()
        gaps(methods, run)


if __name__ == "__main__":
    main(sys.argv[1:])
