"""Take in the records of one release: their sample, their public number and their names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tacit.core import Hypothesis, Sample, Task
from tacit.core.label_values import LabelValues
from tacit.core.mechanism import SomeMechanism
from tacit.core.source import Source
from tacit.core.tally import Streamed
from tacit.sources.memory import check_memory, check_tasks, public_number
from tacit.sources.naming import names_in, naming
from tacit.sources.persons import PersonSample
from tacit.sources.ready import make_ready
from tacit.sources.samples import Names, as_sample, as_source, as_unlabelled, columns_of
from tacit.sources.types import column_type, refuse_measurements

Records = Sample | Streamed | PersonSample


@dataclass(frozen=True, slots=True)
class Intake:
    """What is taken in before the charge.

    ``n``      the public number of records, or of persons; ``None`` where it is private.
    ``named``  gives a rule the names that its data have.
    ``labels`` the names of the label columns, where data have some.
    """

    sample: Records
    n: int | None
    named: Callable[[Hypothesis], Hypothesis]
    labels: tuple[str, ...] = ()

    def make_ready(self, mechanism: SomeMechanism) -> None:
        """Refuse what ``mechanism`` may not hold, and compile what it counts with."""
        check_memory(mechanism, self.sample, self.n)
        make_ready(self.sample, self.n)


def take_in(
    data: object,
    task: Task,
    *,
    label: Names = None,
    column: Names = None,
    positive: object = 1,
    negative: object = None,
    groups: object = None,
    values: LabelValues | None = None,
    labels_named: bool = True,
) -> Intake:
    """The labelled records of ``data`` for ``task``; everything wrong with them is said now.

    ``values`` are the label values, where there are more than two labels; ``labels_named`` says
    whether the caller named any.
    """
    domain, unit = task.concept_class.domain, task.privacy.unit
    source = as_source(data)
    columns = None
    if source is not None:
        columns = columns_of(source, domain=domain, label=label, column=column, unit=unit)
    named = naming(
        data,
        domain=domain,
        columns=columns,
        values=(negative, positive),
        several=() if values is None else task.answer_names,
    )
    sample = as_sample(
        data if source is None else source,
        domain=domain,
        columns=columns,
        positive=positive,
        negative=negative,
        unit=unit,
        groups=groups,
        ignore=task.other == "ignore",
        values=values,
    )
    check_tasks(sample, task.k)
    if not labels_named:
        _refuse_measurements(data, source, names_in(data, columns)[1])
    labels = names_in(data, columns)[1]
    return Intake(sample, public_number(sample, task.privacy.relation), named, labels)


def _refuse_measurements(data: object, source: Source | None, labels: Sequence[str]) -> None:
    """Refuse label columns that hold measurements by their type."""
    if source is not None:
        for one in labels:
            refuse_measurements(source.types.get(one), column=one, name=source.name)
    elif isinstance(data, tuple) and len(data) == 2:
        refuse_measurements(column_type(data[1]), column="y", name="data")


def take_in_unlabelled(
    data: object, task: Task, *, column: str | None = None, groups: object = None
) -> Intake:
    """The records of ``data`` without labels for ``task``."""
    sample = as_unlabelled(
        data,
        domain=task.concept_class.domain,
        column=column,
        unit=task.privacy.unit,
        groups=groups,
    )
    n = public_number(sample, task.privacy.relation)
    return Intake(sample, n, lambda rule: rule)
