"""A guided release: file, header, schema, budget, cost, confirmation, progress, release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tacit.cli.label_options import read_target
from tacit.cli.outputs import one_output
from tacit.cli.reading import Reading
from tacit.cli.schema import declaration
from tacit.core import BadInput, BudgetRefused, TacitError
from tacit.domains.schema import Schema
from tacit.domains.schema_text import read_toml, write_toml
from tacit.page import declaring, releasing
from tacit.page.declaring import KIND_NAMES, MISSING
from tacit.page.desk import Desk, Form, read_form, read_query
from tacit.page.folder import LEDGERS, RELEASES, SCHEMAS, TABLES
from tacit.page.planner_view import VALUE_WORDS
from tacit.page.planning import CHOICES
from tacit.page.releasing import Made, Order, model_names
from tacit.page.spending import Job

_NEW = "(new)"
_DIALECT = {"delimiter": "", "decimal": ".", "encoding": "utf-8", "quote": '"', "sheet": ""}
_START = {
    "model": "tree",
    "epsilon": "0.5",
    "delta": "0",
    "relation": "replace-one",
    "beta": "0.05",
    "output": "release.json",
}


@dataclass(frozen=True, slots=True)
class Offer:
    """An order with its cost in words, waiting for a confirmation."""

    order: Order
    cost: tuple[str, ...]


def _reading(form: Mapping[str, str]) -> Reading:
    given = _DIALECT | {name: form[name] for name in _DIALECT if form.get(name)}
    return Reading(
        delimiter=given["delimiter"] or None,
        decimal=given["decimal"],
        encoding=given["encoding"],
        quote=given["quote"],
        sheet=given["sheet"] or None,
    )


async def start(desk: Desk, request: Request) -> Response:
    """Choose a file, and say how it is written."""
    form = _DIALECT | read_query(request)
    return _start_page(desk, form)


def _start_page(desk: Desk, form: Form, problem: str = "", status: int = 200) -> Response:
    folder = desk.folder
    return desk.page(
        "release.html",
        status=status,
        here="release",
        title="Release",
        form=form,
        problem=problem,
        files=folder.listing(TABLES) if folder else [],
        schemas=folder.listing(SCHEMAS) if folder else [],
        ledgers=folder.listing(LEDGERS) if folder else [],
    )


async def columns(desk: Desk, request: Request) -> Response:
    """The header of the file, and an editor for what its columns may hold."""
    form = _DIALECT | read_query(request)
    try:
        types = await desk.aside(_types, desk, form)
        proposed = await desk.aside(_proposed, desk, form, types)
    except TacitError as refused:
        return _start_page(desk, form, str(refused), 400)
    return _editor(desk, _START | form, types, proposed)


def _types(desk: Desk, form: Form) -> Mapping[str, object]:
    """The columns of the file: its header, or its types where it has some; no record is read."""
    path = desk.files.file(form.get("file", ""), kinds=TABLES)
    return _reading(form).open(path).types


def _proposed(
    desk: Desk, form: Form, types: Mapping[str, object]
) -> Mapping[str, Mapping[str, object]]:
    if form.get("schema"):
        read = read_toml(desk.files.file(form["schema"], kinds=SCHEMAS))
        found = read.get("columns", read)
        if not isinstance(found, dict) or not all(isinstance(v, dict) for v in found.values()):
            raise BadInput("this schema does not declare columns one by one")
        return found
    return {name: declaration(kind) for name, kind in types.items()}


def _editor(
    desk: Desk,
    form: Form,
    types: Mapping[str, object],
    proposed: Mapping[str, Mapping[str, object]],
    *,
    problem: str = "",
    status: int = 200,
) -> Response:
    return desk.page(
        "release_columns.html",
        status=status,
        here="release",
        title="Declare the columns",
        form=form,
        rows=declaring.rows(types, form, proposed),
        kinds=KIND_NAMES,
        missing=MISSING,
        models=model_names(),
        relations=CHOICES["relation"],
        value_words=VALUE_WORDS,
        ledgers=desk.files.listing(LEDGERS),
        new=_NEW,
        dialect=tuple(_DIALECT),
        problem=problem,
    )


async def quote(desk: Desk, request: Request) -> Response:
    """What the release would cost: nothing is charged, and the offer waits for a confirmation."""
    form = _DIALECT | _START | await read_form(request)
    types = await desk.aside(_types, desk, form)
    try:
        order, cost = await desk.aside(_priced, desk, form, types)
    except TacitError as refused:
        status = 409 if isinstance(refused, BudgetRefused) else 400
        return _editor(desk, form, types, {}, problem=str(refused), status=status)
    token = desk.spending.offer(Offer(order, cost))
    return RedirectResponse(f"/{desk.token}/release/offer/{token}", 303)


async def offer(desk: Desk, request: Request) -> Response:
    """The cost of what was asked, with the button that spends it."""
    token = str(request.path_params["token"])
    found = desk.spending.offered(token)
    assert isinstance(found, Offer)
    schema = Schema.of(found.order.declared)
    return desk.page(
        "release_quote.html",
        here="release",
        title="What it would cost",
        order=found.order,
        cost=found.cost,
        fields=list(zip(schema.names, schema.fields, strict=True)),
        toml=write_toml(found.order.declared),
        token=token,
    )


def _priced(desk: Desk, form: Form, types: Mapping[str, object]) -> tuple[Order, tuple[str, ...]]:
    """The order and its cost; a ledger that was asked for is made when all else is in order."""
    order = _order(desk, form, types)
    charge = releasing.check(order)
    if form.get("ledger") == _NEW:
        form["ledger"] = releasing.new_ledger(desk.files, form)
    if form.get("save_schema"):
        path = desk.files.new(form["save_schema"], kinds=SCHEMAS)
        with one_output(path, inputs={"data": order.data}, force=False) as files:
            files["output"].write(write_toml(order.declared))
        form["save_schema"] = ""
    return order, releasing.cost(order, charge)


def _order(desk: Desk, form: Form, types: Mapping[str, object]) -> Order:
    label, ledger = form.get("label", ""), form.get("ledger", "")
    if label not in types:
        raise BadInput("choose the label: the column that a rule is to tell")
    if not ledger:
        raise BadInput("choose the ledger that pays, or make a new one")
    positive, negative = form.get("positive", ""), form.get("negative") or None
    if not positive:
        raise BadInput("say which value of the label means yes: it is public, never read off")
    unit, most = form.get("unit") or None, form.get("rows_per_unit", "")
    if unit is not None and unit not in types:
        raise BadInput("the column that tells persons apart must be one of the file")
    if most and not (most.isdecimal() and len(most) < 10):
        raise BadInput("the rows of each person must be a whole number")
    book = (
        desk.files.new(form.get("new_name", ""), kinds=LEDGERS)
        if ledger == _NEW
        else desk.files.file(ledger, kinds=LEDGERS)
    )
    return Order(
        data=desk.files.file(form.get("file", ""), kinds=TABLES),
        reading=_reading(form),
        declared=declaring.declared(declaring.rows(types, form, {}), without=(label, unit)),
        label=read_target(label, positive=positive, negative=negative),
        positive=positive,
        negative=negative,
        unit=unit,
        rows_per_unit=int(most) if most else None,
        ledger=book,
        output=desk.files.new(form.get("output", ""), kinds=RELEASES),
        purpose=form.get("purpose", ""),
        depth=form.get("depth", ""),
        **{name: form.get(name) or _START[name] for name in _START if name != "output"},
    )


async def confirm(desk: Desk, request: Request) -> Response:
    """Spend once: the first confirmation starts the job, every other one leads to it."""
    form = await read_form(request)
    job, found = desk.spending.confirm(form.get("token", ""))
    if isinstance(found, Offer):
        desk.runner.submit(_run, found.order, job)
    return RedirectResponse(f"/{desk.token}/release/job/{job.key}", 303)


def _run(order: Order, job: Job[object]) -> None:
    try:
        job.result = releasing.make(order, job.tell)
    except TacitError as refused:
        job.problem = str(refused)
    except Exception as bug:  # noqa: BLE001 - a traceback could show private values
        job.problem = (
            f"This failed unexpectedly ({type(bug).__name__}); please report it. Details are "
            "withheld because they may hold private values. The ledger shows what was spent."
        )


async def job(desk: Desk, request: Request) -> Response:
    """How far a confirmed release is; when it is done, the release."""
    found = desk.spending.job(str(request.path_params["key"]))
    made = found.result if isinstance(found.result, Made) else None
    return desk.page(
        "release_job.html",
        here="release",
        title="Release" if found.done else "In progress",
        job=found,
        made=made,
        found=None if made is None else made.shown,
        account=None if made is None else made.account,
    )


async def download(desk: Desk, request: Request) -> Response:
    """A release file of the folder, to be saved."""
    path = desk.files.file(str(request.path_params["name"]), kinds=RELEASES)
    name = Path(path).name
    return Response(
        await desk.aside(path.read_bytes),
        media_type="application/json",
        headers={"content-disposition": f'attachment; filename="{_plain(name)}"'},
    )


def _plain(name: str) -> str:
    return "".join(
        one if one.isascii() and (one.isalnum() or one in "._-") else "_" for one in name
    )


async def ledger(desk: Desk, request: Request) -> Response:
    """What was charged to a ledger, and what is left."""
    name = read_query(request).get("name", "")
    path = desk.files.file(name, kinds=LEDGERS)
    return desk.page(
        "ledger.html",
        here="release",
        title="Ledger",
        account=await desk.aside(releasing.account, path),
    )
