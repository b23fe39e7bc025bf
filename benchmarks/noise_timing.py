"""Whether the time of one noisy count tells its noise: ``python -m benchmarks.noise_timing``."""

from __future__ import annotations

import time
from fractions import Fraction

import numpy as np

from tacit.exact.entropy import SystemRng
from tacit.exact.geometric import two_sided_geometric


def main(draws: int = 20_000) -> None:
    """Print the correlation of |noise| and time, and the median time by size of the noise."""
    rng = SystemRng()
    for scale in (Fraction(1), Fraction(10), Fraction(100)):
        noise, taken = np.empty(draws), np.empty(draws)
        for i in range(draws):
            start = time.perf_counter_ns()
            drawn = two_sided_geometric(rng, scale)
            taken[i] = time.perf_counter_ns() - start
            noise[i] = abs(drawn)
        quiet = taken < np.quantile(taken, 0.99)  # other programs' work is not ours
        correlation = np.corrcoef(noise[quiet], taken[quiet])[0, 1]
        bands = [taken[quiet & (noise // float(scale) == band)] for band in range(5)]
        medians = ", ".join(f"{np.median(band) / 1000:.1f}" for band in bands if len(band))
        print(f"scale {scale}: correlation {correlation:.2f}; microseconds by band: {medians}")


if __name__ == "__main__":
    main()
