"""Our synthetic tables of the five tables, beside what ``rivals.py`` wrote.

``python -m benchmarks.synthetic.ours FOLDER [TABLE,... EPSILON,... RUNS DELTA,... METHOD]`` adds a
line a run to ``FOLDER/ours.json``: mean and worst total variation of all pairs of columns, and the
certified error, under add-remove (as the others). Runs that are there are not made again. The
rows of each run are kept as ``FOLDER/TABLE-METHOD-EPSILON-RUN.npz`` (with a delta); ``METHOD`` is
``ours``, or ``about`` for tables about the label of ``classifiers.py``.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np

import tacit
from benchmarks.synthetic.classifiers import LABELS
from benchmarks.synthetic.rivals import distances
from benchmarks.synthetic.tables import NAMES, load
from tacit import Ledger, Privacy
from tacit.queries import Marginals

DELTA = "1e-6"


def main(
    folder: str,
    tables: str = ",".join(NAMES),
    epsilons: str = "0.1,1,5",
    runs: str = "5",
    deltas: str = f"{DELTA},0",
    method: str = "ours",
) -> None:
    """Every table, epsilon, kind of privacy and run; a finished line is written at once."""
    place = Path(folder)
    out = place / "ours.json"
    for table in tables.split(","):
        schema, rows = load(table, place)
        cells = schema.coerce(rows)
        np.savez(place / f"{table}.npz", cells=cells, sizes=np.array(schema.cells))
        queries = Marginals(schema, ways=2, about=LABELS[table] if method == "about" else None)
        asked = [
            (e, d, r) for e in epsilons.split(",") for d in deltas.split(",") for r in _up(runs)
        ]
        for epsilon, delta, run in asked:
            key = {"table": table, "epsilon": float(epsilon), "delta": delta, "run": run}
            if method == "about":
                key["about"] = LABELS[table]
            known = json.loads(out.read_text()) if out.exists() else []
            if any(_same(key, one) for one in known):
                continue
            begun = time.time()
            made = tacit.sanitize(
                rows,
                queries,
                privacy=Privacy(epsilon, delta, "add-remove"),
                ledger=Ledger.memory(None, DELTA),
            )
            took = round(time.time() - begun, 1)
            found = distances(cells, made.value.cells, schema.cells)
            line = {
                "mean": float(found.mean()),
                "worst": float(found.max()),
                "certified": float(made.certificate.error),
                "seconds": took,
            }
            if delta != "0":
                kept = place / f"{table}-{method}-{float(epsilon):g}-{run}.npz"
                np.savez_compressed(kept, cells=made.value.cells)
            out.write_text(json.dumps([*known, key | line], indent=1))
            print(key | line, flush=True)


def _same(key: dict[str, object], line: dict[str, object]) -> bool:
    return key.items() <= line.items() and key.get("about") == line.get("about")


def _up(runs: str) -> range:
    return range(int(runs))


if __name__ == "__main__":
    main(*sys.argv[1:])
