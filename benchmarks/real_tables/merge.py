"""One file of all results: ``python merge.py RESULTS.json OURS.json RIVALS.json [...]``.

RESULTS.json may be among the sources, to replace a part of it. A method has a line; scores have
four places.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from protocol import merged


def rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, list):
        return [rounded(one) for one in value]
    if isinstance(value, dict):
        # A setting is given as it was run.
        return {k: v if k == "which" else rounded(v) for k, v in value.items()}
    return value


def main(target: str, sources: list[str]) -> None:
    parts = []
    for name, methods in merged(sources).items():
        lines = (f"{json.dumps(k)}: {json.dumps(rounded(v))}" for k, v in methods.items())
        parts.append(f"{json.dumps(name)}: {{\n" + ",\n".join(lines) + "\n}")
    Path(target).write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
