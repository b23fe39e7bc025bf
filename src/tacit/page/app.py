"""The routes of the page."""

from __future__ import annotations

from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp

from tacit.page import buys_view, planner_view, release_view, teach_view, viewer_view, zoo_view
from tacit.page.desk import Desk, View, endpoint
from tacit.page.guard import Guard

_GET: dict[str, View] = {
    "/plan": planner_view.plan,
    "/plan/answer": planner_view.answer,
    "/plan/more": planner_view.more,
    "/buys": buys_view.buys,
    "/release": release_view.start,
    "/release/columns": release_view.columns,
    "/release/offer/{token}": release_view.offer,
    "/release/job/{key}": release_view.job,
    "/release/file/{name:path}": release_view.download,
    "/ledger": release_view.ledger,
    "/view": viewer_view.view,
    "/teach": teach_view.teach,
    "/teach/game": teach_view.game,
    "/teach/tracing": teach_view.tracing,
    "/teach/weights": teach_view.weights,
    "/teach/weights/answer": teach_view.weights_answer,
    "/teach/region": teach_view.region,
    "/zoo": zoo_view.listing,
    "/zoo/{family}/{size}": zoo_view.entry,
}
_POST: dict[str, View] = {
    "/buys": buys_view.buys,
    "/buys/answer": buys_view.answer,
    "/release/quote": release_view.quote,
    "/release/confirm": release_view.confirm,
    "/view/dropped": viewer_view.dropped,
    "/view/pasted": viewer_view.pasted,
}


def make_app(desk: Desk, *, hosts: frozenset[str]) -> ASGIApp:
    """The whole page behind its guard; ``hosts`` are the names and ports it answers to."""

    async def home(request: Request) -> Response:
        del request
        return RedirectResponse(f"/{desk.token}/plan")

    async def missing(request: Request, _: Exception) -> Response:
        del request
        words = "There is no such page here."
        return desk.page("problem.html", status=404, here="", title="A problem", words=words)

    routes = [Route("/", home)]
    for methods, views in ((["GET"], _GET), (["POST"], _POST)):
        routes += [
            Route(path, endpoint(desk, view), methods=methods) for path, view in views.items()
        ]
    static = StaticFiles(directory=Path(__file__).parent / "static")
    app = Starlette(
        routes=[*routes, Mount("/static", static)],
        exception_handlers={404: missing, 405: missing},
    )
    return Guard(app, token=desk.token, hosts=hosts)
