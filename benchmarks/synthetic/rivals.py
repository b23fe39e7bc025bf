"""SmartNoise's MST and AIM on tables of cells; run by the Python of their own environment.

``python rivals.py FOLDER OUT.json METHOD TABLE,... EPSILON,... SEED,...`` reads ``TABLE.npz``
(cells, and how many each column has), fits the library's own synthesizer and writes mean and worst
total variation of all pairs of columns, and the synthetic cells beside it. The cells are handed
over as they are, so that nothing is spent on finding ranges or categories.
"""

from __future__ import annotations

import json
import sys
import time
from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd

DELTA = 1e-6


def distances(truth, made, sizes):
    """Total variation of every pair of columns."""
    found = []
    for a, b in combinations(range(len(sizes)), 2):
        tables = [
            np.bincount(
                cells[:, a].astype(np.int64) * sizes[b] + cells[:, b], minlength=sizes[a] * sizes[b]
            )
            / len(cells)
            for cells in (truth, made)
        ]
        found.append(0.5 * np.abs(tables[0] - tables[1]).sum())
    return np.array(found)


def made_by(method, cells, sizes, epsilon, seed):
    """Synthetic cells by the named synthesizer."""
    from mbi import Dataset, Domain
    from snsynth.aim.aim import AIMSynthesizer
    from snsynth.mst.mst import MSTSynthesizer
    from snsynth.utils import cdp_rho

    np.random.seed(seed)
    names = [f"col{place}" for place in range(len(sizes))]
    domain = Domain(names, [int(size) for size in sizes])
    if method == "aim":
        frame = pd.DataFrame(cells, columns=names)
        data = Dataset(frame, domain=domain)
        synthesizer = AIMSynthesizer(epsilon=epsilon, delta=DELTA)
        synthesizer.rho = cdp_rho(epsilon, DELTA)
        workload = synthesizer.get_workload(
            data, degree=2, max_cells=synthesizer.max_cells, num_marginals=None
        )
        synthesizer.AIM(data, workload)
        drawn = synthesizer.synthesizer.synthetic_data(rows=len(cells))
    else:
        data = Dataset(pd.DataFrame(cells, columns=names), domain=domain)
        synthesizer = MSTSynthesizer(epsilon=epsilon, delta=DELTA)
        synthesizer.MST(data, epsilon, DELTA)
        drawn = synthesizer.undo_compress_fn(
            synthesizer.synthesizer.synthetic_data(rows=len(cells))
        )
    return drawn.df[names].to_numpy().astype(np.int64)


def main(folder, out, method, tables, epsilons, seeds):
    """Every run that is asked for; a finished line is written at once."""
    results = json.loads(Path(out).read_text()) if Path(out).exists() else []
    known = {(one["method"], one["table"], one["epsilon"], one["seed"]) for one in results}
    for table in tables.split(","):
        held = np.load(Path(folder) / f"{table}.npz")
        cells, sizes = held["cells"], held["sizes"]
        for epsilon in map(float, epsilons.split(",")):
            for seed in map(int, seeds.split(",")):
                if (method, table, epsilon, seed) in known:
                    continue
                begun = time.time()
                made = made_by(method, cells, sizes, epsilon, seed)
                found = distances(cells, made, sizes)
                results.append(
                    {
                        "method": method,
                        "table": table,
                        "epsilon": epsilon,
                        "seed": seed,
                        "mean": float(found.mean()),
                        "worst": float(found.max()),
                        "seconds": round(time.time() - begun, 1),
                    }
                )
                np.savez_compressed(
                    Path(folder) / f"{table}-{method}-{epsilon:g}-{seed}.npz", cells=made
                )
                Path(out).write_text(json.dumps(results, indent=1))
                print(results[-1], flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
