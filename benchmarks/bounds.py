"""How fast a plan is made, and how far the best algorithm is from the least possible."""

from __future__ import annotations

import json
from fractions import Fraction

from benchmarks.harness import RESULTS, Row, best_of, report
from tacit.classes import Points, Thresholds
from tacit.core import Accuracy, Privacy, Task
from tacit.planner import plan
from tacit.problems.finite import sanitizers_lower as sanitizers
from tacit.problems.finite import sanitizers_upper as upper_sanitizers
from tacit.problems.parities import joint_parities_upper as joint_parities
from tacit.problems.parities import parities_lower as parities
from tacit.problems.points import hashed_upper as hashing
from tacit.problems.points import point_tables_upper as point_tables
from tacit.problems.points import points_lower as points
from tacit.problems.points import points_upper as upper_points
from tacit.problems.thresholds import thresholds_lower as thresholds
from tacit.problems.thresholds import thresholds_upper as upper_thresholds

LIMIT = 0.050
ASKED = {"alpha": Fraction(1, 10), "beta": Fraction(1, 10), "epsilon": Fraction(1)}


def speed() -> None:
    """Warm: asked again. New: other numbers, with the registries loaded and nothing remembered."""
    rows = []
    for concepts in (Points(bits=64), Thresholds(bits=32), Thresholds(bits=1000)):
        fresh = iter(range(1, 1000))

        def new(concepts: object = concepts, fresh: object = fresh) -> object:
            epsilon = Fraction(1000 + next(fresh), 1000)  # type: ignore[call-overload]
            return plan(_task(concepts, epsilon))

        def again(concepts: object = concepts) -> object:
            return plan(_task(concepts, Fraction(1)))

        name = concepts.describe()
        rows += [
            Row(f"plan, warm: {name}", "50 ms", best_of(again), LIMIT, 1.0),
            Row(f"plan, new numbers: {name}", "50 ms", best_of(new), LIMIT),
        ]
    report("Planner", rows)


def _task(concepts: object, epsilon: Fraction) -> Task:
    accuracy = Accuracy("0.1", "0.05")
    return Task(concepts, privacy=Privacy(epsilon), accuracy=accuracy)  # type: ignore[arg-type]


def ratios() -> None:
    """Certified records over certified lower bounds at 64 bits, alpha = beta = 0.1, epsilon 1."""
    size, both = 2**64, {"domain_size": 2**64, **ASKED}
    chosen = {"selector": "permute-and-flip"}
    found = {
        "proper points": (
            upper_points.exact_tail(size=size, **ASKED, **chosen).n,
            points.rare_point(size=size, **ASKED).n,
            2.0,
        ),
        "proper thresholds": (
            upper_thresholds.exact_tail(size=size + 1, **ASKED, **chosen).n,
            thresholds.rare_pair(**both).n,
            4.1,
        ),
        "point sanitizer, answers": (
            upper_sanitizers.pure_histogram(**both).n,
            sanitizers.planted_value(**both).n,
            4.7,
        ),
        "point sanitizer, table": (
            point_tables.pure(**both).n,
            sanitizers.planted_value(**both).n,
            4.7,
        ),
    }
    for k in (1, 100):
        upper = joint_parities.exact_recovery(
            bits=64, k=k, beta=ASKED["beta"], epsilon=ASKED["epsilon"], **chosen
        )
        lower = parities.relabelled(bits=64, k=k, **ASKED)
        found[f"{k} parities, uniform"] = (upper.n, lower.n, 2.2)
    for output, target in (("any", None), ("improper", None)):
        p = plan(
            Task(
                Thresholds(bits=64),
                privacy=Privacy(1),
                accuracy=Accuracy("0.1", "0.1"),
                output=output,
            )
        )
        if p.best is not None:
            found[f"thresholds, {output} answer"] = (p.best.n, p.lower_bounds[0].n, target)
    p = plan(Task(Points(bits=64), privacy=Privacy(1), accuracy=Accuracy("0.1", "0.1")))
    found["points, any answer"] = (hashing.realizable(**ASKED).n, p.lower_bounds[0].n, None)
    print("\nRecords that suffice over records that are needed")
    for name, (upper_n, lower_n, target) in found.items():
        verdict = "" if target is None else f"  target {target}"
        print(f"{name:<28} {upper_n:>7} / {lower_n:<7} = {upper_n / lower_n:6.3f}{verdict}")
    RESULTS.mkdir(exist_ok=True)
    record = {name: {"suffice": u, "needed": n, "target": t} for name, (u, n, t) in found.items()}
    (RESULTS / "bounds.json").write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


def main() -> None:
    speed()
    ratios()


if __name__ == "__main__":
    main()
