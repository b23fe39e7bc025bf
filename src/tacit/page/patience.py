"""How long the page waits for a request that has begun: nobody can fill it with half requests.

Any process of this machine can connect, with or without the secret, and uvicorn waits for the end
of a request's first lines for ever.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

SECONDS = 20.0
"""After so long without a whole request a connection is closed; twice as long at the most."""


class Patience(H11Protocol):
    """A connection that is closed if nothing that it sends becomes a request.

    One that is answered is left alone however long that takes, and so is an idle one that was
    answered before, which uvicorn closes by itself.
    """

    _clock: asyncio.TimerHandle | None = None
    _begun = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start to watch."""
        super().connection_made(transport)
        self._clock = self.loop.call_later(SECONDS, self._look)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop to watch."""
        if self._clock is not None:
            self._clock.cancel()
        super().connection_lost(exc)

    def _look(self) -> None:
        answered = self.cycle is not None
        waiting = not answered or self.cycle.response_complete
        half = waiting and (not answered or bool(self.conn.trailing_data[0]))
        if half and (self._begun or not answered):
            self.transport.close()
            return
        self._begun = half
        self._clock = self.loop.call_later(SECONDS, self._look)
