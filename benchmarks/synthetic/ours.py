"""Our synthetic tables of the five tables, beside what ``rivals.py`` wrote.

``python -m benchmarks.synthetic.ours FOLDER [TABLE,... EPSILON,... SEEDS]`` prints mean and worst
total variation of all pairs of columns and the certified error, under add-remove (as the others)
and delta 1e-6, or pure; results go to ``FOLDER/ours.json``.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import numpy as np

import tacit
from benchmarks.synthetic.rivals import distances
from benchmarks.synthetic.tables import NAMES, load
from tacit import Ledger, Privacy
from tacit.queries import Marginals

DELTA = "1e-6"


def main(
    folder: str, tables: str = ",".join(NAMES), epsilons: str = "0.1,1,5", seeds: str = "3"
) -> None:
    """Every table, epsilon and kind of privacy; a finished line is written at once."""
    place = Path(folder)
    out = place / "ours.json"
    results = json.loads(out.read_text()) if out.exists() else []
    for table in tables.split(","):
        schema, rows = load(table, place)
        cells = schema.coerce(rows)
        np.savez(place / f"{table}.npz", cells=cells, sizes=np.array(schema.cells))
        queries = Marginals(schema, ways=2)
        for epsilon in epsilons.split(","):
            for delta in (DELTA, "0"):
                runs = []
                for _ in range(int(seeds) if delta != "0" else 1):
                    begun = time.time()
                    made = tacit.sanitize(
                        rows,
                        queries,
                        privacy=Privacy(epsilon, delta, "add-remove"),
                        ledger=Ledger.memory(None, DELTA),
                    )
                    found = distances(cells, made.value.cells, schema.cells)
                    stated = float(made.certificate.error)
                    runs.append((found.mean(), found.max(), stated, time.time() - begun))
                mean, worst, certified, seconds = np.mean(runs, axis=0)
                results.append(
                    {
                        "table": table,
                        "epsilon": float(epsilon),
                        "delta": delta,
                        "runs": len(runs),
                        "mean": float(mean),
                        "worst": float(worst),
                        "certified": float(certified),
                        "held": int(sum(one[2] >= one[1] for one in runs)),
                        "seconds": round(float(seconds), 1),
                    }
                )
                out.write_text(json.dumps(results, indent=1))
                print(results[-1], flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
