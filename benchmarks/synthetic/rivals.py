"""MST and AIM of SmartNoise, and AIM of its authors, on tables of cells.

Run by the Python of their own environment.

``python rivals.py FOLDER METHOD TABLE EPSILON SEED`` reads ``TABLE.npz`` (cells, and how many each
column has), fits the library's own synthesizer and adds one line to ``FOLDER/rivals.json``; a line
that is there is not made again, and ``python rivals.py FOLDER METHOD TABLE EPSILON SEED failed
SECONDS`` notes a run that was stopped (seconds of the processor). Methods are ``mst`` and ``aim``
of SmartNoise, and ``pgm``, the AIM of its authors, which is no package: its repository
(ryan112358/private-pgm, commit 4d2b3c5 here) is imported from the folder that ``PRIVATE_PGM``
names. The cells are handed over as they are, so that nothing is
spent on finding ranges or categories. With ``MBI_FIT=numpy`` SmartNoise's two are fitted by
``quick_mbi.py`` in place of mbi's own, and the line carries ``"fit": "numpy"``. The seed is that of
selections and rows; SmartNoise takes its noise from the operating system.

Three figures each (mean and worst total variation of all pairs of columns): of the rows as the
library writes them; of rows drawn one by one from its fitted law (``method="sample"``), which are
kept in ``FOLDER/TABLE-METHOD-EPSILON-SEED.npz`` (the rows as written beside them, as method
``METHOD_written``); and of that law itself, without any rows. Seconds are by the clock, ``cpu``
those of the processor.
"""

from __future__ import annotations

import json
import os
import sys
import time
from itertools import combinations
from pathlib import Path

import numpy as np

DELTA = 1e-6


def distances(truth, made, sizes):
    """Total variation of every pair of columns."""
    return _apart(truth, lambda a, b: _shares(made, a, b, sizes), sizes)


def _shares(cells, a, b, sizes):
    places = cells[:, a].astype(np.int64) * sizes[b] + cells[:, b]
    return np.bincount(places, minlength=sizes[a] * sizes[b]) / len(cells)


def _apart(truth, shares, sizes):
    """Total variation of every pair between the records and given shares."""
    return np.array(
        [
            0.5 * np.abs(_shares(truth, a, b, sizes) - shares(a, b)).sum()
            for a, b in combinations(range(len(sizes)), 2)
        ]
    )


def fitted(method, cells, sizes, epsilon, seed):
    """The synthesizer's fitted model, and how its rows and its cells become those of the table."""
    if method == "pgm":
        return authors(cells, sizes, epsilon, seed)
    import pandas as pd
    from mbi import Dataset, Domain
    from snsynth.aim.aim import AIMSynthesizer
    from snsynth.mst.mst import MSTSynthesizer
    from snsynth.utils import cdp_rho

    np.random.seed(seed)
    names = [f"col{place}" for place in range(len(sizes))]
    domain = Domain(names, [int(size) for size in sizes])
    data = Dataset(pd.DataFrame(cells, columns=names), domain=domain)
    if method == "aim":
        synthesizer = AIMSynthesizer(epsilon=epsilon, delta=DELTA)
        synthesizer.rho = cdp_rho(epsilon, DELTA)
        workload = synthesizer.get_workload(
            data, degree=2, max_cells=synthesizer.max_cells, num_marginals=None
        )
        synthesizer.AIM(data, workload)
        spread = [np.eye(size) for size in sizes]
        return synthesizer.synthesizer, names, lambda rows: rows, spread
    synthesizer = MSTSynthesizer(epsilon=epsilon, delta=DELTA)
    supports = {}
    turn = synthesizer.transform_data

    def remembered(data, found):
        supports.update(found)
        return turn(data, found)

    synthesizer.transform_data = remembered
    synthesizer.MST(data, epsilon, DELTA)
    spread = [_spread(supports[name]) for name in names]
    return synthesizer.synthesizer, names, synthesizer.undo_compress_fn, spread


