"""What was found about a release: checks, each in words, and the verdict they make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

from tacit.core import TacitError
from tacit.core.printable import one_line


class State(Enum):
    """What is known about one statement of a release."""

    HOLDS = "holds"
    CLAIMED = "claimed"
    FAILS = "FAILS"
    ABSENT = "not stated"


@dataclass(frozen=True)
class Check:
    """One statement, what was found about it, and in which words."""

    name: str
    state: State
    words: str


@dataclass(frozen=True)
class Verdict:
    """All checks of one release. It is true as a whole if none failed."""

    checks: tuple[Check, ...]

    def __bool__(self) -> bool:
        return all(check.state is not State.FAILS for check in self.checks)

    def __str__(self) -> str:
        order = (State.FAILS, State.HOLDS, State.CLAIMED, State.ABSENT)
        titles = {
            State.FAILS: "Does not hold:",
            State.HOLDS: "Holds, computed or checked here:",
            State.CLAIMED: "Claimed, and not checked here:",
            State.ABSENT: "Not stated in the file:",
        }
        parts = []
        for state in order:
            found = [check for check in self.checks if check.state is state]
            if found:
                parts.append(titles[state])
                parts += [f"  - {check.name}: {one_line(check.words)}" for check in found]
        return "\n".join(parts)

    def to_dict(self) -> dict[str, object]:
        """A JSON-ready form."""
        rows = [
            {"name": check.name, "state": check.state.value, "words": check.words}
            for check in self.checks
        ]
        return {"holds": bool(self), "checks": rows}


class Wrong(Exception):
    """A statement does not hold; the message says which, in words."""


_DAMAGED = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What numbers that do not fit together can end in."""


def test(name: str, check: Callable[[], str]) -> Check:
    """Run one check: it returns what holds, or raises what does not."""
    try:
        return Check(name, State.HOLDS, check())
    except Wrong as wrong:
        return Check(name, State.FAILS, str(wrong))
    except (TacitError, *_DAMAGED):
        return Check(name, State.FAILS, "it cannot be computed from what the file says")
