"""How every registered algorithm is driven: a tiny task and a larger one of its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np

from tacit.checks.audit.composites import composites
from tacit.checks.audit.enumeration import plain
from tacit.checks.audit.targets import COARSE, DELTA, Target, mechanisms
from tacit.checks.audit.tiny import Tiny, tiny, unlabelled
from tacit.classes import (
    OneWaySequences,
    Parities,
    Points,
    RealThresholds,
    Table,
    Thresholds,
    Trees,
)
from tacit.core import ALGORITHMS, Accuracy, Algorithm, Privacy, TacitError, Task
from tacit.domains import Schema, uniform_cube
from tacit.problems.formulas.k_term_dnf import KTermDnf
from tacit.problems.lines.lines import Lines
from tacit.problems.points.pseudorandom import PseudorandomPoints


def _bits(count: int, labels: int = 1) -> list[tuple[Any, Any]]:
    rows = list(product((0, 1), repeat=count))
    ys: list[Any] = [0, 1] if labels == 1 else list(product((0, 1), repeat=labels))
    return [(x, y) for x in rows for y in ys]


def _column(size: int, labels: int = 1) -> list[tuple[Any, Any]]:
    ys: list[Any] = [0, 1] if labels == 1 else list(product((0, 1), repeat=labels))
    return [(x, y) for x in range(size) for y in ys]


@dataclass(frozen=True, slots=True)
class _Case:
    """A tiny task, its records, and a larger task of the same kind with two neighbours."""

    tiny: Callable[[Fraction], Task]
    records: Sequence[Any]
    large: Callable[[Fraction], Task]
    usual: Any
    odd: Any


def _asked(
    concepts: Any, delta: Fraction = Fraction(0), relation: str = "replace-one", **more: Any
) -> Callable[[Fraction], Task]:
    return lambda epsilon: Task(
        concepts,
        privacy=Privacy(epsilon, delta, relation),
        accuracy=Accuracy("0.25", "0.25"),
        **more,
    )


def _cases() -> list[_Case]:
    real = [((x,), y) for x in (0.2, 0.7) for y in (0, 1)]
    cube: dict[str, Any] = {"marginal": uniform_cube(1, kappa=2)}
    uniform: dict[str, Any] = {"marginal": "uniform"}
    ones, zeros = tuple([1] * 4), tuple([0] * 4)
    found = []
    for delta in (Fraction(0), DELTA):
        for output in ("any", "proper", "improper"):
            more: dict[str, Any] = {"output": output}
            found += [
                _Case(
                    _asked(Points(size=2), delta, **more),
                    _column(2),
                    _asked(Points(bits=6), delta, **more),
                    (5, 1),
                    (6, 1),
                ),
                _Case(
                    _asked(Thresholds(size=3), delta, **more),
                    _column(3),
                    _asked(Thresholds(bits=6), delta, **more),
                    (20, 1),
                    (40, 0),
                ),
            ]
        for relation, setting in (
            ("replace-one", "agnostic"),
            ("label", "realizable"),
            ("label", "agnostic"),
        ):
            for few, many in (
                (Points(size=2), Points(bits=6)),
                (Thresholds(size=3), Thresholds(bits=6)),
            ):
                found.append(
                    _Case(
                        _asked(few, delta, relation, setting=setting),
                        _column(few.domain.size),
                        _asked(many, delta, relation, setting=setting),
                        (20, 1),
                        (20, 0) if relation == "label" else (40, 0),
                    )
                )
        found += [
            _Case(
                _asked(Points(size=2), delta, k=2),
                _column(2, 2),
                _asked(Points(bits=6), delta, k=2),
                (5, (1, 0)),
                (6, (1, 1)),
            ),
            _Case(
                _asked(Parities(bits=2), delta, **uniform),
                _bits(2),
                _asked(Parities(bits=4), delta, **uniform),
                (ones, 1),
                (zeros, 1),
            ),
            _Case(
                _asked(Parities(bits=2), delta, k=2, **uniform),
                _bits(2, 2),
                _asked(Parities(bits=4), delta, k=2, **uniform),
                (ones, (1, 0)),
                (zeros, (1, 1)),
            ),
            _Case(
                _asked(Parities(bits=2), delta),
                _bits(2),
                _asked(Parities(bits=4), delta),
                (ones, 1),
                (zeros, 1),
            ),
            _Case(
                _asked(Lines(2), delta), _bits(2), _asked(Lines(5), delta), ((1, 2), 1), ((3, 3), 1)
            ),
            _Case(
                _asked(OneWaySequences(index_bits=1, seed_bits=1), delta),
                _column(4),
                _asked(OneWaySequences(index_bits=2, seed_bits=4), delta),
                (5, 1),
                (60, 1),
            ),
            _Case(
                _asked(PseudorandomPoints(bits=3, seed_bits=2), delta),
                _column(8),
                _asked(PseudorandomPoints(bits=8, seed_bits=4), delta),
                (5, 1),
                (6, 1),
            ),
            _Case(
                _asked(KTermDnf(variables=2, terms=1), delta),
                _bits(2),
                _asked(KTermDnf(variables=4, terms=1), delta),
                (ones, 1),
                (zeros, 1),
            ),
            _Case(
                _asked(RealThresholds(), delta, **cube),
                real,
                _asked(RealThresholds(), delta, **cube),
                ((0.2,), 1),
                ((0.7,), 0),
            ),
            _Case(
                _asked(RealThresholds(), delta, "label"),
                real,
                _asked(RealThresholds(), delta, "label"),
                ((0.2,), 1),
                ((0.2,), 0),
            ),
        ]
        trees, larger_trees = (
            Trees(Schema.of([bool]).declared_complete(), 1),
            Trees(Schema.of([(0, 1), bool], bins=2).declared_complete(), 2),
        )
        found += [
            _Case(
                _asked(trees, delta),
                [((x,), y) for x in (False, True) for y in (0, 1)],
                _asked(larger_trees, delta),
                ((0.2, False), 1),
                ((0.8, True), 0),
            ),
            _Case(
                _asked(Thresholds(size=2), delta, k=2),
                _column(2, 2),
                _asked(Thresholds(bits=4), delta, k=2),
                (3, (1, 0)),
                (9, (0, 0)),
            ),
            _Case(
                _asked(Table(np.eye(2, dtype=int)), delta, k=2),
                _column(2, 2),
                _asked(Table(np.eye(3, dtype=int)), delta, k=2),
                (1, (1, 0)),
                (2, (0, 0)),
            ),
        ]
        for concepts, larger in (
            (Points(size=2), Points(bits=4)),
            (Thresholds(size=2), Thresholds(bits=4)),
            (Table(np.eye(2, dtype=int)), Table(np.eye(4, dtype=int))),
        ):
            found.append(
                _Case(
                    _asked(concepts, delta, goal="sanitize"),
                    (0, 1),
                    _asked(larger, delta, goal="sanitize"),
                    1,
                    3,
                )
            )
    return found


def algorithms(*, n: int = 2, large_n: int = 12) -> Iterator[Target | tuple[str, str]]:
    """Every registered algorithm on the first case that it takes; or its name and why not."""
    cases, smaller = _cases(), tiny()
    for entry in ALGORITHMS:
        reason, made = "no tiny case of its kind is listed", smaller.get(entry.name)
        for case in cases:
            refused = _refusal(entry, case, n, large_n)
            if refused is None:
                found = _target(entry, case, n, large_n)
                yield found if made is None else replace(found, **_instance(made))
                break
            reason = refused or reason
        else:
            yield (entry.name, reason) if made is None else _by_itself(entry.name, made)


def _instance(made: Tiny) -> dict[str, Any]:
    own = {one.name: getattr(made, one.name) for one in fields(made) if one.name != "make"}
    return {**own, "tiny": made.make}


def _by_itself(name: str, made: Tiny) -> Target:
    """An algorithm that no larger task of the list takes: sampled where it is enumerated."""
    pairs = [(made.form(left), made.form(right)) for left, right in made.only or ()]
    return Target(name=name, sampled=made.make, pairs=pairs, **_instance(made))


def everything() -> Iterator[Target | tuple[str, str]]:
    """All lines: mechanisms, those that are made of others, and algorithms."""
    yield from mechanisms()
    yield from composites()
    yield from algorithms()


def _refusal(entry: Algorithm, case: _Case, n: int, large_n: int) -> str | None:
    """``None`` if the case fits, an empty string if it is of another kind, else the reason."""
    one = Fraction(1)
    try:
        tiny, large = case.tiny(one), case.large(one)
        if entry.why_not(tiny) is not None or entry.why_not(large) is not None:
            return ""
        entry.built(tiny, n), entry.built(large, large_n)
    except TacitError as reason:
        return str(reason)
    return None


def _target(entry: Algorithm, case: _Case, n: int, large_n: int) -> Target:
    form = unlabelled if entry.goal == "sanitize" else plain

    def data(odd: int) -> Any:
        return form((*[case.usual] * (large_n - odd), *[case.odd] * odd))

    half = large_n // 2
    return Target(
        name=entry.name,
        tiny=lambda epsilon: entry.built(case.tiny(epsilon), n),
        records=case.records,
        n=n,
        sampled=lambda epsilon: entry.built(case.large(epsilon), large_n),
        # One record that stands out, and a tie that one record breaks.
        pairs=((data(0), data(1)), (data(half), data(half + 1))),
        form=form,
        order="matters",
        delta=case.tiny(Fraction(1)).privacy.delta or None,
        faint=COARSE,
    )


def named(name: str) -> Target | None:
    """The target of this name, in any spelling of its case."""
    for target in everything():
        if isinstance(target, Target) and target.name.lower() == name.lower():
            return target
    return None
