"""B20: what is easy privately and hard online, and records against the length of strings."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import partial

from tacit.checks.testing import seeded
from tacit.core import Accuracy, Privacy, Task
from tacit.planner import plan
from tacit.problems.one_way.sequences import OneWaySequences
from tacit.reproduce.experiment import Chart, Effort, Experiment, Part, Row, reproduction
from tacit.reproduce.least import least
from tacit.theory.online import play_orders

_STEPS = {"quick": (8, 500), "full": (16, 2000)}
_SECRETS = {"planned": 0, "quick": 1, "full": 5}
_COLUMNS = (
    "secret",
    "learner",
    "order",
    "rounds",
    "mistakes in a quarter",
    "in half",
    "in all",
    "promised",
)


def _game(secret: int, effort: Effort) -> Sequence[Row]:
    k, rounds = _STEPS[effort.name]
    sequences = OneWaySequences(bits=(k + 1) ** 2)
    return [
        {
            "secret": secret,
            "learner": curve.name,
            "order": curve.order,
            "rounds": len(curve.mistakes),
            "mistakes in a quarter": int(curve.mistakes[len(curve.mistakes) // 4 - 1]),
            "in half": int(curve.mistakes[len(curve.mistakes) // 2 - 1]),
            "in all": int(curve.mistakes[-1]),
            "promised": curve.claim,
        }
        for curve in play_orders(sequences, rounds=rounds, rng=seeded(f"online {secret}"))
    ]


ONLINE = reproduction(
    Experiment(
        name="b20-online",
        title="B20 Theorem 2: private learning in polynomial time without online learning",
        says="One-way sequences are learned privately in polynomial time; online, in the order "
        "that an adversary chooses, no polynomial-time learner does better than guessing, if "
        "one-way functions exist (Propositions 6 and 7).",
        changed="The generator is SHAKE-256, taken to be one-way. The third learner tries all "
        "seeds, which is what polynomial time forbids; it shows that records are not what is "
        "missing.",
        columns=_COLUMNS,
        measured=_COLUMNS,
        parts=lambda effort: [
            Part(key=f"secret {secret}", rows=partial(_game, secret, effort))
            for secret in range(_SECRETS[effort.name])
        ],
    )
)


_THREE = (
    "rounds",
    "forward: compute-forward",
    "reverse: all seeds tried",
    "reverse: best in polynomial time",
    "half of the rounds",
)


def _curves(effort: Effort) -> Sequence[Row]:
    k, rounds = _STEPS[effort.name]
    sequences = OneWaySequences(bits=(k + 1) ** 2)
    games = play_orders(sequences, rounds=rounds, rng=seeded("online 0"))
    forward = next(one.mistakes for one in games if one.order == "forward")
    slow = next((one.mistakes for one in games if one.name == "brute force"), None)
    quick = [one for one in games if one.order == "reverse" and one.name != "brute force"]
    rows: list[Row] = []
    for after in (2**i for i in range(3, len(forward).bit_length())):
        best = min(int(one.mistakes[after - 1]) for one in quick)
        tried = None if slow is None else int(slow[after - 1])
        found = (after, int(forward[after - 1]), tried, best, after // 2)
        rows.append(dict(zip(_THREE, found, strict=True)))
    return rows


CURVES = reproduction(
    Experiment(
        name="b20-curves",
        title="B20 Theorem 2, three curves: mistakes against rounds",
        says="In the order in which the strings are made one mistake is enough; in reverse no "
        "learner in polynomial time does better than guessing, though one without a limit on "
        "time makes few mistakes.",
        changed="The third curve is the best of the seven learners of the table before, chosen "
        "afterwards at every number of rounds, which favours them; the secret is the first of "
        "that table.",
        columns=_THREE,
        measured=_THREE,
        parts=lambda effort: (
            [Part(key="first secret", rows=partial(_curves, effort))] if effort.runs else []
        ),
        chart=Chart(x="rounds", y=_THREE[1:]),
    )
)


def _records(bits: int, effort: Effort) -> Sequence[Row]:
    concepts = OneWaySequences(bits=bits)
    task = Task(concepts, privacy=Privacy(1), accuracy=Accuracy(Fraction(1, 10), Fraction(1, 20)))
    made = plan(task)
    by = {option.name: option for option in made.options}
    efficient = by.get("one-way-sequences")
    measured = None
    if efficient is not None and bits <= 64 and effort.runs:
        measured = least(efficient.algorithm, task, effort=effort, seed=f"b20 {bits}").words()
    return [
        {
            "bits": bits,
            "steps": concepts.tree.leaves,
            "needed": made.lower_bounds[0].n if made.lower_bounds else None,
            "any time: enough": made.best.n if made.best else None,
            "efficient: enough": efficient.n if efficient else None,
            "efficient: measured": measured,
        }
    ]


RECORDS = reproduction(
    Experiment(
        name="b20-records",
        title="B20 Theorem 16: records of the private learner of one-way sequences",
        says="The efficient private learner of one-way sequences needs a number of records that "
        "grows as the square root of the length d of the strings.",
        changed="The printed growth does not follow (see the errata, O1): step 5 needs a number of "
        "records that grows as d. A learner that is not efficient needs fewer.",
        columns=(
            "bits",
            "steps",
            "needed",
            "any time: enough",
            "efficient: measured",
            "efficient: enough",
        ),
        parts=lambda effort: [
            Part(key=f"{bits} bits", rows=partial(_records, bits, effort))
            for bits in (36, 64, 100, 256, 400, 1024)
        ],
        measured=("efficient: measured",),
        chart=Chart(x="bits", y=("needed", "any time: enough", "efficient: enough")),
    )
)