def authors(cells, sizes, epsilon, seed):
    """The model that the authors' AIM fits, with its own settings; its cells are the table's."""
    home = Path(os.environ["PRIVATE_PGM"])
    sys.path[:0] = [str(home / "src"), str(home / "mechanisms")]
    import pandas as pd
    from aim import AIM
    from mbi import Dataset, Domain

    np.random.seed(seed)
    names = [f"col{place}" for place in range(len(sizes))]
    domain = Domain(names, [int(size) for size in sizes])
    data = Dataset(pd.DataFrame(cells, columns=names), domain)
    workload = [(pair, 1.0) for pair in combinations(names, 2)]  # all have at most 10,000 cells
    model, _ = AIM(epsilon, DELTA).run(data, workload)
    return model, names, lambda rows: rows, [np.eye(size) for size in sizes]


def _spread(support):
    """MST merges rare cells; on the way back each of them gets the same share."""
    kept, merged = np.flatnonzero(support), np.flatnonzero(~support)
    matrix = np.zeros((len(kept) + bool(len(merged)), len(support)))
    matrix[np.arange(len(kept)), kept] = 1
    if len(merged):
        matrix[-1, merged] = 1 / len(merged)
    return matrix


def run(place, method, table, epsilon, seed):
    """One run: its line, and the drawn rows on disk."""
    held = np.load(place / f"{table}.npz")
    cells, sizes = held["cells"], held["sizes"]
    begun = time.time()
    model, names, undo, spread = fitted(method, cells, sizes, epsilon, seed)
    fit = round(time.time() - begun, 1)

    def rows(**how):
        drawn = undo(model.synthetic_data(rows=len(cells), **how))
        return drawn.df[names].to_numpy().astype(np.int64)

    def law(a, b):
        joint = np.asarray(model.project((names[a], names[b])).datavector(), dtype=np.float64)
        joint = joint.reshape(len(spread[a]), len(spread[b])) / joint.sum()
        return (spread[a].T @ joint @ spread[b]).reshape(-1)

    written, drawn = rows(), rows(method="sample")
    for name, kept in ((method, drawn), (f"{method}_written", written)):
        np.savez_compressed(place / f"{table}-{name}-{epsilon:g}-{seed}.npz", cells=kept)
    found = {
        "": distances(cells, written, sizes),
        "drawn_": distances(cells, drawn, sizes),
        "law_": _apart(cells, law, sizes),
    }
    line = {}
    for name, apart in found.items():
        line[f"{name}mean"], line[f"{name}worst"] = float(apart.mean()), float(apart.max())
    times = {"fit_seconds": fit, "seconds": round(time.time() - begun, 1)}
    return line | times | {"cpu": round(time.process_time(), 1)}


def main(folder, method, table, epsilon, seed, failed="", seconds="0"):
    """One run that is not there yet, or the note that it was stopped."""
    place = Path(folder)
    out = place / "rivals.json"
    known = json.loads(out.read_text()) if out.exists() else []
    key = {"method": method, "table": table, "epsilon": float(epsilon), "seed": int(seed)}
    if any(key.items() <= one.items() for one in known):
        return
    quick = {"fit": "numpy"} if os.environ.get("MBI_FIT") == "numpy" else {}
    if quick and method == "pgm":
        raise SystemExit("quick_mbi.py stands in for the mbi of SmartNoise only")
    if quick and not failed:
        import quick_mbi

        quick_mbi.install()
    stopped = {"stopped": float(seconds), "why": "seconds of the processor"}
    line = quick | (stopped if failed else run(place, method, table, *_numbers(key)))
    known = json.loads(out.read_text()) if out.exists() else []
    out.write_text(json.dumps([*known, key | line], indent=1))
    print(key | line, flush=True)


def _numbers(key):
    return key["epsilon"], key["seed"]


if __name__ == "__main__":
    main(*sys.argv[1:])
