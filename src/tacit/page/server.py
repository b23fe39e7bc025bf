"""Start the page: a socket of this machine only, workers that compute, a token of its own."""

from __future__ import annotations

import secrets
import signal
import socket
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import uvicorn

from tacit.core import BadInput
from tacit.page.app import make_app
from tacit.page.desk import Desk
from tacit.page.folder import Folder
from tacit.page.planning import answer

_ADDRESS = "127.0.0.1"
_WORKERS = 2


def _warm() -> None:
    """Load what a plan needs, so that the first one asked for is quick; Ctrl-C is the parent's."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for name, word in (("thresholds", "32"), ("points", "32"), ("parities", "8")):
        answer((("class", name), ("o.bits", word)), None)


def _ready() -> bool:
    return True


def serve(*, folder: Path | None, port: int, tell: Callable[[str], None]) -> None:
    """Serve the page until it is interrupted; ``tell`` is given its address."""
    if folder is not None and not folder.is_dir():
        raise BadInput(f"--data names {folder}, which is not a folder")
    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((_ADDRESS, port))
    except OSError as error:
        listening.close()
        raise BadInput(f"port {port} cannot be used: {error.strerror}; choose another") from None
    listening.listen(128)  # whoever opens the printed address at once waits, and is not refused
    port = listening.getsockname()[1]
    token = secrets.token_urlsafe(24)
    # Spawned, not forked: a fork would copy the records and locks of running releases.
    pool = ProcessPoolExecutor(_WORKERS, mp_context=get_context("spawn"), initializer=_warm)
    runner = ThreadPoolExecutor(1)
    with listening, pool, runner:
        for _ in range(_WORKERS):
            pool.submit(_ready)
        desk = Desk(
            token=token,
            pool=pool,
            runner=runner,
            folder=None if folder is None else Folder(folder.resolve()),
        )
        hosts = frozenset((f"{_ADDRESS}:{port}", f"localhost:{port}"))
        settings = uvicorn.Config(
            make_app(desk, hosts=hosts),
            log_level="critical",  # addresses hold the token, and a traceback may hold values
            access_log=False,
            server_header=False,
            ws="none",
            proxy_headers=False,
        )
        tell(f"http://{_ADDRESS}:{port}/{token}/plan")
        uvicorn.Server(settings).run(sockets=[listening])
