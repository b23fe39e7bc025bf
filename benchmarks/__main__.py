"""``make bench``: run every benchmark of this folder, or the ones named."""

from __future__ import annotations

import importlib
import pkgutil
import sys

import benchmarks

_NOT_BENCHMARKS = {"__main__", "harness"}


def main(names: list[str]) -> None:
    found = [module.name for module in pkgutil.iter_modules(benchmarks.__path__)]
    for name in names or sorted(set(found) - _NOT_BENCHMARKS):
        module = importlib.import_module(f"benchmarks.{name}")
        if hasattr(module, "main"):
            module.main()


if __name__ == "__main__":
    main(sys.argv[1:])
