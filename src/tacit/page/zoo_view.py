"""The dimensions of named classes: searchable, each value with its witness."""

from __future__ import annotations

import asyncio

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from tacit.core import BadInput
from tacit.page import zoo
from tacit.page.desk import Desk, read_query


async def listing(desk: Desk, request: Request) -> Response:
    """All classes, or those that match a search."""
    query = read_query(request).get("q", "")
    entries = await asyncio.gather(*(desk.computed(zoo.entry, *one) for one in zoo.ENTRIES))
    return desk.page(
        "zoo.html",
        here="zoo",
        title="Dimensions",
        query=query,
        found=zoo.matching(list(entries), query),
        total=len(entries),
    )


async def entry(desk: Desk, request: Request) -> Response:
    """One class with its dimensions and their witnesses."""
    size = str(request.path_params["size"])
    if not size.isdecimal() or len(size) > 4:
        raise BadInput("there is no such class here; choose one from the list")
    key = str(request.path_params["family"]), int(size)
    everything = bool(read_query(request).get("all"))
    names = tuple(zoo.WORDS) if everything else zoo.QUICK
    about = await desk.computed(zoo.entry, *key)
    found = await asyncio.gather(*(desk.computed(zoo.dimension, *key, name) for name in names))
    return desk.page(
        "zoo_entry.html",
        here="zoo",
        title=about.title,
        entry=about,
        found=found,
        words=zoo.WORDS,
        everything=everything,
        # Pictures are made of numbers only.
        safe=lambda text: Markup(text),  # noqa: S704
    )
