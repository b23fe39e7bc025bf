"""``tacit budget``: make a ledger, show it, check it, and get back what it paid for."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tacit.accounting import Ledger
from tacit.cli.common_options import Delta, Force, RelationWord
from tacit.cli.outputs import Outputs, one_output
from tacit.cli.spend import ledger_file
from tacit.core import BadInput, Event
from tacit.core.event import pure_epsilon
from tacit.core.numbers import show as show_number
from tacit.core.numbers import show_rounded_up
from tacit.core.printable import one_line
from tacit.core.task_fields import RECORD

if TYPE_CHECKING:
    from rich.console import Console

    from tacit.accounting import Entry
    from tacit.problems.finite.synthetic import SyntheticTable
    from tacit.problems.marginals.table import SyntheticRows

budget = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)

_LEDGER = Annotated[
    str, typer.Argument(help="The ledger: a file or a postgresql:// address.", show_default=False)
]
_JSON = Annotated[bool, typer.Option("--json", help="Print JSON with exact numbers.")]


@budget.callback()
def _about() -> None:
    """Make a ledger, show what it holds, check it, and get back what it paid for."""


@budget.command()
def create(
    path: Annotated[
        str,
        typer.Argument(
            help="The new ledger: a file, or postgresql://host/database#name.", show_default=False
        ),
    ],
    *,
    epsilon: Annotated[str, typer.Option(help="All releases together cost at most this.")],
    data_set: Annotated[str, typer.Option(help="What the records are called.")],
    delta: Delta = "0",
    relation: RelationWord = "replace-one",
    unit: Annotated[
        str, typer.Option(help="Who is protected: record, or the column that tells persons.")
    ] = "record",
    group: Annotated[
        str | None, typer.Option(help="Share it with this group; in PostgreSQL, a role.")
    ] = None,
    as_json: _JSON = False,
) -> None:
    """Make a ledger with a limit for one data set. Copy the file and you copy the budget: do not.

    The counter NAME.counter beside it belongs to it; back up both.
    """
    if not data_set.strip():
        raise BadInput("--data-set needs words, such as 'admissions 2025'")
    made = Ledger.create(
        path, epsilon, delta, relation=relation, data_set=data_set, unit=unit, group=group
    )
    if as_json:
        typer.echo(json.dumps(record(made, at=made.delta), indent=2))
        return
    limit = f"{limit_words(made)}{_for_each(made)}"
    typer.echo(f"created: {made.path}, {limit}, for the data set {data_set!r}")


@budget.command("show")
def show_ledger(
    path: _LEDGER,
    *,
    delta: Annotated[
        str | None, typer.Option(help="State the total at this delta, not the ledger's own.")
    ] = None,
    as_json: _JSON = False,
) -> None:
    """Show what was charged to a ledger, what it adds up to, and what is left."""
    ledger = open_book(path)
    at = ledger.delta if delta is None else delta
    if as_json:
        typer.echo(json.dumps(record(ledger, at=at), indent=2))
    else:
        from rich.console import Console

        _print(Console(), ledger, at=at)


@budget.command()
def export(
    path: _LEDGER,
    *,
    output: Annotated[Path, typer.Option("--output", "-o", help="A .csv or .json file.")],
    force: Force = False,
    as_json: _JSON = False,
) -> None:
    """Write every entry of a ledger to a file, for an officer's own records."""
    ledger = open_book(path)
    if output.suffix not in (".csv", ".json"):
        raise BadInput("a ledger is exported as .csv or .json")
    if output.suffix == ".json":
        text = json.dumps(record(ledger, at=ledger.delta), indent=2) + "\n"
    else:
        text = _table(ledger)
    with one_output(output, inputs={"ledger": _file(path)}, force=force) as files:
        files["output"].write(text)
    _say_written(output, as_json=as_json)


