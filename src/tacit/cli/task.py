"""Tasks from command-line words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tacit.core import Accuracy, BadInput, Privacy, Task


def read_class(
    *,
    concepts: str | None,
    bits: int | None = None,
    size: str | int | None = None,
    orientation: str = ">=",
    matrix: Path | None = None,
) -> Any:
    """The concept class that ``--class`` and its companions name."""
    from tacit.classes import Points, Table, Thresholds

    if concepts is None:
        raise BadInput("name a class: --class points, thresholds or table")
    if concepts == "table":
        if matrix is None:
            raise BadInput("--class table needs --matrix FILE with a 0/1 matrix in CSV")
        return Table(_matrix(matrix))
    whole: Any = size
    if concepts == "points":
        return Points(bits=bits, size=whole)
    if concepts == "thresholds":
        return Thresholds(bits=bits, size=whole, orientation=orientation)
    raise BadInput("--class must be points, thresholds or table")


def _matrix(path: Path) -> Any:
    import numpy as np

    try:
        return np.loadtxt(path, delimiter=",", ndmin=2)
    except (OSError, ValueError):
        raise BadInput(f"{path.name}: not a CSV of 0s and 1s with lines of equal length") from None


def read_task(
    *,
    epsilon: str,
    delta: str,
    relation: str,
    alpha: str,
    beta: str,
    setting: str,
    output: str,
    k: int = 1,
    **concepts: Any,
) -> Task:
    """A task from the words of the command line."""
    return Task(
        read_class(**concepts),
        privacy=Privacy(epsilon, delta, relation),
        accuracy=Accuracy(alpha, beta),
        setting=setting,
        output=output,
        k=k,
    )
