"""Reading and writing what the command line leaves behind: releases only."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.core import BadInput, Hypothesis, Release, hypothesis_from_dict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.accounting import Ledger


def new_file(path: Path) -> Path:
    """A path that can be written, checked before anything is charged."""
    if path.is_dir():
        raise BadInput(f"{path.name} is a folder; name a file")
    if not path.parent.is_dir():
        raise BadInput(f"the folder of {path.name} does not exist")
    if not os.access(path.parent, os.W_OK):
        raise BadInput(f"the folder of {path.name} cannot be written to")
    return path


def release_to_dict(
    release: Release[Any], *, classes: Sequence[object] | None = None
) -> dict[str, Any]:
    """Rule and certificate, and what 0 and 1 mean if told; every word of it is public."""
    certificate = release.certificate
    return {
        "tacit": 1,
        "rule": release.value.to_dict(),
        "certificate": None if certificate is None else certificate.to_dict(),
    } | ({} if classes is None else {"classes": list(classes)})


def write_release(
    release: Release[Any], path: Path, *, classes: Sequence[object] | None = None
) -> None:
    """Write a release as JSON, whole or not at all."""
    write_text(path, json.dumps(release_to_dict(release, classes=classes), indent=2) + "\n")


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all."""
    part = path.with_name(path.name + ".part")
    part.write_text(text, encoding="utf-8")
    part.replace(path)


def open_ledger(path: Path | None, *, budget: str | None, delta: str) -> Ledger | None:
    """The ledger file that a command charges; made, with its limit, if it does not exist."""
    if path is None:
        if budget is not None:
            raise BadInput("--budget limits a ledger file; name one with --ledger")
        return None
    from tacit.accounting import Ledger

    if path.exists():
        return Ledger.open(path, epsilon=budget)
    return Ledger.open(path, epsilon=budget, delta=delta)


def read_rule(path: Path) -> Hypothesis:
    """The rule in a file that ``write_release`` made."""
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except OSError:
        raise BadInput(f"{path.name}: the model file cannot be read") from None
    except ValueError:
        raise BadInput(f"{path.name} is not a model file that `tacit learn` wrote") from None
    if not isinstance(record, dict) or not isinstance(record.get("rule"), dict):
        raise BadInput(f"{path.name} is not a model file that `tacit learn` wrote")
    return hypothesis_from_dict(record["rule"])


def show_release(release: Release[Any], *, title: str = "rule", column: str = "x") -> None:
    """Print the rule and its certificate."""
    from rich.console import Console
    from rich.markdown import Markdown
    from rich.panel import Panel
    from rich.text import Text

    console = Console()
    console.print(
        Panel(Text(release.value.describe(column=column)), title=title, title_align="left")
    )
    if release.certificate is not None:
        console.print(Markdown(release.certificate.to_markdown()))
