"""``tacit attack``: what breaks a faulty mechanism, and does not break the corrected one."""

from __future__ import annotations

import json
import sys
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tacit.cli.common_options import AsJson
from tacit.core import BadInput

if TYPE_CHECKING:
    from collections.abc import Callable

    from tacit.checks.attacks.printed import Loss

Row = dict[str, Any]


def attack(
    *,
    name: Annotated[str, typer.Argument(help="Which attack, or `list`.")] = "list",
    runs: Annotated[int, typer.Option(help="Repetitions; slow learners have fewer.", min=10)] = 200,
    as_json: AsJson = False,
) -> None:
    """Run an attack on a faulty mechanism and on the corrected one."""
    if name == "list":
        for known, run in ATTACKS.items():
            typer.echo(f"{known:<16} {(run.__doc__ or '').strip()}")
        return
    if name not in ATTACKS:
        raise BadInput(f"there is no attack {name!r}; known: {', '.join(ATTACKS)}")
    if as_json:
        typer.echo(json.dumps(ATTACKS[name](runs), indent=2))
        return
    for line in BEFORE.get(name, ()):
        typer.echo(line)
    if sys.stderr.isatty():
        typer.echo("attacking ...", err=True)
    rows = ATTACKS[name](runs)
    from rich.console import Console
    from rich.table import Table

    sheet = Table(title=name)
    for heading in rows[0]:
        sheet.add_column(heading)
    for row in rows:
        sheet.add_row(*map(_cell, row.values()))
    Console().print(sheet)
    for note in NOTES.get(name, ()):
        typer.echo(note)


def _cell(cell: object) -> str:
    """A cell for people; a list says in how many runs each record was meant."""
    if not isinstance(cell, list):
        return str(cell)
    told = [f"record {at} in {count} runs" for at, count in enumerate(cell, start=1) if count]
    return ", ".join(told) or "nobody"


