"""What the views share: the folder, the workers that compute, and how an answer is made."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Hashable
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from typing import ParamSpec, TypeVar
from urllib.parse import parse_qsl

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from tacit.core import BadInput, BudgetRefused, TacitError
from tacit.core.numbers import grouped
from tacit.page.folder import Folder
from tacit.page.spending import Spending
from tacit.page.workers import SECONDS, limited

P = ParamSpec("P")
R = TypeVar("R")

Form = dict[str, str]
FORM_LARGEST = 1 << 20
_KEPT = 2048

VIEWS = {
    "plan": "Plan",
    "buys": "What do my records buy?",
    "release": "Release",
    "view": "Read and verify",
    "teach": "Try it",
    "zoo": "Dimensions",
}
"""The views by the first part of their address, with the words of the menu."""

_PAGES = Environment(
    loader=PackageLoader("tacit.page"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_PAGES.filters["count"] = grouped


@dataclass
class Desk:
    """The state of one running page.

    ``pool``     where plans and searches are computed; what it returns is kept for the next
                 time.
    ``runner``   where releases run: a thread of this process, one release after another.
    """

    token: str
    pool: Executor
    runner: Executor
    folder: Folder | None = None
    spending: Spending = field(default_factory=Spending)
    _kept: OrderedDict[Hashable, object] = field(default_factory=OrderedDict)

    @property
    def files(self) -> Folder:
        """The folder; refuses where the page was started without one."""
        if self.folder is None:
            raise BadInput("start the page with a folder to read from: tacit serve --data FOLDER")
        return self.folder

    async def computed(self, function: Callable[P, R], *args: P.args, **named: P.kwargs) -> R:
        """``function(*args)`` from a worker, or from memory if it was asked before.

        Only for functions of public values: their results are kept.
        """
        key = (function, args, tuple(sorted(named.items())))
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]  # type: ignore[return-value]
        try:
            future = self.pool.submit(limited, SECONDS, function, *args, **named)
        except (BrokenProcessPool, RuntimeError):
            raise BadInput("the workers of this page have ended: start it again") from None
        value = await asyncio.wrap_future(future)
        self._kept[key] = value
        while len(self._kept) > _KEPT:
            self._kept.popitem(last=False)
        return value

    async def aside(self, function: Callable[P, R], *args: P.args, **named: P.kwargs) -> R:
        """``function(*args)`` in a thread of this process; nothing is kept."""
        return await asyncio.to_thread(function, *args, **named)

    def page(self, template: str, *, status: int = 200, **context: object) -> HTMLResponse:
        """A page or a part of one, with everything in it escaped."""
        text = _PAGES.get_template(template).render(
            root=f"/{self.token}", views=VIEWS, folder=self.folder, **context
        )
        return HTMLResponse(text, status)


View = Callable[[Desk, Request], Awaitable[Response]]


async def read_body(request: Request, *, most: int) -> bytes:
    """The body of a request, held in memory only; a longer one is refused as it comes."""
    parts: list[bytes] = []
    size = 0
    async for part in request.stream():
        size += len(part)
        if size > most:
            raise BadInput(f"this is longer than {most >> 10} KiB")
        parts.append(part)
    return b"".join(parts)


async def read_form(request: Request, *, most: int = FORM_LARGEST) -> Form:
    """The fields of a plain form, each once; files cannot be sent with one."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip()
    if kind != "application/x-www-form-urlencoded":
        raise BadInput("this form must be sent as plain fields")
    return _fields((await read_body(request, most=most)).decode("utf-8", "replace"))


def read_query(request: Request) -> Form:
    """The fields of an address, each once."""
    return _fields(request.url.query)


def _fields(text: str) -> Form:
    try:
        pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=4000)
    except ValueError:
        raise BadInput("this form has too many fields") from None
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise BadInput("a field was given twice")
    return {name: value.strip() for name, value in fields.items()}


def endpoint(desk: Desk, view: View) -> Callable[[Request], Awaitable[Response]]:
    """A view as a route: whatever goes wrong becomes a page, and never a traceback."""

    async def answer(request: Request) -> Response:
        part = request.headers.get("x-part") == "yes"
        try:
            return await view(desk, request)
        except TacitError as refused:
            status = 409 if isinstance(refused, BudgetRefused) else 400
            words = str(refused)
        except Exception as bug:  # noqa: BLE001 - a traceback could show private values
            status = 500
            words = (
                f"This failed unexpectedly ({type(bug).__name__}); please report it. Details are "
                "withheld because they may hold private values."
            )
        template = "problem_part.html" if part else "problem.html"
        return desk.page(template, status=status, here="", title="A problem", words=words)

    return answer
