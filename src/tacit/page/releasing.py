"""A guided release: what was asked, what it would cost, and the release itself.

The same steps as ``tacit learn`` on the command line, by the same functions: the cost is asked
first, everything that can fail fails before the charge, and what was paid for is kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tacit.accounting import About, Ledger, describing
from tacit.cli.budget import limit_words
from tacit.cli.deliver import Delivery
from tacit.cli.learn import named
from tacit.cli.learn_options import CertifiedPrivacy, TableModel
from tacit.cli.learn_table import Wanted, learn_table, models
from tacit.cli.outputs import Outputs, check_outputs
from tacit.cli.person_options import Persons
from tacit.cli.reading import Reading
from tacit.cli.spend import Charge, Payer, cost_of, cost_words
from tacit.core import BadInput, Label, Release, Source
from tacit.core.task_fields import RECORD
from tacit.page.declaring import Declared
from tacit.page.folder import LEDGERS, Folder
from tacit.page.showing import Shown, shown
from tacit.page.spending import Tell
from tacit.report.release_file import load, release_record, release_text


def model_names() -> tuple[str, ...]:
    """What can be learned here; a selection among several is for the command line."""
    return tuple(name for name in models() if name not in ("selection", "informed"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Everything that one release is made of: public words and paths, no data."""

    data: Path
    reading: Reading
    declared: Declared
    label: Label
    positive: str
    negative: str | None
    unit: str | None
    rows_per_unit: int | None
    model: str
    epsilon: str
    delta: str
    relation: str
    beta: str
    depth: str
    ledger: Path
    purpose: str
    output: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """A ledger for people: one line an entry, then limit, spent and left."""

    name: str
    data_set: str
    entries: tuple[tuple[str, ...], ...]
    totals: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """A finished release: where it is, what it says, and how the ledger stands."""

    file: str
    shown: Shown
    account: Account


def _release(order: Order, source: Source, ledger: object) -> Release[object]:
    wanted = Wanted(
        schema={"columns": order.declared},
        model=TableModel(model=order.model, depth=order.depth or None),
        privacy=CertifiedPrivacy(
            epsilon=order.epsilon, delta=order.delta, relation=order.relation, beta=order.beta
        ),
        values=(order.negative, order.positive),
        payee=ledger,
        persons=Persons(unit=order.unit, rows_per_unit=order.rows_per_unit),
    )
    found = learn_table(source, str(order.label.name), wanted)
    return named(found, order.label)


def _inputs(order: Order) -> dict[str, Path | None]:
    return {"data": order.data, "ledger": order.ledger}


def check(order: Order) -> Charge:
    """What the release would be charged; goes as far as the charge, without any ledger."""
    if order.model not in model_names():
        raise BadInput(f"the kind of rule must be one of {', '.join(model_names())}")
    check_outputs({"output": order.output}, inputs=_inputs(order), force=False)
    return cost_of(lambda asker: _release(order, order.reading.open(order.data), asker))


def cost(order: Order, charge: Charge) -> tuple[str, ...]:
    """What is spent, left and left after, in words; raises if the ledger would refuse."""
    book = Payer(Ledger.open_existing(order.ledger), counted=True)
    return tuple(cost_words(charge, book).splitlines())


def make(order: Order, tell: Tell) -> Made:
    """Charge, learn, keep, write. What goes wrong says what was spent."""
    book = Ledger.open_existing(order.ledger)
    about = About(
        data_set=book.data_set,
        columns=tuple(order.declared),
        label=str(order.label.name),
        purpose=order.purpose,
    )
    wanted = {"output": order.output}
    with (
        Delivery(wanted, inputs=_inputs(order), ledger=book, force=False) as delivery,
        describing(about),
    ):
        tell("checking the file, charging the ledger, then learning")
        try:
            release = _release(order, order.reading.open(order.data), book)
            tell("learned; writing the release")
            record = release_record(release, about=about, counted=True)

            def write(files: Outputs) -> None:
                files["output"].write(release_text(record))

            delivery.deliver(record, release, write=write)
            delivery.arrived()
        except BadInput as wrong:
            raise BadInput(f"{wrong} ({delivery.spent()})") from None
    return Made(
        file=order.output.name,
        shown=shown(load(order.output), ledger=book, seconds=None),
        account=account(order.ledger),
    )


def account(path: Path) -> Account:
    """What a ledger holds, for people."""
    book = Ledger.open_existing(path)
    entries = tuple(
        (
            str(entry.index),
            f"{entry.at[:16].replace('T', ' ')}Z",
            entry.about.who,
            entry.about.purpose or entry.note,
            entry.cost.describe(),
        )
        for entry in book.entries
    )
    totals = (
        ("Limit", limit_words(book)),
        ("Spent", str(book.spent)),
        ("Left", str(book.remaining)),
    )
    return Account(name=path.name, data_set=book.data_set, entries=entries, totals=totals)


def new_ledger(folder: Folder, form: Mapping[str, str]) -> str:
    """Make the ledger that a form describes; the value is its name."""
    name = form.get("new_name", "")
    if not form.get("new_data", ""):
        raise BadInput("say what the records of the new ledger are called")
    Ledger.create(
        folder.new(name, kinds=LEDGERS),
        form.get("new_epsilon", ""),
        form.get("new_delta", "") or 0,
        relation=form.get("relation", "replace-one"),
        data_set=form.get("new_data", ""),
        unit=form.get("unit") or RECORD,
    )
    return name
