"""Addresses of databases: taken apart and repeated without what they can hold of secrets."""

from __future__ import annotations

import re
from urllib.parse import SplitResult, urlsplit, urlunsplit

from tacit.core.errors import BadInput

_BEGINS = re.compile(r"[\w+.-]{2,}:/")
"""As an address does, also one that lost a stroke as a path; one letter is a drive."""

_SETTINGS = re.compile(
    r"""(?:^|[\s;])['"]?\w*(?:password|passwd|pwd|secret|token)['"]?\s*=""", re.IGNORECASE
)
"""As settings of a connection do that are no address: ``host=... password=...``, or with ``;``."""


def looks_like_address(text: str) -> bool:
    """Whether a text has the form of an address, of whatever kind, or of settings for one."""
    return _BEGINS.search(text) is not None or _SETTINGS.search(text) is not None


def parts_of(address: str) -> SplitResult:
    """The parts of an address; one that has none is refused, and not repeated."""
    try:
        return urlsplit(address)
    except ValueError:  # its words quote the address
        raise BadInput(
            "this is no address; in a user's name or password write [ as %5B, ] as %5D, / as %2F "
            "and @ as %40"
        ) from None


def shown(text: str) -> str:
    """A path as it is; an address without user, password and settings."""
    if not looks_like_address(text):
        return text
    if (settings := _SETTINGS.search(text)) is not None:
        return "..." if _BEGINS.search(text) else f"{text[: settings.end()]}..."
    hidden = f"{text.partition(':')[0]}://..."
    try:
        parts = urlsplit(text)
    except ValueError:
        return hidden
    user, _, host = parts.netloc.rpartition("@")
    if "@" in parts.path + parts.query + parts.fragment or ";" in user:
        return hidden  # a password may go as far as there
    # Spark Connect, and many others, take settings after a semicolon.
    (host, *_), (path, *_) = host.split(";"), parts.path.split(";")
    return urlunsplit(parts._replace(netloc=host, path=path, query=""))
