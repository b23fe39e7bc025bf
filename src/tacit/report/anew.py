"""Compute a certificate anew from the public numbers of its file, within limits.

The theorems behind a certificate are searches over exact numbers, and a file of somebody
else can name numbers for which a search never ends. So it runs in a process of its own
(``python -m tacit.report.anew``) with a limit of time and of memory.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace

from tacit.core.certificate import Certificate
from tacit.core.recipe import rebuilt
from tacit.core.records import LARGEST
from tacit.report.release_file import ReleaseFile, read_release, release_text, same_theorem
from tacit.report.verdict import Check, State, Wrong, test

NAME = "computed anew"
PATIENCE = 60.0
"""Seconds; every release of the test suite takes less than one."""
_MEMORY = 4 << 30  # bytes that computing anew may take
_PARTS = {
    "asked": "what was asked for",
    "spent": "the event, or its epsilon and delta",
    "algorithm": "the algorithm",
    "what": "the class of rules, in words",
    "n": "the number of records",
    "privacy_claim": "the theorem behind the privacy",
    "planned": "how many records suffice",
    "measured": "the bound on the error",
    "compared": "the bounds against other rules",
    "answered": "the bound on the error of every answer",
    "several": "the bounds on the errors of the rules",
    "rates": "what the rates of the rule's parts cost, or how far off they may be",
    "recipe": "what it was made with",
}
"""The parts of a certificate that follow from others, in words."""


def computed_anew(release: ReleaseFile, *, seconds: float | None = PATIENCE) -> Check:
    """Build the mechanism again from its public numbers and compare everything it states."""
    if seconds is None:
        return test(NAME, lambda: _compared(release))
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "tacit.report.anew"],
            input=release_text(release.record).encode(),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=seconds,
            check=False,
        )
        state, words = json.loads(done.stdout)
        return Check(NAME, State(state), str(words))
    except subprocess.TimeoutExpired:
        words = f"its numbers take more than {seconds:g} seconds to compute: nothing is known"
    except (OSError, ValueError):
        words = "its numbers cannot be computed within the limits of memory: nothing is known"
    return Check(NAME, State.FAILS, words)


def _compared(release: ReleaseFile) -> str:
    stated = release.certificate
    proofs = release.record["made"]["proofs"]
    anew = _worded_as(_by_its_theorem(rebuilt(stated, release.value), stated), stated, proofs)
    for part, words in _PARTS.items():
        if getattr(anew, part) != getattr(stated, part):
            raise Wrong(f"{words}: this is not what the public numbers of the file give")
    return "cost, theorems and error bounds are what the mechanism with these numbers has"


def _by_its_theorem(anew: Certificate, stated: Certificate) -> Certificate:
    """With the error of an older theorem, if the file names one; ``verify`` computes that."""
    if anew.measured is None or stated.measured is None:
        return anew
    if anew.measured.claim == stated.measured.claim:
        return anew
    claim, error = stated.measured.claim, stated.measured.error
    return replace(anew, measured=replace(anew.measured, claim=claim, error=error))


def _worded_as(anew: Certificate, stated: Certificate, proofs: Mapping[str, str]) -> Certificate:
    """With its theorems in the words of the file, where that names other versions of them."""
    if same_theorem(stated.privacy_claim, anew.privacy_claim, proofs):
        anew = replace(anew, privacy_claim=stated.privacy_claim)
    for name in ("planned", "compared", "answered", "several", "rates"):
        ours, theirs = getattr(anew, name), getattr(stated, name)
        if ours is None or theirs is None:
            continue
        if same_theorem(theirs.claim, ours.claim, proofs):
            anew = replace(anew, **{name: replace(ours, claim=theirs.claim)})
    return anew


def _limit_memory() -> None:
    """Where the system has such limits."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))


def _main() -> None:
    _limit_memory()
    release = read_release(sys.stdin.buffer.read(LARGEST + 1), name="the release")
    found = test(NAME, lambda: _compared(release))
    json.dump([found.state.value, found.words], sys.stdout)


if __name__ == "__main__":
    _main()
