"""``make audit``: audit everything, then show that a wrong claim is caught.

The exit code is 1 if a claim is broken, or a mechanism that is deliberately run at 1.25
times its epsilon is not caught.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tacit.checks.audit.registered import Line, everything, not_driven, power

_HEADINGS = ("what", "claimed", "delta", "exact", "sampled >=", "", "note")


def _print(console: Console, title: str, lines: Iterable[Line]) -> list[Line]:
    sheet = Table(title=title)
    for heading in _HEADINGS:
        sheet.add_column(heading, overflow="fold")
    kept = []
    for line in lines:
        kept.append(line)
        console.print(f"  {' '.join(cell for cell in line.cells() if cell)}", style="dim")
        sheet.add_row(*line.cells())
    console.print(sheet)
    return kept


def _markdown(lines: list[Line]) -> str:
    rows = [_HEADINGS, ("---",) * len(_HEADINGS), *(line.cells() for line in lines)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def main(arguments: list[str]) -> int:
    """Run the audit: about ``--seconds`` for everything, then a minute or two for the power."""
    parser = argparse.ArgumentParser(prog="tacit.checks.audit", description=__doc__)
    parser.add_argument("--seconds", type=float, default=340.0)
    parser.add_argument("--markdown", type=Path, help="also write both tables to this file")
    given = parser.parse_args(arguments)
    console, begun = Console(width=140), time.monotonic()
    ours = _print(console, "Everything registered, epsilon 1", everything(seconds=given.seconds))
    over = _print(console, "Run at 1.25, claiming 1", power())
    broken = [line.name for line in ours if line.violated]
    missed = [line.name for line in over if not line.violated]
    alone = sum(line.estimate is not None and line.estimate.violated for line in over)
    exactly = sum(line.exact is not None for line in ours)
    sampled = sum(line.estimate is not None for line in ours)
    console.print(
        f"{len(ours)} audited ({exactly} exactly, {sampled} by sampling): "
        f"{len(broken)} violations. "
        f"{len(over) - len(missed)} of {len(over)} overdriven mechanisms caught, "
        f"{alone} by sampling alone. "
        f"{time.monotonic() - begun:.0f} s."
    )
    console.print(f"Run only inside others, or not at all: {', '.join(not_driven()) or 'none'}.")
    if given.markdown is not None:
        given.markdown.write_text(_markdown(ours) + "\n" + _markdown(over), encoding="utf-8")
    for name in broken:
        console.print(f"claim broken: {name}")
    for name in missed:
        console.print(f"not caught: {name}")
    return 1 if broken or missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
