"""Audit mechanisms of other packages: what is found, with versions.

Run it in an environment that has them: ``python -m benchmarks.audit_others --seconds 20``.
Nothing is assumed about how they draw; each is a function of one number or of a list.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
from collections.abc import Callable, Iterator
from typing import Any

from tacit.checks.audit import estimate

Case = tuple[str, Callable[[Any], Any], list[tuple[Any, Any]], float, float]


def diffprivlib_cases() -> Iterator[Case]:
    from diffprivlib import mechanisms as m

    numbers = [(0.0, 1.0)]
    for name in (
        "Laplace",
        "LaplaceTruncated",
        "LaplaceFolded",
        "LaplaceBoundedDomain",
        "Snapping",
    ):
        bounds: dict[str, float] = {} if name == "Laplace" else {"lower": 0.0, "upper": 1.0}
        if name in ("LaplaceBoundedDomain", "LaplaceTruncated", "LaplaceFolded", "Snapping"):
            bounds = {"lower": -4.0, "upper": 4.0}
        try:
            noise = getattr(m, name)(epsilon=1.0, sensitivity=1.0, **bounds)
        except (AttributeError, TypeError) as reason:
            print(f"{name}: not built ({reason})")
            continue
        yield f"diffprivlib {name}", noise.randomise, numbers, 1.0, 0.0
    geometric = m.Geometric(epsilon=1.0, sensitivity=1)
    yield "diffprivlib Geometric", geometric.randomise, [(0, 1)], 1.0, 0.0
    gauss = m.GaussianAnalytic(epsilon=1.0, delta=0.01, sensitivity=1.0)
    yield "diffprivlib GaussianAnalytic", gauss.randomise, numbers, 1.0, 0.01
    for name in ("Exponential", "PermuteAndFlip"):

        def chosen(utility: list[float], name: str = name) -> Any:
            return getattr(m, name)(epsilon=1.0, sensitivity=1.0, utility=utility).randomise()

        yield f"diffprivlib {name}", chosen, [([4.0, 0.0], [3.0, 1.0])], 1.0, 0.0


def diffprivlib_models() -> Iterator[Case]:
    import warnings

    import numpy as np
    from diffprivlib.models import GaussianNB
    from diffprivlib.tools import count_nonzero, mean

    warnings.simplefilter("ignore")

    def average(data: list[float]) -> float:
        return float(mean(np.array(data), epsilon=1.0, bounds=(0, 1)))

    yield "diffprivlib tools.mean", average, [([0.0] * 8, [1.0, *[0.0] * 7])], 1.0, 0.0

    def nonzero(data: list[float]) -> float:
        return float(count_nonzero(np.array(data), epsilon=1.0))

    yield "diffprivlib tools.count_nonzero", nonzero, [([0.0] * 8, [1.0, *[0.0] * 7])], 1.0, 0.0

    def labels(data: list[tuple[float, int]]) -> Any:
        x = np.array([[value] for value, _ in data])
        y = np.array([label for _, label in data])
        model = GaussianNB(epsilon=1.0, bounds=(0, 1)).fit(x, y)
        return tuple(int(label) for label in model.classes_)

    usual = [(0.5, 0)] * 8
    yield "diffprivlib GaussianNB.classes_", labels, [(usual, [*usual[:-1], (0.5, 1)])], 1.0, 0.0


def opendp_cases() -> Iterator[Case]:
    import opendp.prelude as dp

    dp.enable_features("contrib", "floating-point")
    real = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    whole = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    laplace = dp.m.make_laplace(*real, scale=1.0)
    yield "opendp make_laplace (float)", laplace, [(0.0, 1.0)], 1.0, 0.0
    discrete = dp.m.make_laplace(*whole, scale=1.0)
    yield "opendp make_laplace (int)", discrete, [(0, 1)], 1.0, 0.0
    gauss = dp.m.make_gaussian(*real, scale=1.0)
    curve = dp.c.make_zCDP_to_approxDP(gauss).map(1.0)
    delta = 0.01
    yield "opendp make_gaussian (float)", gauss, [(0.0, 1.0)], float(curve.epsilon(delta)), delta
    scores = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.linf_distance(T=float)
    for measure, label in ((dp.max_divergence(), "exponential"),):
        best = dp.m.make_noisy_max(*scores, measure, scale=2.0)
        pairs = [([4.0, 0.0], [3.0, 1.0])]
        yield f"opendp make_noisy_max ({label})", best, pairs, float(best.map(1.0)), 0.0
    randomised = dp.m.make_randomized_response_bool(prob=0.75)
    yield (
        "opendp randomized_response_bool",
        randomised,
        [(True, False)],
        float(randomised.map(1)),
        0.0,
    )


def version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    seconds = parser.parse_args().seconds
    versions = {p: version(p) for p in ("diffprivlib", "opendp", "scikit-learn", "numpy")}
    print(json.dumps(versions))
    sources = {
        "diffprivlib": (diffprivlib_cases, diffprivlib_models),
        "opendp": (opendp_cases,),
    }
    for package, groups in sources.items():
        if versions[package] is None:
            print(f"{package} is not installed")
            continue
        for group in groups:
            try:
                for name, mechanism, pairs, epsilon, delta in group():
                    found = estimate(
                        mechanism, pairs, epsilon=epsilon, delta=delta, seconds=seconds, name=name
                    )
                    print(
                        f"{name:<36} claimed {epsilon:.4f} (delta {delta:g})  "
                        f"at least {float(found.epsilon):.3f}  "
                        f"{'EXCEEDS THE CLAIM' if found.violated else ''} "
                        f"[{found.event}; {found.runs} runs]",
                        flush=True,
                    )
            except Exception as reason:
                print(f"{package}: {group.__name__} stopped: {type(reason).__name__}: {reason}")


if __name__ == "__main__":
    main()
