"""Cases that several tests share: audit.accuracy: every class has hard distributions; planned records suffice, few do not."""

from fractions import Fraction

from tacit.checks.audit import accuracy
from tacit.checks.audit.hard_distributions import adversarial
from tacit.core import Accuracy, Privacy, Task
from tacit.domains import Schema

SCHEMA = Schema.of([(0, 1), bool], bins=4)


def task(concepts, relation="replace-one", **more):
    return Task(
        concepts,
        privacy=Privacy(1, 0, relation),
        accuracy=Accuracy("0.2", "0.2"),
        **more,
    )


def broken(name, job, *, n, runs, rng):
    """Whether a hard distribution shows that so few records do not suffice, asked one by one.

    Each has the level that it has among all of them, so the answer is what one audit of all says;
    those after the first that shows it are not run.
    """
    hard = list(adversarial(job))
    each = {"level": Fraction(1, 1000) / len(hard), "runs": runs, "rng": rng}
    audits = (accuracy(name, job, n=n, distributions=[one], **each) for one in hard)
    return any(audit.verdict == "broken" for audit in audits)
