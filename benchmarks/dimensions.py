"""Searches for dimensions, beside the seconds they may take."""

from __future__ import annotations

import numpy as np

from benchmarks.harness import Row, best_of, report
from tacit.theory.dimensions import littlestone, named, representation, vc, verify


def main() -> None:
    rng = np.random.default_rng(0)
    thresholds, boxes = named.thresholds(4095), named.boxes(12)
    wide, tall = rng.integers(0, 2, (512, 256)), rng.integers(0, 2, (256, 64))
    points = named.points(8)
    tree = littlestone(thresholds).witness
    refused = representation(points, alpha="1/3").witnesses[1]
    assert tree is not None
    work = {
        "Littlestone, 4096 thresholds": (lambda: littlestone(thresholds), 5),
        "Littlestone, all 6085 boxes on a 12 x 12 grid": (lambda: littlestone(boxes), 10),
        "Littlestone, random 512 x 256": (lambda: littlestone(wide), 5),
        "VC, random 256 x 64": (lambda: vc(tall), 30),
        "VC, boxes on a 12 x 12 grid": (lambda: vc(boxes), None),
        "DRDim(1/3), 8 points": (lambda: representation(points, alpha="1/3"), None),
        "check a mistake tree of depth 12": (lambda: verify(tree, thresholds), None),
        "check that 5 hypotheses do not represent 8 points": (
            lambda: verify(refused, points),
            None,
        ),
    }
    report(
        "Dimensions of finite classes, against one second",
        [
            Row(
                work=name,
                floor="one second",
                seconds=best_of(run, times=2),
                floor_seconds=1.0,
                target=target,
            )
            for name, (run, target) in work.items()
        ],
    )


if __name__ == "__main__":
    main()
