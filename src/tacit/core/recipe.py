"""How a certificate is computed anew: who knows the public numbers that it was made from."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from tacit.core.certificate import Certificate
from tacit.core.errors import BadInput

Rebuild = Callable[[Certificate, Any], Certificate]
"""From what a certificate claims (asked, n, noisy counts, recipe) and the released value."""

_REBUILDS: dict[str, Rebuild] = {}
_HOMES = {
    "task": "tacit.report.certify",
    "synthetic table": "tacit.report.certify_table",
}
"""Where each kind is registered, loaded when one is needed."""


def rebuilds(kind: str) -> Callable[[Rebuild], Rebuild]:
    """Decorator: the function computes anew the certificates whose recipe is of this kind."""

    def register(rebuild: Rebuild) -> Rebuild:
        _REBUILDS[kind] = rebuild
        return rebuild

    return register


def rebuilt(stated: Certificate, value: object) -> Certificate:
    """The certificate as this version states it, from the recipe of the stated one."""
    kind = None if stated.recipe is None else stated.recipe.get("kind")
    if not isinstance(kind, str) or kind not in _HOMES:
        raise BadInput("the certificate was made in a way that this version does not know")
    importlib.import_module(_HOMES[kind])
    return _REBUILDS[kind](stated, value)
