"""Six mechanisms run at 1.25 that claim 1: what sampling alone certifies, and what it costs.

``python -m benchmarks.audit_power f g h``: the words are seeds.
"""

from __future__ import annotations

import sys
import time
from fractions import Fraction

from tacit.checks.audit import estimate
from tacit.checks.audit.enumeration import claim_of
from tacit.checks.audit.instances import sampled_pairs
from tacit.checks.testing import seeded
from tacit.core import MECHANISMS

OVER = Fraction(5, 4)


def main(seeds: list[str]) -> None:
    tight = [target for target in MECHANISMS if target.tight]
    for seed in seeds or ["f"]:
        begun, caught = time.process_time(), 0
        for target in tight:
            found = estimate(
                target.large(OVER),
                sampled_pairs(target),
                epsilon=1,
                delta=claim_of(target.large(OVER).event())[1],
                runs=target.tight,
                level=Fraction(1, 1000 * len(tight)),
                name=target.name,
                rng=seeded(seed),
            )
            caught += found.violated
            print(
                f"  {target.name:<31} epsilon > {float(found.epsilon):.3f}, {found.runs} runs, "
                f"{found.step}",
                flush=True,
            )
        took = time.process_time() - begun
        print(f"seed {seed}: {caught} of {len(tight)} caught in {took:.0f} s of one core")


if __name__ == "__main__":
    main(sys.argv[1:])
