"""Things to try, for teaching: a game, an attack, weights that move, a privacy region."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response

from tacit.core import BadInput, TacitError
from tacit.page import pictures, teaching
from tacit.page.desk import Desk, Form, read_query

_TOPICS = {
    "game": (
        "A mistake tree against the standard optimal algorithm",
        "You give the labels. However well it predicts, you can force as many mistakes as the "
        "tree is deep, and no more.",
    ),
    "tracing": (
        "A tracing attack",
        "Labels that are a code betray who was among the records of a learner without privacy, "
        "and nobody among those of a private one.",
    ),
    "weights": (
        "Weights of the exponential mechanism",
        "How likely every rule is drawn, as epsilon moves, and what changing one record can do.",
    ),
    "region": (
        "The privacy region of an audit",
        "What a test between two neighbouring data sets can reach, exactly, and what is claimed.",
    ),
}
_EXACT_SECONDS = 8.0


async def teach(desk: Desk, request: Request) -> Response:
    """The list of things to try."""
    del request
    return desk.page("teach.html", here="teach", title="Try it", topics=_TOPICS)


async def game(desk: Desk, request: Request) -> Response:
    """One position of the game: everything is in the address."""
    form = {"class": "thresholds 7", "labels": ""} | read_query(request)
    family, _, size = form["class"].partition(" ")
    if not size.isdecimal() or len(size) > 4:
        raise BadInput("there is no such game; choose one from the list")
    found = await desk.computed(teaching.game, family, int(size), form["labels"])
    return desk.page(
        "teach_game.html",
        here="teach",
        title=_TOPICS["game"][0],
        lead=_TOPICS["game"][1],
        form=form,
        games=await desk.computed(teaching.playable),
        game=found,
        picture=pictures.tree_picture(found),
        labels=form["labels"][: found.depth],
    )


async def tracing(desk: Desk, request: Request) -> Response:
    """The attack: asked for, it is run on both learners."""
    form = read_query(request)
    found = await _traced(desk, form) if form.get("turn") else None
    return desk.page(
        "teach_tracing.html",
        here="teach",
        title=_TOPICS["tracing"][0],
        lead=_TOPICS["tracing"][1],
        turn=_turn(form) + 1,
        found=found,
        picture=None if found is None else pictures.accused_picture(found[0]),
    )


def _turn(form: Form) -> int:
    word = form.get("turn") or "0"
    if not word.isdecimal() or len(word) > 6:
        raise BadInput("turn must be a whole number")
    return int(word)


async def _traced(desk: Desk, form: Form) -> tuple[tuple[teaching.Traced, ...], tuple[str, ...]]:
    return await desk.computed(teaching.tracing, _turn(form))


async def weights(desk: Desk, request: Request) -> Response:
    """The weights at one epsilon."""
    form = {"epsilon": "1", "selector": teaching.SELECTORS[0]} | read_query(request)
    return desk.page(
        "teach_weights.html",
        here="teach",
        title=_TOPICS["weights"][0],
        lead=_TOPICS["weights"][1],
        form=form,
        selectors=teaching.SELECTORS,
        records=list(zip(teaching.AGES, teaching.SICK, strict=True)),
        drawn=await _weights(desk, form),
    )


async def weights_answer(desk: Desk, request: Request) -> Response:
    """Only the picture, for a slider."""
    form = {"epsilon": "1", "selector": teaching.SELECTORS[0]} | read_query(request)
    return desk.page("teach_weights_answer.html", drawn=await _weights(desk, form))


@dataclass(frozen=True, slots=True)
class Drawn:
    """The weights and their picture, or what is wrong."""

    found: teaching.Weights | None
    picture: Markup | None
    problem: str


async def _weights(desk: Desk, form: Form) -> Drawn:
    try:
        found = await desk.computed(teaching.weights, form["epsilon"], form["selector"])
    except TacitError as refused:
        return Drawn(None, None, str(refused))
    return Drawn(found, pictures.weight_picture(found), "")


async def region(desk: Desk, request: Request) -> Response:
    """The exact region of one mechanism."""
    form = {"name": "Geometric", "epsilon": "1"} | read_query(request)
    found, problem = None, ""
    try:
        found = await desk.computed(teaching.region, form["name"], form["epsilon"], _EXACT_SECONDS)
    except TacitError as refused:
        problem = str(refused)
    return desk.page(
        "teach_region.html",
        here="teach",
        title=_TOPICS["region"][0],
        lead=_TOPICS["region"][1],
        form=form,
        names=await desk.computed(teaching.audited),
        found=found,
        problem=problem,
        picture=None if found is None else pictures.region_picture(found),
    )