@budget.command()
def verify(
    path: _LEDGER,
    *,
    new_counter: Annotated[
        bool,
        typer.Option(
            "--new-counter",
            help="Make the counter anew. You say that this is the newest and only copy in use.",
        ),
    ] = False,
    as_json: _JSON = False,
) -> None:
    """Check that no entry was changed, that none is missing, and that the limit was kept."""
    ledger = open_book(path)
    if new_counter:
        ledger.renew_counter()
    history = ledger.history  # checks chain, counter and file
    spent = ledger.spent
    kept = ledger.epsilon is None or (spent.epsilon is not None and spent.epsilon <= ledger.epsilon)
    charges = [entry for entry in history if entry.event is not None]
    if as_json:
        facts = {"ledger": ledger.identity, "entries": len(history), "charges": len(charges)}
        facts |= {"sound": True, "within_limit": kept, "last": _last(history)}
        typer.echo(json.dumps(facts, indent=2))
        return
    typer.echo(f"{len(history)} entries, {len(charges)} of them charges: each continues the chain.")
    typer.echo("The counter agrees: no older copy, no missing tail.")
    typer.echo(f"The limit was {'kept' if kept else 'NOT kept'}: {spent} of {limit_words(ledger)}.")
    typer.echo(f"The digest of the newest entry is {_last(history)}; note it elsewhere to compare.")


@budget.command()
def recover(
    path: _LEDGER,
    *,
    number: Annotated[
        int | None, typer.Option("--release", help="Which one, if there are several.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Where to write it; default: list them.")
    ] = None,
    force: Force = False,
    as_json: _JSON = False,
) -> None:
    """Hand over a release that was paid for and never arrived. It costs nothing.

    A synthetic table is written as a table where the name ends in .csv, .parquet, .arrow or
    .feather; the copy with its certificate is then kept until it was written as .json.
    """
    from tacit.cli.deliver import undelivered

    ledger = open_book(path)
    waiting = undelivered(ledger)
    if number is not None and not 1 <= number <= len(waiting):
        most = f"--release must be between 1 and {len(waiting)}"
        raise BadInput(most if waiting else "--release names one of those that wait, and none does")
    if as_json and (output is None or not waiting):
        typer.echo(json.dumps({"waiting": [one.name for one in waiting]}, indent=2))
        return
    if not waiting:
        typer.echo(
            "No release waits here: every one that was finished has arrived. One whose run was "
            "ended before it was finished is not kept anywhere; what it spent stays spent."
        )
        return
    if output is None:
        for index, one in enumerate(waiting, start=1):
            typer.echo(f"{index}: {one.name}")
        typer.echo(f"`tacit budget recover {path} --release 1 -o FILE` writes the first.")
        return
    if number is None and len(waiting) > 1:
        raise BadInput(f"{len(waiting)} releases are waiting: say which one with --release")
    chosen = 1 if number is None else number
    found = waiting[chosen - 1]
    text = found.read()
    table = _table_in(text, output)
    with Outputs({"output": output}, inputs={"ledger": _file(path)}, force=force) as files:
        if table is None:
            files["output"].write(text)
        else:
            table.write(files["output"].draft)
            files["output"].publish()
    if table is None:
        found.forget()
    _say_written(output, as_json=as_json)


def _say_written(output: Path, *, as_json: bool) -> None:
    typer.echo(json.dumps({"written": str(output)}) if as_json else f"written: {output}")


def _table_in(text: str, output: Path) -> SyntheticTable | SyntheticRows | None:
    """The table of a release that is to be written as one; ``None``: write the release itself."""
    from tacit.problems.finite.synthetic import SyntheticTable
    from tacit.problems.marginals.table import SUFFIXES, SyntheticRows
    from tacit.report.release_file import read_release

    if output.suffix not in SUFFIXES:
        return None
    value = read_release(text.encode(), name=output.name).value
    if isinstance(value, (SyntheticTable, SyntheticRows)):
        return value
    raise BadInput("this release is a rule, not a table: write it as .json")


def open_book(path: str) -> Ledger:
    """The ledger of this name, which must be there."""
    return Ledger.open_existing(path)


