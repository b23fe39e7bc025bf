"""A release for people: the rule or table, its drawing, its certificate, what was checked."""

from __future__ import annotations

from dataclasses import dataclass

from markupsafe import Markup

from tacit.accounting import Ledger
from tacit.core import words
from tacit.core.printable import in_html
from tacit.report.anew import PATIENCE
from tacit.report.drawing import drawing
from tacit.report.formats import context
from tacit.report.release_file import ReleaseFile
from tacit.report.verdict import Check, State
from tacit.report.verify import verify_release


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What a page needs to show a release; ``groups`` are checks, the failed ones first."""

    name: str
    published: tuple[str, ...]
    drawn: Markup | None
    facts: tuple[tuple[str, str], ...]
    certificate: tuple[tuple[str, Markup], ...]
    annex: tuple[Markup, ...]
    holds: bool
    groups: tuple[tuple[str, str, tuple[Check, ...]], ...]


_TITLES = {
    State.FAILS: ("bad", "Does not hold"),
    State.HOLDS: ("good", "Holds: computed or checked here"),
    State.CLAIMED: ("", "Claimed, and not checked here"),
    State.ABSENT: ("", "Not stated in the file"),
}


def shown(
    release: ReleaseFile, *, ledger: Ledger | None = None, seconds: float | None = PATIENCE
) -> Shown:
    """Verify a release that was read, and put it into words.

    ``seconds``  how long its numbers may take in a process of their own; ``None`` computes
                 them here, for a file that we made ourselves.
    """
    verdict = verify_release(release, ledger=ledger, seconds=seconds)
    drawn = drawing(release.value if release.rule is None else release.rule)
    told = [pair for pair in context(release) if pair[0] != "Published"]
    return Shown(
        name=release.name,
        published=tuple(release.describe().splitlines()),
        # The drawing escapes every word that it was given.
        drawn=None if drawn is None else Markup(drawn),  # noqa: S704
        facts=tuple(told),
        certificate=tuple((name, _html(text)) for name, text in words.rows(release.certificate)),
        annex=tuple(map(_html, words.annex(release.certificate))),
        holds=bool(verdict),
        groups=tuple(
            (*_TITLES[state], found)
            for state in _TITLES
            if (found := tuple(one for one in verdict.checks if one.state is state))
        ),
    )


def _html(text: str) -> Markup:
    """A sentence with its code set as code; every other sign of it is escaped."""
    return Markup(in_html(text))  # noqa: S704
