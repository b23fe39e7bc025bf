"""Records against the number of tasks: the tables of BNS19 section 1.3, with numbers in them."""

from __future__ import annotations

import json
from fractions import Fraction

import numpy as np

from benchmarks.harness import RESULTS
from tacit.checks.testing import seeded
from tacit.classes import Points, Thresholds
from tacit.core import Accuracy, Privacy, Sample, Task
from tacit.planner import plan
from tacit.problems.parities.parities import Parities

TASKS = (1, 2, 5, 10, 30, 100, 300, 1000, 3000, 10_000)
MEASURED = (2, 10, 100)
TRIALS = 40
BETA = 0.1
CLASSES = {
    "points, 64 bits": (Points(bits=64), {}),
    "thresholds, 32 bits": (Thresholds(bits=32), {}),
    "parities, 64 bits, uniform": (Parities(bits=64), {"marginal": "uniform"}),
}


def _task(name: str, k: int, delta: str, setting: str = "realizable") -> Task:
    concepts, more = CLASSES[name]
    return Task(
        concepts,
        privacy=Privacy(1, delta),
        accuracy=Accuracy("0.1", "0.1"),
        k=k,
        setting=setting,
        **more,
    )


def planned() -> list[dict[str, object]]:
    """Every option and the best lower bound, for every class, privacy and k."""
    rows: list[dict[str, object]] = []
    for name in CLASSES:
        for delta in ("0", "1e-6"):
            privacy = "pure" if delta == "0" else "delta = 1e-6"
            for k in TASKS:
                p = plan(_task(name, k, delta))
                common = {"class": name, "privacy": privacy, "k": k}
                rows += [common | {"by": o.name, "records": o.n} for o in p.options]
                if p.lower_bounds:
                    rows.append(common | {"by": "needed by all", "records": p.lower_bounds[0].n})
    return rows


def _draw(name: str, k: int, n: int, generator: np.random.Generator):
    """A hard data set, and a check that all k rules are within 0.1."""
    if name.startswith("points"):
        values = np.arange(9, dtype=np.uint64) * np.uint64(10**18)
        targets, drawn = generator.integers(0, 9, k), generator.integers(0, 9, n)
        truth = np.arange(9)[:, None] == targets
        return Sample(values[drawn], drawn[:, None] == targets), lambda rules: np.all(
            (rules.predict(values) ^ truth).mean(axis=0) <= 0.1
        )
    if name.startswith("thresholds"):
        # Most mass far away, a little on each side of every cut: the hardest law we know.
        cut, more = 2**31, 0.1001
        values = np.array([0, cut - 1, cut])
        masses = np.array([1 - 2 * more, more, more])
        drawn = generator.choice(3, size=n, p=masses)
        truth = np.repeat((values >= cut)[:, None], k, axis=1)
        return Sample(values[drawn], truth[drawn]), lambda rules: np.all(
            masses @ (rules.predict(values) ^ truth) <= 0.1
        )
    features = generator.integers(0, 2, (n, 64))
    masks = generator.integers(0, 2, (64, k))
    wanted = [int("".join(map(str, mask)), 2) for mask in masks.T]
    sample = Sample(features == 1, features @ masks % 2 == 1)
    return sample, lambda rules: [rule.mask for rule in rules] == wanted


def _least(name: str, k: int, delta: str) -> tuple[str, int, int]:
    """The plan's best, its records, and the least n at which it failed at most beta."""
    task = _task(name, k, delta)
    best = plan(task).best
    generator, rng = np.random.default_rng(k), seeded(k)

    def good(n: int) -> bool:
        mechanism = best.algorithm.built(task, n)
        bad = 0
        for _ in range(TRIALS):
            sample, check = _draw(name, k, n, generator)
            bad += not check(mechanism._release(sample, rng=rng))
        return Fraction(bad, TRIALS) <= BETA

    low, high = 1, best.n
    while high - low > max(2, high // 40):
        middle = (low + high) // 2
        low, high = (low, middle) if good(middle) else (middle, high)
    return best.name, best.n, high


def _chart(rows: list[dict[str, object]]) -> None:
    import altair as alt

    several = [row for row in rows if row["k"] != 1]
    base = alt.Chart(width=260, height=220).encode(
        x=alt.X("k:Q", scale=alt.Scale(type="log"), title="tasks k"),
        y=alt.Y("records:Q", scale=alt.Scale(type="log"), title="records"),
    )
    ours = base.mark_line(point=True).encode(color=alt.Color("by:N", title=None))
    ours = ours.transform_filter("datum.by != 'needed by all'")
    needed = base.mark_line(strokeDash=[4, 3], color="black")
    needed = needed.transform_filter("datum.by == 'needed by all'")
    line = alt.layer(ours, needed, data=alt.Data(values=several)).facet(
        column=alt.Column("class:N", title="dashed: needed by every algorithm"),
        row=alt.Row("privacy:N", title=None),
    )
    line.save(str(RESULTS / "multitask.svg"))
    line.save(str(RESULTS / "multitask.html"), inline=True)


def main() -> None:
    rows = planned()
    measured = []
    print("\nRecords against tasks (alpha = beta = 0.1, epsilon 1)")
    for name in CLASSES:
        for delta in ("0", "1e-6"):
            privacy = "pure" if delta == "0" else "delta = 1e-6"
            here = [row for row in rows if row["class"] == name and row["privacy"] == privacy]
            print(f"\n{name}, {privacy}")
            for by in sorted({row["by"] for row in here}):
                cells = {row["k"]: row["records"] for row in here if row["by"] == by}
                shown = "  ".join(f"{cells.get(k, '-'):>8}" for k in TASKS)
                print(f"  {by:<28} {shown}")
            for k in MEASURED:
                if plan(_task(name, k, delta)).best is None:
                    continue
                by, wanted, enough = _least(name, k, delta)
                line = {"class": name, "privacy": privacy, "k": k, "by": by}
                measured.append(line | {"planned": wanted, "measured": enough})
                print(f"  k = {k}: {by} planned {wanted}, measured least {enough}")
    RESULTS.mkdir(exist_ok=True)
    record = {"planned": rows, "measured": measured}
    (RESULTS / "multitask.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    _chart(rows)


if __name__ == "__main__":
    main()
