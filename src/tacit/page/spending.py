"""Every spend is offered first and confirmed once: a second click finds the first one's job."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Generic, TypeVar

from tacit.core import BadInput

T = TypeVar("T")

_MOST = 100
_SECONDS = 3600.0

Tell = Callable[[str], None]
"""Takes one line of public text: how far a job is."""


@dataclass
class Job(Generic[T]):
    """One confirmed spend: how far it is, and what came of it."""

    key: str = field(default_factory=lambda: secrets.token_urlsafe(16))
    stage: str = "waiting for its turn"
    result: T | None = None
    problem: str | None = None

    @property
    def done(self) -> bool:
        return self.result is not None or self.problem is not None

    def tell(self, stage: str) -> None:
        """Say how far it is."""
        self.stage = stage


@dataclass
class _Offer:
    order: object
    at: float
    job: Job[object] | None = None


class Spending:
    """What waits for a confirmation, and what became of what was confirmed.

    A token is good for one job, whoever sends it how often; an hour after the offer it is
    good for nothing.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._offers: OrderedDict[str, _Offer] = OrderedDict()
        self._jobs: OrderedDict[str, Job[object]] = OrderedDict()
        self._lock = Lock()
        self._clock = clock

    def offer(self, order: object) -> str:
        """A token that confirms this order once."""
        token = secrets.token_urlsafe(32)
        with self._lock:
            self._offers[token] = _Offer(order, self._clock())
            while len(self._offers) > _MOST:
                self._offers.popitem(last=False)
        return token

    def offered(self, token: str) -> object:
        """What this token confirms, to be shown once more; it is spent by ``confirm`` alone."""
        with self._lock:
            return self._open(token).order

    def _open(self, token: str) -> _Offer:
        offer = self._offers.get(token)
        if offer is None or (offer.job is None and self._clock() - offer.at > _SECONDS):
            raise BadInput("this offer is no longer open: ask again what it would cost")
        return offer

    def confirm(self, token: str) -> tuple[Job[object], object | None]:
        """The job of this offer; with its order the first time, and with ``None`` after."""
        with self._lock:
            offer = self._open(token)
            if offer.job is not None:
                return offer.job, None
            offer.job = Job()
            self._jobs[offer.job.key] = offer.job
            while len(self._jobs) > _MOST:
                self._jobs.popitem(last=False)
            return offer.job, offer.order

    def job(self, key: str) -> Job[object]:
        """The job of this key."""
        found = self._jobs.get(key)
        if found is None:
            raise BadInput(
                "there is no such job in this run of the page; what was paid for stands in the "
                "ledger and in its file"
            )
        return found
