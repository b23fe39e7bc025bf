"""Start the page: a socket of this machine only, a token of its own, an orderly end."""

from __future__ import annotations

import secrets
import signal
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from tacit.core import BadInput
from tacit.page.app import make_app
from tacit.page.desk import Desk
from tacit.page.folder import Folder
from tacit.page.patience import Patience
from tacit.page.workers import workers

_ADDRESS = "127.0.0.1"
_LAST_ANSWERS = 5
"""Seconds for requests that still run at the end. A release is no request: it is finished."""


class _Server(uvicorn.Server):
    """Ends at Ctrl-C or SIGTERM without dying of it: a release that was paid for is finished."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take the two signals while serving, and give them back."""
        ends = signal.SIGINT, signal.SIGTERM
        before = {one: signal.signal(one, self.handle_exit) for one in ends}
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)


def _listening(port: int) -> socket.socket:
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((_ADDRESS, port))
        found.listen(128)  # whoever opens the printed address at once waits, and is not refused
    except OSError as error:
        found.close()
        raise BadInput(f"port {port} cannot be used: {error.strerror}; choose another") from None
    return found


def serve(*, folder: Path | None, port: int, tell: Callable[[str], None]) -> None:
    """Serve the page until it is interrupted; ``tell`` is given its address.

    Returns when the release that runs, if one does, is finished.
    """
    if folder is not None and not folder.is_dir():
        raise BadInput(f"--data names {folder}, which is not a folder")
    token = secrets.token_urlsafe(24)
    with _listening(port) as listening, workers() as pool, ThreadPoolExecutor(1) as runner:
        desk = Desk(
            token=token,
            pool=pool,
            runner=runner,
            folder=None if folder is None else Folder(folder.resolve()),
        )
        at = f"{_ADDRESS}:{listening.getsockname()[1]}"
        hosts = frozenset((at, at.replace(_ADDRESS, "localhost")))
        settings = uvicorn.Config(
            make_app(desk, hosts=hosts),
            log_level="critical",  # addresses hold the token, and a traceback may hold values
            access_log=False,
            server_header=False,
            http=Patience,
            timeout_graceful_shutdown=_LAST_ANSWERS,
            ws="none",
            proxy_headers=False,
        )
        tell(f"http://{at}/{token}/plan")
        _Server(settings).run(sockets=[listening])