def _file(path: str) -> Path | None:
    return ledger_file(path)


def record(ledger: Ledger, *, at: object) -> dict[str, object]:
    """A ledger in JSON, with exact numbers."""
    return {
        "ledger": ledger.identity,
        "data_set": ledger.data_set,
        "unit": ledger.unit,
        "limit": {
            "epsilon": None if ledger.epsilon is None else show_number(ledger.epsilon),
            "delta": show_number(ledger.delta),
            "relation": None if ledger.relation is None else ledger.relation.value,
        },
        "spent": ledger.spent_at(at).to_dict(),
        "remaining": ledger.remaining.to_dict(),
        "entries": [entry.content() | {"digest": entry.digest} for entry in ledger.history],
    }


def _table(ledger: Ledger) -> str:
    """Every entry as a line of CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    names = ("data_set", "columns", "label", "purpose", "unit", "rows_per_unit", "who", "software")
    writer.writerow(["entry", "at", "what", "cost", "relation", *names, "release", "digest"])
    for entry in ledger.history:
        event, about = entry.event, entry.about.to_dict()
        cost = ("", "") if event is None else (event.describe(), event.relation.value)
        words = [about.get(name, "") for name in names]
        told = [", ".join(word) if isinstance(word, list) else word for word in words]
        row = [entry.index, entry.at, entry.note, *cost, *told, entry.release, entry.digest]
        writer.writerow([_plain(cell) for cell in row])
    return text.getvalue()


def _plain(cell: object) -> object:
    """A spreadsheet must not take a note for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell[:1] in "=+-@\t\r" and cell else cell


def _last(history: tuple[Entry, ...]) -> str | None:
    return history[-1].digest if history else None


def _cost(event: Event) -> str:
    """What one entry cost by itself, in one number where it has one."""
    together = pure_epsilon(event)
    return event.describe() if together is None else f"epsilon = {show_rounded_up(together)}"


def limit_words(ledger: Ledger) -> str:
    """What all releases of a ledger may cost together."""
    limit = "no limit" if ledger.epsilon is None else f"epsilon = {show_number(ledger.epsilon)}"
    if ledger.delta:
        limit += f", delta = {show_rounded_up(ledger.delta)}"
    if ledger.relation is not None:
        limit += f" ({ledger.relation.value})"
    return limit


def _for_each(ledger: Ledger) -> str:
    """Who is protected, where that is not one record."""
    return "" if ledger.unit == RECORD else f", for each person in the column {ledger.unit!r}"


def _print(console: Console, ledger: Ledger, *, at: object) -> None:
    from rich.table import Table
    from rich.text import Text

    named = f"Ledger for {ledger.data_set}" if ledger.data_set else "Ledger"
    table = Table(title=Text(one_line(named)))
    told = () if ledger.relation is not None else ("relation",)  # the limit names a pinned one
    for head in ("#", "when", "who", "what", "label", "cost", *told):
        table.add_column(head, overflow="fold", no_wrap=head in ("#", "when"))
    for entry in ledger.entries:
        event, about = entry.cost, entry.about
        what = f"{about.purpose} ({entry.note})" if about.purpose else entry.note
        when = f"{entry.at[:16].replace('T', ' ')}Z"
        at_what = (str(entry.index), when, about.who, what, about.label)
        stated = () if ledger.relation is not None else (event.relation.value,)
        table.add_row(*map(one_line, at_what), _cost(event), *stated)
    console.print(table, markup=False)
    for name, value in (
        ("limit", f"{limit_words(ledger)}{_for_each(ledger)}"),
        ("spent", ledger.spent_at(at)),
        ("left", ledger.remaining),
    ):
        console.print(f"{name:5}  {value}", markup=False, highlight=False)
    if ledger.epsilon is not None and ledger.delta:
        console.print(
            "What is left is stated for costs that are chosen after seeing results, so spent and "
            "left need not add up to the limit.",
            markup=False,
            highlight=False,
        )