def _tracing(runs: int) -> list[Row]:
    """BNS19 Theorem 43: labels that are a code betray the records of a k-learner."""
    from tacit.checks.attacks import boneh_shaw
    from tacit.checks.attacks.faulty import majority_learner
    from tacit.checks.attacks.tracing import labels_right, trace_learner
    from tacit.classes import Thresholds
    from tacit.domains import Integers
    from tacit.problems.finite.finite_class import FiniteClassLearner
    from tacit.problems.several.direct_sum import DirectSum

    users, xi = 3, Fraction(1, 60)
    tasks = boneh_shaw.length(users=users, xi=xi)
    learner = FiniteClassLearner(
        concept_class=Thresholds(size=users + 1, orientation="<"), epsilon=Fraction(1, tasks)
    )
    private = DirectSum(learner=learner, domain=Integers(size=users + 1), k=tasks)
    few = max(10, runs // 10)
    rows = []
    for label, tried, times in (
        ("no privacy", majority_learner, runs),
        ("epsilon 1", private, few),
    ):
        found = trace_learner(tried, n=users, xi=xi, runs=times)
        rows.append(
            {
                "learner": label,
                "tasks": found.columns,
                "runs": found.runs,
                "accused": list(found.accused),
                "nobody": found.unaccused,
                "labels right": f"{labels_right(tried, users, xi=xi):.0%}",
                "epsilon at least": round(float(found.epsilon), 3),
            }
        )
    return rows


def _packing(runs: int) -> list[Row]:
    """BBKN13 Theorem 3.6: a proper learner with too few records fails, or is not private."""
    from tacit.checks.attacks import packing
    from tacit.checks.attacks.faulty import first_positive
    from tacit.classes import Points
    from tacit.problems.finite.finite_class import FiniteClassLearner

    points = Points(size=64)
    ours = FiniteClassLearner(
        concept_class=points, epsilon=Fraction(1), selector="permute-and-flip"
    )
    cases: list[tuple[str, Any, int]] = [
        ("private, 3 records", ours, 3),
        ("private, 60 records", ours, 60),
        ("no privacy, 3 records", lambda s: first_positive(s.x, s.y, points), 3),
    ]
    rows = []
    for label, learner, n in cases:
        found = packing.attack(learner, packing.points(size=64, n=n), epsilon=1, runs=runs)
        rows.append(
            {
                "learner": label,
                "success": f"{float(found.success[0]):.3f} to {float(found.success[1]):.3f}",
                "fails": found.fails(Fraction(1, 10)),
                "epsilon at least": round(float(found.epsilon), 3),
                "claim broken": found.not_private,
            }
        )
    return rows


def _floating(runs: int) -> list[Row]:
    """Mironov 2012: the doubles that a float Laplace mechanism cannot put out."""
    from tacit.checks.attacks.faulty import FloatLaplace
    from tacit.checks.attacks.floating_point import finest_bit, holes, reachable
    from tacit.exact.entropy import SYSTEM
    from tacit.exact.geometric import two_sided_geometric

    naive = FloatLaplace(1.0)

    def ours(value: float) -> float:
        return value + two_sided_geometric(SYSTEM, Fraction(1024)) / 1024

    cases: list[tuple[str, Any, Any]] = [
        (
            "float Laplace",
            lambda value: naive(value, rng=SYSTEM),
            lambda output, value: reachable(output, value, scale=1.0),
        ),
        ("geometric on a grid", ours, lambda output, _: finest_bit(output) >= -10),
    ]
    rows = []
    for label, mechanism, possible in cases:
        found = holes(mechanism, possible=possible, runs=runs)
        rows.append(
            {
                "mechanism": label,
                "runs": found.runs,
                "betrayed": found.impossible_for_other,
                "epsilon at least": round(float(found.epsilon), 3),
            }
        )
    return rows


def _distinguisher(runs: int) -> list[Row]:
    """BBKN13 Theorem 6.1: a proper learner of pseudorandom points tests the generator."""
    from tacit.checks.attacks.distinguisher import distinguish
    from tacit.classes import Points
    from tacit.problems.finite.finite_class import FiniteClassLearner
    from tacit.problems.points.pseudorandom import PseudorandomPoints

    hidden = PseudorandomPoints(bits=24, seed_bits=8)
    rows = []
    for label, concepts in (("proper", hidden), ("any point", Points(bits=24))):
        learner = FiniteClassLearner(concept_class=concepts, epsilon=Fraction(1))
        found = distinguish(learner, hidden, n=120, runs=runs)
        rows.append(
            {
                "learner": label,
                "generated found": found.found_generated,
                "uniform found": found.found_uniform,
                "advantage at least": round(float(found.advantage), 3),
            }
        )
    return rows


def _reconstruction(runs: int) -> list[Row]:
    """BBKN13 Theorem 5.8: the threshold behind a rule that was blurred by noise."""
    import numpy as np

    from tacit.checks.attacks import reconstruction
    from tacit.classes import Thresholds
    from tacit.core import Sample
    from tacit.problems.thresholds.independent_noise import IndependentNoiseLearner

    x = np.tile(np.arange(256), 4)
    data = Sample(x, (x >= 100).astype(int))
    rows = []
    for noise in (Fraction(1, 100), Fraction(1, 2)):
        learner = IndependentNoiseLearner(
            concept_class=Thresholds(size=256), epsilon=Fraction(1), noise=noise
        )
        found = reconstruction.attack(learner, data, runs=runs)
        rows.append(
            {
                "noise": str(noise),
                "recovered": f"{found.recovered} of {found.runs}",
                "promised": float(found.promised),
            }
        )
    return rows


def _losses(found: list[Loss], unit: str) -> list[Row]:
    return [
        {
            "version": one.version,
            f"{unit} claimed": f"{one.claimed:.4g}",
            f"true {unit}": f"{one.true:.4g}",
            "broken": one.broken,
        }
        for one in found
    ]


def _gap_test(_: int) -> list[Row]:
    """BNS19 Algorithm 1 (A_dist) as printed: its delta is 0.36 where a millionth is claimed."""
    from tacit.checks.attacks import printed

    return _losses(printed.gap_test(), "delta")


def _point_sampler(_: int) -> list[Row]:
    """BBKN13 Lemma 3.4 as printed: the sampler of points loses more than its epsilon."""
    from tacit.checks.attacks import printed

    return [
        {"values, records": f"{size}, {records}"} | row
        for size, records in ((4, 3), (3, 3))
        for row in _losses(printed.point_sampler(size, records), "epsilon")
    ]


def _resampling(_: int) -> list[Row]:
    """BNS19 Lemma 29 as printed: a factor upside down, so that it promises nothing."""
    from tacit.checks.attacks import printed

    return _losses(printed.resampling(), "epsilon")


ATTACKS: dict[str, Callable[[int], list[Row]]] = {
    "tracing": _tracing,
    "packing": _packing,
    "floating-point": _floating,
    "distinguisher": _distinguisher,
    "reconstruction": _reconstruction,
    "a-dist": _gap_test,
    "lemma-3.4": _point_sampler,
    "lemma-29": _resampling,
}

BEFORE = {
    "tracing": (
        "Three made-up records are labelled for 200 tasks at once: the labels of each",
        "record are a secret code word. The attacker sees only the learned rules, and",
        "asks whose code word they spell. It takes about 20 seconds: the private learner",
        "is run exactly, many times.",
    ),
}
"""What is told before an attack begins."""

NOTES = {
    "tracing": (
        "A record that was not there is accused in at most 1 run of 60, whatever the",
        "rules are: more than that betrays that the record was there, and proves that",
        "epsilon is at least what the last column says, with 95 % confidence; 0.0 there",
        "proves nothing, and the promise of the private learner is its proof.",
        "Without privacy every rule says what most records say; the second record's code",
        "word lies between the other two, so it is the one that is spelt.",
        "What does the private learner still learn from three records? Next to nothing.",
        "Its epsilon of 1 for all tasks is 1/200 for each, so its rules give back about as",
        "many of the records' own labels as rules drawn without looking. Nobody can do",
        "better: rules that are right from so few records betray them. How many records",
        "private rules need: tacit plan --class thresholds --size 4 --k 200 --epsilon 1",
        "The private learner is slower and has a tenth of the runs.",
    ),
    "a-dist": (
        "Exact, over all leads that one changed record can bring about; nothing is sampled.",
        "The corrected test adds twice the noise, because the lead moves by 2, not by 1.",
    ),
    "lemma-3.4": (
        "Exact, over all tables of so many records and their neighbours; nothing is sampled.",
        "The corrected sampler counts distinct values as seen, not records.",
    ),
    "lemma-29": (
        "100 records drawn of 900, for a mechanism of epsilon 1. Privacy holds either way, but as",
        "printed the lemma claims 54 times the epsilon of not drawing at all: it promises nothing.",
    ),
}
