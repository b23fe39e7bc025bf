"""What do my 3,000 patients buy? The error that a number of records is certain to reach."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from tacit.core import BadInput, TacitError
from tacit.page import buying
from tacit.page.buying import Asked, Bought, Kind
from tacit.page.charts import line_chart
from tacit.page.desk import Desk, Form, read_form, read_query
from tacit.page.folder import SCHEMAS
from tacit.page.planner_view import VALUE_WORDS, WORDS
from tacit.page.planning import CHOICES, DEFAULTS, number

_START = {
    "n": "3000",
    "epsilon": "0.5",
    "delta": "0",
    "alpha": "0.1",
    "beta": "0.05",
    "relation": DEFAULTS["relation"],
    "schema": buying.EXAMPLE,
}
_DRAWN = Kind("tree", 2)


def _asked(form: Form) -> Asked:
    given = _START | {name: word for name, word in form.items() if name in _START and word}
    if not given["n"].isdecimal() or not 0 < int(given["n"][:20]) <= 10**12:
        raise BadInput("the number of records must be a whole number, at most 10^12")
    if given["relation"] not in CHOICES["relation"]:
        raise BadInput(f"relation must be one of {', '.join(CHOICES['relation'])}")
    for name in ("epsilon", "delta", "alpha", "beta"):
        number(given[name], name=name)
    buying.read_schema(given["schema"])
    return Asked(**{**given, "n": int(given["n"])})  # type: ignore[arg-type]


async def buys(desk: Desk, request: Request) -> Response:
    """The form; after it was sent, with the answer."""
    sent = request.method == "POST"
    form = await read_form(request) if sent else read_query(request)
    if form.get("file"):
        path = desk.files.file(form["file"], kinds=SCHEMAS)
        form["schema"] = await desk.aside(path.read_text, "utf-8")
    form = _START | form
    return desk.page(
        "buys.html",
        here="buys",
        title="What do my records buy?",
        form=form,
        numbers=WORDS,
        relations=CHOICES["relation"],
        value_words=VALUE_WORDS,
        schemas=desk.folder.listing(SCHEMAS) if desk.folder else [],
        answer=await _answer(desk, form) if sent else Answer(),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What was bought, kind by kind, the cheapest error first; or what is wrong."""

    asked: Asked | None = None
    found: tuple[Bought, ...] = ()
    chart: Markup | None = None
    problem: str = ""


async def _answer(desk: Desk, form: Form) -> Answer:
    try:
        asked = _asked(form)
        waiting = [desk.computed(buying.bought, kind, asked) for kind in buying.kinds()]
        found = await asyncio.gather(*waiting)
        points = await desk.computed(buying.curve, _DRAWN, asked)
    except TacitError as refused:
        return Answer(problem=str(refused))
    found.sort(key=lambda one: (one.excess is None, one.excess, one.kind.words))
    chart = line_chart(
        [(float(word), word, None if y is None else 100 * y) for word, y in points],
        title=f"Error above the best, against epsilon: {_DRAWN.words}",
        x_name="epsilon",
        y_name="points",
        at=float(number(asked.epsilon, name="epsilon")),
    )
    return Answer(asked=asked, found=tuple(found), chart=chart)


async def answer(desk: Desk, request: Request) -> Response:
    """Only the answer."""
    return desk.page("buys_answer.html", answer=await _answer(desk, await read_form(request)))
