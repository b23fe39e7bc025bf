"""Reading and writing what the command line leaves behind: releases only."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from tacit.core import BadInput, Hypothesis, NamedRule, ReadsColumns, Release, hypothesis_from_dict
from tacit.core.named import label_from_dict, names_from
from tacit.core.printable import lines
from tacit.core.records import LARGEST, parse

if TYPE_CHECKING:
    from rich.console import Console


def read_rule(path: Path) -> Hypothesis:
    """The rule in a file that ``write_release`` made."""
    try:
        with path.open("rb") as stream:
            record = parse(stream.read(LARGEST + 1), name=path.name)
    except OSError:
        raise BadInput(f"{path.name}: the model file cannot be read") from None
    if not isinstance(record.get("rule"), dict):
        raise BadInput(f"{path.name} is not a model file that `tacit learn` wrote")
    if {"format", "digests"} & set(record):
        from tacit.report.release_file import check_whole

        check_whole(record, name=path.name)
    rule = hypothesis_from_dict(record["rule"])
    column = record.get("column")
    if "label" in record:
        label = label_from_dict(record["label"])
        only, rows = None if column is None else str(column), names_from(record.get("columns"))
        return NamedRule(rule=rule, label=label, column=only, rows=rows)
    if isinstance(rule, ReadsColumns):
        # Columns had no cell for missing and undeclared values then: all others stood one lower.
        raise BadInput(
            f"{path.name} was written by an early version of Tacit, which numbered the cells of "
            "columns differently: apply it with that version, or learn it again"
        )
    return rule


def show_release(
    release: Release[Any], *, console: Console, title: str = "rule", column: str = "x"
) -> None:
    """Print the rule and its certificate."""
    stated = release.certificate
    page = None if stated is None else stated.to_markdown()
    rule = lines(release.value.describe(column=column))
    show_words(rule, page, console=console, title=title)


def show_words(rule: str, page: str | None, *, console: Console, title: str) -> None:
    """Print a rule in printable lines in a box, then a page in Markdown."""
    from rich.markdown import Markdown
    from rich.panel import Panel
    from rich.text import Text

    console.print(Panel(Text(rule), title=title, title_align="left"))
    if page is not None:
        console.print(Markdown(page))
