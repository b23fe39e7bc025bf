"""One-way sequences online at k = 16, and what it takes to make private learners online ones."""

from __future__ import annotations

import json
import time

from benchmarks.harness import RESULTS
from tacit.checks.testing import seeded
from tacit.classes import OneWaySequences, Points, Thresholds
from tacit.core import ALGORITHMS, Accuracy, Privacy, Task
from tacit.domains.integers import Integers
from tacit.theory.online import Contrarian, hashes_needed, mistake_bound, play, play_orders
from tacit.theory.online.charts import chart
from tacit.theory.online.compiled import private_to_online

K, ROUNDS, SECRETS = 16, 2000, 3


def _one_way() -> list[dict[str, object]]:
    sequences = OneWaySequences(bits=(K + 1) ** 2)
    rows: list[dict[str, object]] = []
    print(f"\nOne-way sequences, k = {K}, {ROUNDS} rounds")
    for secret in range(SECRETS):
        start = time.perf_counter()
        curves = play_orders(sequences, rounds=ROUNDS, rng=seeded(f"online {secret}"))
        for curve in curves:
            game = curve.transcript
            rows.append(
                {
                    "secret": secret,
                    "learner": curve.name,
                    "order": curve.order,
                    "mistakes": game.mistakes,
                    "rate": game.error_rate,
                    "promise": curve.claim,
                }
            )
            rate = f"{game.mistakes:5} mistakes, rate {game.error_rate:.4f}"
            print(f"  {curve.name:<20} {curve.order:<8} {rate}  ({curve.claim})")
        print(f"  {time.perf_counter() - start:.1f} s")
        if secret == 0:
            RESULTS.mkdir(exist_ok=True)
            chart(curves).save(str(RESULTS / "online.svg"))
    return rows


def _compiled() -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    print("\nPrivate learners as online learners (error 1/4, failure 3/4, epsilon 1/16)")
    for concepts, name in (
        (Points(size=3), "permute-and-flip"),
        (Points(size=4), "permute-and-flip"),
        (Thresholds(size=3), "permute-and-flip"),
        (Thresholds(size=3), "thresholds"),
    ):
        task = Task(concepts, privacy=Privacy("1/16"), accuracy=Accuracy("1/4", "3/4"))
        start = time.perf_counter()
        made = private_to_online(task, ALGORITHMS[name], rng=seeded("compiled"))
        seconds = time.perf_counter() - start
        size = concepts.domain.size
        target = concepts.hypothesis(1).predict(range(size)).tolist()
        adversary = Contrarian(made.learner, range(size), [int(label) for label in target])
        forced = play(made.learner, adversary, rounds=made.learner.bound + 1).mistakes
        row = {
            "class": concepts.describe(),
            "learner": name,
            "runs": made.runs,
            "rules": made.rules.size,
            "bound": made.learner.bound,
            "forced": forced,
            "seconds": seconds,
        }
        rows.append(row)
        print("  " + ", ".join(f"{key} {value}" for key, value in row.items()))
    return rows


def _buckets() -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    print("\nHash buckets as experts for points, every adversary")
    for bits in (16, 32, 64):
        size = Integers(bits=bits).size
        for wrong in ("3/8", "1/4", "1/8"):
            hashes, width = hashes_needed(pairs=size * (size - 1) // 2, wrong=wrong)
            experts = hashes << width
            bound = mistake_bound(experts=experts, wrong=wrong)
            rows.append({"bits": bits, "wrong": wrong, "experts": experts, "bound": bound})
            print(f"  {bits} bits, wrong {wrong}: {experts} experts, at most {bound} mistakes")
    return rows


def main() -> None:
    record = {"one_way": _one_way(), "compiled": _compiled(), "buckets": _buckets()}
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "online.json").write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
