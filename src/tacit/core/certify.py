"""What an algorithm says about one release, beyond the theorem that it was planned by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tacit.core.certificate import Answered, Certificate, Compared, Measured, Several
from tacit.core.mechanism import SomeMechanism
from tacit.core.size import Size
from tacit.core.task import Task

NEW_RECORDS = "new records"
NEW_PERSONS = "new persons (one row of each)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One release: the mechanism, what it released, and the public numbers around it.

    ``n``         the number of records or persons; ``None`` where it is private.
    ``about``     which records stated errors speak of.
    ``declared``  whether both labels were.
    """

    mechanism: SomeMechanism
    value: object
    n: int | None
    about: str = NEW_RECORDS
    declared: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The parts of a certificate that only the algorithm knows.

    ``what``    the class that was drawn from, in words.
    ``recipe``  what is needed besides the task to compute them anew.
    """

    what: str
    measured: Measured | None = None
    compared: Compared | None = None
    answered: Answered | None = None
    several: Several | None = None
    recipe: Mapping[str, object] = field(default_factory=dict)


class Certifier:
    """Say of a release what its theorem says, and no more.

    An algorithm that knows more about its releases has a subclass of its own.
    """

    def __call__(self, task: Task, outcome: Outcome) -> Facts:
        """What holds of this release."""
        del outcome
        return Facts(what=task.concept_class.describe())

    def counting(
        self, task: Task, learner: SomeMechanism, size: Size, *, declared: bool
    ) -> SomeMechanism | None:
        """The learner followed by a count of its rule's mistakes, paid with ``task.count``;
        ``None`` where such a count says nothing.
        """
        del task, learner, size, declared
        return None

    def without_theorem(self, task: Task, *, n: int | None) -> str | None:
        """What a release will say where no theorem covers it in advance; ``None`` if nothing."""
        del task, n
        return None

    def published(self, value: object) -> object:
        """What is handed over of a mechanism's value: the certificate holds the rest."""
        return value

    def found(self, stated: Certificate, value: object) -> object:
        """What the mechanism had released, from the value and the numbers that are stated."""
        del stated
        return value


PLAIN_FACTS = Certifier()
