"""``tacit demo``: the whole way, on data that comes with scikit-learn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tacit.cli.files import show_release

if TYPE_CHECKING:
    from rich.console import Console


def demo(
    *,
    epsilon: Annotated[str, typer.Option(help="Privacy of the medical rule.")] = "1/2",
) -> None:
    """Plan, learn and certify: a rule for breast cancer, then a threshold on 64 bits."""
    from rich.console import Console
    from rich.rule import Rule

    console = Console()
    console.print(Rule("1. A readable rule from a medical table"))
    _breast_cancer(console, epsilon)
    console.print(Rule("2. A threshold over 2^64 values"))
    _threshold(console)


def _breast_cancer(console: Console, epsilon: str) -> None:
    import numpy as np
    from sklearn.datasets import load_breast_cancer

    from tacit.accounting import Ledger
    from tacit.api import learn
    from tacit.classes import Thresholds
    from tacit.core import Accuracy, Privacy, Task
    from tacit.planner import plan

    table = load_breast_cancer()
    column = list(table.feature_names).index("worst perimeter")
    # Public knowledge: a perimeter in tenths of a millimetre is below 400 mm.
    x = np.floor(table.data[:, column] * 10).astype(np.int64)
    malignant = table.target == 0
    task = Task(
        Thresholds(size=4000),
        privacy=Privacy(epsilon),
        accuracy=Accuracy("0.2", "0.05"),
        setting="agnostic",
    )
    console.print("Before any record is touched, what does it cost?")
    console.print(plan(task))
    ledger = Ledger.memory(epsilon=epsilon, delta=0)
    release = learn(task, (x, malignant), ledger=ledger)
    show_release(release, console=console, title="malignant", column="worst perimeter (0.1 mm)")
    error = float(np.mean(release.value.predict(x) != malignant))
    console.print(
        f"[dim]For the demo only, not private: on these 569 public records it errs on {error:.1%}."
        "[/dim]"
    )
    console.print(ledger)


def _threshold(console: Console) -> None:
    import numpy as np

    from tacit.api import learn
    from tacit.classes import Thresholds
    from tacit.core import Accuracy, Privacy, Task
    from tacit.exact.entropy import SYSTEM
    from tacit.planner import plan
    from tacit.problems.thresholds.threshold_selection import THRESHOLDS

    task = Task(Thresholds(bits=64), privacy=Privacy(1), accuracy=Accuracy("0.05", "0.05"))
    console.print(plan(task))
    n = THRESHOLDS.bound(task).n
    x = np.frombuffer(SYSTEM.bytes(8 * n), dtype=np.uint64)
    release = learn(task, (x, x >= np.uint64(3 << 62)))
    show_release(release, console=console)
