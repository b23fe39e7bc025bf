"""Tests of ``tacit.page.patience``: half requests are not waited for, whole ones are."""

from __future__ import annotations

import asyncio
import contextlib
import socket

import pytest
import uvicorn

from tacit.page import patience


async def _slow(scope, receive, send):
    """Answers after twice the time that half a request has."""
    if scope["type"] == "http":
        await asyncio.sleep(4 * patience.SECONDS)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"a", b"b")]})
        await send({"type": "http.response.body", "body": b"whole"})


async def _sent(port, *parts):
    """What comes back until the end, or ``None`` if the connection stays open."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for part in parts:
        writer.write(part)
        await writer.drain()
        await asyncio.sleep(0.05)
    try:
        return await asyncio.wait_for(reader.read(), 30 * patience.SECONDS)
    except TimeoutError:
        return None
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def _serving(asked):
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        settings = uvicorn.Config(
            _slow, http=patience.Patience, log_level="critical", lifespan="off", ws="none"
        )
        server = uvicorn.Server(settings)
        ends = asyncio.create_task(server.serve(sockets=[listening]))
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            return await asked(listening.getsockname()[1])
        finally:
            server.should_exit = True
            await ends


WHOLE = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
HALF = b"GET / HTTP/1.1\r\nHost: a\r\nX-"


@pytest.mark.parametrize("parts", [(), (HALF,), (HALF, b"a"), (WHOLE, HALF)])
def test_half_a_request_ends(monkeypatch, parts):
    monkeypatch.setattr(patience, "SECONDS", 0.3)
    answer = asyncio.run(_serving(lambda port: _sent(port, *parts)))
    assert answer is not None
    assert (b"whole" in answer) is (WHOLE in parts)


def test_a_whole_one_is_answered_however_long_it_takes(monkeypatch):
    monkeypatch.setattr(patience, "SECONDS", 0.3)
    last = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    answer = asyncio.run(_serving(lambda port: _sent(port, last)))
    assert answer is not None
    assert b"whole" in answer
