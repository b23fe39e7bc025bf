"""Tracing: certified code lengths, who is accused without privacy, and who is with it."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from tacit.checks.attacks import boneh_shaw, tardos
from tacit.checks.attacks.confidence import lower
from tacit.checks.attacks.faulty import majority_learner
from tacit.checks.attacks.tracing import trace_learner
from tacit.checks.testing import seeded
from tacit.classes import Points, Table, Thresholds
from tacit.core import ALGORITHMS, Accuracy, Privacy, Task
from tacit.problems.several.direct_sum import DIRECT_SUM


def lengths() -> None:
    print("certified lengths, per-user error 1/(20 n), missed 1/20")
    for n in (3, 5, 10, 20):
        xi = Fraction(1, 20 * n)
        symmetric = tardos.length(coalition=n, innocent=xi, missed=Fraction(1, 20)).columns
        print(
            f"  n = {n:2}: Tardos {symmetric:6}, Boneh-Shaw {boneh_shaw.length(users=n, xi=xi):6}"
        )


def without_privacy() -> None:
    print("majority learner, no privacy; 2 x 200 runs, confidence 0.95")
    for code in ("boneh-shaw", "tardos"):
        for n in (3, 5, 10):
            found = trace_learner(
                majority_learner, n=n, xi=Fraction(1, 20 * n), runs=200, code=code, rng=seeded(code)
            )
            print(
                f"  {code:<10} n = {n:2}, {found.columns:5} tasks: accused {list(found.accused)}, "
                f"nobody {found.unaccused}; replaced and accused {list(found.framed)}; "
                f"epsilon > {float(found.epsilon):.2f}; somebody accused with probability above "
                f"{float(lower(found.runs - found.unaccused, found.runs, level=found.level)):.4f}"
            )


def with_privacy() -> None:
    print("direct sum, epsilon 1, agnostic, two concepts, planned records, Tardos with k columns")
    for k in (4, 16, 64):
        task = Task(
            Thresholds(size=2, orientation="<"),
            privacy=Privacy(1),
            accuracy=Accuracy("0.2", "0.1"),
            setting="agnostic",
            k=k,
        )
        n = DIRECT_SUM.bound(task).n
        xi = Fraction(1, 20)
        found = trace_learner(
            DIRECT_SUM.built(task, n),
            k=k,
            n=n,
            xi=xi,
            runs=30,
            x=np.zeros(n, dtype=int),
            code="tardos",
            rng=seeded(k),
        )
        print(
            f"  k = {k:3}, n = {n:5}: {sum(found.accused)} accusations in {found.runs} runs; "
            f"allowed per user e xi = {float(xi) * np.e:.3f}; "
            f"above it: {found.exceeds(Fraction(1), Fraction(0))}; "
            f"epsilon > {float(found.epsilon):.2f}"
        )


OTHERS = (
    ("sanitize-then-table", Table(np.array([[0, 0], [1, 1]])), Fraction(0), (2, 3)),
    ("sanitize-then-thresholds", Thresholds(size=2, orientation="<"), Fraction(0), (4, 16)),
    ("sanitize-then-points", Points(size=2), Fraction(1, 1000), (4, 16)),
)


def other_learners() -> None:
    print("other private learners, epsilon 1, agnostic, planned records, Tardos with k columns")
    xi, one = Fraction(1, 20), Fraction(1)
    for name, concepts, delta, tasks in OTHERS:
        for k in tasks:
            task = Task(
                concepts,
                privacy=Privacy(1, delta),
                accuracy=Accuracy("0.2", "0.1"),
                setting="agnostic",
                k=k,
            )
            n = ALGORITHMS[name].bound(task).n
            found = trace_learner(
                ALGORITHMS[name].built(task, n),
                k=k,
                n=n,
                xi=xi,
                delta=delta,
                runs=30,
                x=np.zeros(n, dtype=int),
                code="tardos",
                rng=seeded((name, k)),
            )
            most = max(range(n), key=lambda user: found.accused[user])
            low, high = (float(end) for end in found.rate(most))
            print(
                f"  {name}, delta {float(delta)}, k = {k}, n = {n}: {sum(found.accused)} "
                f"accusations in {found.runs} runs; the most accused at a rate in "
                f"[{low:.3f}, {high:.3f}], allowed {float(xi) * np.e + float(delta):.3f}; "
                f"above it: {found.exceeds(one, delta)}",
                flush=True,
            )


def on_a_full_code() -> None:
    print("direct sum, epsilon 1 in all, as many tasks as the certified code is long")
    for n in (3, 4, 5):
        xi = Fraction(1, 20 * n)
        k = tardos.length(coalition=n, innocent=xi, missed=Fraction(1, 20)).columns
        task = Task(
            Thresholds(size=2, orientation="<"),
            privacy=Privacy(1),
            accuracy=Accuracy("0.2", "0.1"),
            setting="agnostic",
            k=k,
        )
        mechanism = DIRECT_SUM.built(task, n)
        found = trace_learner(mechanism, n=n, xi=xi, runs=20, code="tardos", rng=seeded(n))
        print(
            f"  n = {n}, k = {k}: accused {list(found.accused)} in {found.runs} runs; "
            f"above e xi = {float(xi) * np.e:.3f}: {found.exceeds(Fraction(1), Fraction(0))}; "
            f"epsilon > {float(found.epsilon):.2f}"
        )


def main() -> None:
    lengths()
    without_privacy()
    with_privacy()
    other_learners()
    on_a_full_code()


if __name__ == "__main__":
    main()
