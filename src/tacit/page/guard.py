"""Who may talk to the page: requests of this machine's own browser that know the token.

A request passes if it names this server's own address (a foreign name that was pointed here is
refused), comes from no other site, and has the token as the first part of its path. There are
no cookies: they would be sent to every other server of this machine too.
"""

from __future__ import annotations

from hmac import compare_digest

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    # Not `no-referrer`: browsers would then hide the origin of our own forms.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
"""Sent with every answer."""

_METHODS = ("GET", "HEAD", "POST")
_HOW = "Open the address that `tacit serve` printed; it ends in a long secret.\n"


class Guard:
    """Lets requests through to ``app``, or refuses them with a constant text."""

    def __init__(self, app: ASGIApp, *, token: str, hosts: frozenset[str]) -> None:
        self._app, self._token, self._hosts = app, token, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        refusal = self.why_not(scope)
        if refusal is None:
            _, rest = self._split(scope["path"])
            inner = {**scope, "path": rest, "raw_path": rest.encode()}
            await self._app(inner, receive, guarded)
        else:
            code, words = refusal
            await PlainTextResponse(words, code)(scope, receive, guarded)

    def why_not(self, scope: Scope) -> tuple[int, str] | None:
        """The status and the words of a refusal, or ``None`` if the request may pass."""
        headers = Headers(scope=scope)
        if [host.lower() for host in headers.getlist("host")] not in [[h] for h in self._hosts]:
            return 421, f"This is not the address of this page. {_HOW}"
        if scope["method"] not in _METHODS:
            return 405, "This page answers GET and POST only.\n"
        writes = scope["method"] == "POST"
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if (writes or origin is not None) and origin != f"http://{headers['host'].lower()}":
            return 403, "Only this page itself may send to it.\n"
        if site not in (None, "same-origin", *(() if writes else ("none",))):
            return 403, f"Another site may not lead here. {_HOW}"
        token, _ = self._split(scope["path"])
        if not compare_digest(token.encode(), self._token.encode()):
            return 403, _HOW
        return None

    @staticmethod
    def _split(path: str) -> tuple[str, str]:
        token, _, rest = path.removeprefix("/").partition("/")
        return token, f"/{rest}"
