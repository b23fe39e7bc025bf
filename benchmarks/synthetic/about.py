"""Synthetic tables about a label beside tables about all pairs, on tables left out elsewhere.

``PYTHONPATH=benchmarks/real_tables python -m benchmarks.synthetic.about FILE [TABLE,...
EPSILON,... RUNS]`` adds a line a run to ``FILE``: accuracy and balanced accuracy on the records of
boosted trees that were trained on the rows, and the mean total variation of all pairs of columns
and of those with the label, under add-remove with a delta. Tables are those of
``benchmarks/real_tables/famous.py`` that have no part in the comparison with others; lines that are
there are not made again.
"""

from __future__ import annotations

import json
import sys
from itertools import combinations
from pathlib import Path

import famous
import numpy as np

import tacit
from benchmarks.synthetic.classifiers import right
from benchmarks.synthetic.rivals import distances
from tacit import Ledger, Privacy
from tacit.domains import Schema
from tacit.queries import Marginals

LEFT_OUT = "mushroom,hmda,telco,german,smoke_ban,credit,titanic"
DELTA = "1e-6"


def main(file: str, tables: str = LEFT_OUT, epsilons: str = "0.1,0.3,1", runs: str = "6") -> None:
    """Every table, epsilon and run, with and without the label named."""
    out = Path(file)
    for table in tables.split(","):
        rows, labels, declared = famous.load(table)
        rows["label"] = labels.astype(bool)
        schema = Schema.of(declared | {"label": bool})
        cells = schema.coerce(rows).astype(np.int64)
        place = schema.names.index("label")
        pairs = combinations(range(schema.width), 2)
        of_label = np.array([place in pair for pair in pairs])
        for run in range(int(runs)):
            for epsilon in epsilons.split(","):
                for about in (None, "label"):
                    key = {"table": table, "epsilon": epsilon, "about": about, "run": run}
                    known = out.read_text().splitlines() if out.exists() else []
                    if any(key.items() <= json.loads(one).items() for one in known):
                        continue
                    made = tacit.sanitize(
                        rows,
                        Marginals(schema, ways=2, about=about),
                        privacy=Privacy(epsilon, DELTA, "add-remove"),
                        ledger=Ledger.memory(None, DELTA),
                    )
                    synthetic = made.value.cells.astype(np.int64)
                    accuracy, balanced = right(synthetic, cells, place)
                    found = distances(cells, synthetic, schema.cells)
                    line = {
                        "accuracy": accuracy,
                        "balanced": balanced,
                        "mean": float(found.mean()),
                        "with_label": float(found[of_label].mean()),
                    }
                    with out.open("a") as lines:
                        lines.write(json.dumps(key | line) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
