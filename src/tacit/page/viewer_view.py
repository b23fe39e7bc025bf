"""The viewer and verifier: a release file that somebody sent, read and checked without data."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from tacit.accounting import Ledger
from tacit.page.desk import Desk, read_body, read_form, read_query
from tacit.page.folder import LEDGERS, RELEASES
from tacit.page.showing import Shown, shown
from tacit.report.anew import PATIENCE
from tacit.report.release_file import load, read_release

RELEASE_LARGEST = 1 << 23
"""Bytes of the longest release that a browser may send: 8 MiB, held in memory only."""

_SECONDS: float | None = PATIENCE
"""For computing a sent release anew, in a process of its own."""


async def view(desk: Desk, request: Request) -> Response:
    """The form; with the name of a file of the folder, that release."""
    form = read_query(request)
    found = None
    if form.get("file"):
        book = form.get("ledger", "")
        found = await desk.aside(_from_folder, desk, form["file"], book)
    return _page(desk, found, form.get("file", ""), form.get("ledger", ""))


def _from_folder(desk: Desk, name: str, ledger: str) -> Shown:
    book = None
    if ledger:
        book = Ledger.open_existing(desk.files.file(ledger, kinds=LEDGERS))
    return shown(load(desk.files.file(name, kinds=RELEASES)), ledger=book, seconds=_SECONDS)


def _page(desk: Desk, found: Shown | None, file: str = "", ledger: str = "") -> Response:
    folder = desk.folder
    return desk.page(
        "view.html",
        here="view",
        title="Read and verify",
        found=found,
        file=file,
        ledger=ledger,
        files=folder.listing(RELEASES) if folder else [],
        ledgers=folder.listing(LEDGERS) if folder else [],
    )


async def pasted(desk: Desk, request: Request) -> Response:
    """The release whose text was pasted into the form."""
    form = await read_form(request, most=3 * RELEASE_LARGEST)
    content = form.get("text", "").encode()
    return _page(desk, await desk.aside(_read, content, "the pasted release"))


async def dropped(desk: Desk, request: Request) -> Response:
    """The release that was dropped on the page: its bytes are the body of the request."""
    content = await read_body(request, most=RELEASE_LARGEST)
    name = request.headers.get("x-name", "the dropped release")[:100]
    found = await desk.aside(_read, content, name)
    return desk.page("shown.html", found=found)


def _read(content: bytes, name: str) -> Shown:
    return shown(read_release(content, name=name), seconds=_SECONDS)
