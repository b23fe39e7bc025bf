"""Non-private classifiers trained on synthetic tables, and how right they are about the records.

``python -m benchmarks.synthetic.classifiers FOLDER [TABLE,...]`` reads the rows that ``ours.py``
and ``rivals.py`` kept, trains boosted trees on each table and prints accuracy and balanced accuracy
on the real records, as means over runs. The tables are private, so none of them can hold much of a
single record: no part is kept aside. Beside them, classifiers trained on four fifths of the real
records and asked about the last fifth, five times.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path

import numpy as np
import numpy.typing as npt
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import accuracy_score, balanced_accuracy_score
from sklearn.model_selection import KFold

from benchmarks.synthetic.tables import load

LABELS = {
    "adult": "class",
    "compas": "two_year_recid",
    "breast_cancer": "target",
    "randhie": "hlthg",
    "visits": "again",
}
Cells = npt.NDArray[np.int64]


def right(train: Cells, test: Cells, label: int) -> tuple[float, float]:
    """Accuracy and balanced accuracy on ``test`` of boosted trees that were trained on cells."""
    others = [column for column in range(train.shape[1]) if column != label]
    model = HistGradientBoostingClassifier(max_iter=60, random_state=0)
    last = max(train[:, label].max(), test[:, label].max())  # the positive value is the last cell
    truth, known = test[:, label] == last, train[:, label] == last
    if known.all() or not known.any():
        guess = np.full(len(test), known[0])
    else:
        guess = model.fit(train[:, others], known).predict(test[:, others])
    return accuracy_score(truth, guess), balanced_accuracy_score(truth, guess)


def main(folder: str, tables: str = ",".join(LABELS)) -> None:
    """Every table, method and epsilon of which rows were kept."""
    place = Path(folder)
    for table in tables.split(","):
        schema, rows = load(table, place)
        real = schema.coerce(rows).astype(np.int64)
        column = schema.names.index(LABELS[table])
        splits = KFold(5, shuffle=True, random_state=0).split(real)
        _show(table, "real", "", [right(real[a], real[b], column) for a, b in splits])
        found = defaultdict(list)
        for path in sorted(place.glob(f"{table}-*-*-*.npz")):
            _, method, epsilon, _ = path.stem.rsplit("-", 3)
            made = np.load(path)["cells"].astype(np.int64)
            found[epsilon, method].append(right(made, real, column))
        for (epsilon, method), scores in sorted(found.items()):
            _show(table, method, epsilon, scores)


def _show(table: str, method: str, epsilon: str, scores: list[tuple[float, float]]) -> None:
    accuracy, balanced = np.mean(scores, axis=0)
    print(
        f"{table} {method} {epsilon} ({len(scores)}): {accuracy:.3f}, balanced {balanced:.3f}",
        flush=True,
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
