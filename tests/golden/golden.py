"""Golden values: seeded releases and exact laws, computed anew and compared with the record.

``python -m tests.golden.record`` writes the record. Do that only when a change of behaviour
is meant, and say in the commit which values moved and why.
"""

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from tests.golden import classifiers
from tests.golden.tasks import Case, cases

import tacit
from tacit.checks.audit import Law, exact, law
from tacit.checks.audit.enumeration import claim_of, neighbouring
from tacit.checks.audit.instances import everything, formed
from tacit.checks.testing import seeded
from tacit.core import ALGORITHMS, TacitError, Tiny
from tacit.planner.persons import for_task

HERE = Path(__file__).parent
DELTAS = (Fraction(0), Fraction(1, 20))
MOST_RECORDS = 2000
FAINT = Fraction(1, 1 << 14)
"""Fainter paths are not followed here: these laws are recorded, not compared with a claim."""
_LONGEST = 400
_DIGITS = 18


def plain(value: Any) -> Any:
    """JSON without anything that depends on a library's version; floats to nine digits."""
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return f"{float(value):.9g}"
    if isinstance(value, (Fraction, str)):
        return str(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, dict):
        return {str(name): plain(part) for name, part in sorted(value.items(), key=repr)}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if hasattr(value, "to_dict"):
        return plain(value.to_dict())
    if is_dataclass(value):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value)}
    return None if value is None else str(value)


def short(value: Any) -> Any:
    """The value itself, or the digest of a long one."""
    found = plain(value)
    text = json.dumps(found, sort_keys=True)
    return found if len(text) <= _LONGEST else digest(text)


def digest(text: str) -> str:
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()[:32]}"


def _numbers(certificate: Any) -> dict[str, Any]:
    """What a certificate says in numbers, by names that outlive its layout."""
    found = {
        "epsilon": certificate.epsilon,
        "delta": certificate.delta,
        "n": certificate.n,
        "beta": certificate.beta,
    }
    if certificate.planned is not None:
        found["n_needed"] = certificate.needed
        found["alpha"] = certificate.asked.alpha
        found["accuracy_certified"] = certificate.accurate
    else:
        found["alpha"] = certificate.error
        found["noisy_mistakes"] = certificate.noisy_mistakes
        found["comparators"] = [
            {"against": one.what, "realizable": one.realizable, "excess": one.excess}
            for one in certificate.comparators
        ]
    return {name: plain(value) for name, value in found.items()}


def release_of(
    case: Case, delta: Fraction, algorithm: Any, *, source: Callable[[Any], Any] | None = None
) -> dict[str, Any] | None:
    """One seeded release; ``None`` where the algorithm does not take the task.

    ``source`` shows the same records in another way.
    """
    task = case.task(delta)
    algorithm = for_task(algorithm, task)
    if algorithm.why_not(task) is not None or algorithm.too_large(task) is not None:
        return None
    try:
        planned = algorithm.bound(task).n
    except TacitError:
        return None
    data = case.records(min(planned, MOST_RECORDS) * (case.rows or 1))
    data = data if source is None else source(data)
    tools: dict[str, Any] = {
        "algorithm": algorithm.name,
        "rng": seeded(f"golden/{algorithm.name}/{case.name}/{delta}"),
        "ledger": tacit.Ledger.memory(),
    }
    if task.goal == "sanitize":
        asked = {"privacy": task.privacy, "accuracy": task.accuracy}
        release: Any = tacit.sanitize(data, case.concepts, **asked, **tools)
    else:
        groups = np.arange(len(data[0])) // case.rows if case.rows else None
        release = tacit.learn(task, data, groups=groups, **tools)
    return {
        "planned": planned,
        "value": short(release.value),
        "event": short(release.event),
        "certificate": _numbers(release.certificate),
    }


def algorithms() -> dict[str, Any]:
    """A release of every algorithm for every task that it takes."""
    found = {
        f"{entry.name} | {case.name} | {delta}": release_of(case, delta, entry)
        for entry in ALGORITHMS
        for case in cases()
        for delta in DELTAS
    }
    return {name: one for name, one in found.items() if one is not None}


def estimators() -> dict[str, Any]:
    """A fit of every classifier, and of its variants that take other ways."""
    found = {}
    for name, fitted in classifiers.fitted():
        apart = not hasattr(fitted, "release_") and hasattr(fitted, "estimators_")
        parts = fitted.estimators_ if apart else [fitted]
        rules = getattr(fitted, "rules_", None) or [fitted.rule_]
        found[name] = {
            "rules": [short(rule) for rule in rules],
            "words": short(fitted.describe()),
            "events": [short(part.release_.event) for part in parts],
            "certificates": [_numbers(part.release_.certificate) for part in parts],
        }
    return found


def _share(mass: Any) -> str:
    """A probability to eighteen digits: every one of them certain, at 160 bits."""
    return str(mass.str(_DIGITS, radius=False))


def _told(found: Law) -> dict[str, Any]:
    masses = sorted([json.dumps(plain(seen)), _share(mass)] for seen, mass in found.masses.items())
    return {
        "outputs": len(masses),
        "law": short(masses),
        "rest": f"{float(found.rest):.9g}",
        "coins": found.coins,
    }


def _exactly(target: Tiny) -> dict[str, Any]:
    """The laws on two pairs of neighbours, and the greater loss between the two of a pair."""
    mechanism = target.make(Fraction(1))
    event = mechanism.event()
    epsilon, delta = claim_of(event, target.delta)
    every = neighbouring(target.records, target.n, event.relation, order=target.order)
    listed = list(target.only or islice(every, 8))
    pairs = [listed[0], listed[-1]]
    faint = max(target.faint, FAINT)
    known = {
        side: law(mechanism, formed(target, side), faint=faint) for pair in pairs for side in pair
    }
    asked: dict[str, Any] = {"epsilon": epsilon, "delta": delta, "relation": event.relation}
    audit = exact(
        known.__getitem__, target.records, target.n, pairs=pairs, form=lambda side: side, **asked
    )
    return {
        "records": digest(repr(pairs)),
        "claimed": [str(epsilon), str(delta)],
        "epsilon": [f"{float(end):.12g}" for end in audit.epsilon],
        "laws": [_told(one) for one in known.values()],
    }


def laws() -> dict[str, Any]:
    """The exact law of every mechanism and algorithm on its tiny instance."""
    return {line.name: _exactly(line) for line in everything()}


RECORDS = {"algorithms": algorithms, "estimators": estimators, "laws": laws}


def recorded(name: str) -> dict[str, Any]:
    """What ``python -m tests.golden.record`` wrote."""
    found: dict[str, Any] = json.loads((HERE / f"{name}.json").read_text(encoding="utf-8"))
    return found


def differences(name: str, found: dict[str, Any]) -> Iterator[str]:
    """Every entry that is not as recorded, in words."""
    known = recorded(name)
    for entry in sorted(known.keys() | found.keys()):
        was, now = known.get(entry), found.get(entry)
        if was != now:
            yield f"{name}: {entry}\n  recorded {_moved(was, now)}\n  now      {_moved(now, was)}"


def _moved(one: dict[str, Any] | None, other: dict[str, Any] | None) -> str:
    """The parts of one entry that differ from the other."""
    if one is None or other is None:
        return json.dumps(one)
    return json.dumps({part: one[part] for part in one if one[part] != other.get(part)})
