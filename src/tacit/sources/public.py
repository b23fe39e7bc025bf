"""Read records that are nobody's secret, for covers and cut points."""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt

from tacit.core import BadInput, Domain, PublicRecords, Source, Task
from tacit.core.numbers import Number
from tacit.domains.schema import Schema
from tacit.sources.batch_reading import Reading
from tacit.sources.files import read_table, table_reading
from tacit.sources.same import outside, share_records
from tacit.sources.samples import Names, as_source, checked, number_columns
from tacit.sources.spelling import used


def public_records(
    data: object, *, domain: Domain, column: Names = None, kappa: Number = 1
) -> PublicRecords:
    """Read public records: an array, a frame, a source or the path of a file.

    ``domain``  of the task's class; values are held as it holds private ones.
    ``column``  the feature columns of a frame or file; a schema names its own.
    ``kappa``   how many times more likely than here a set may be among private records.

    >>> from tacit.classes import RealThresholds
    >>> public_records([0.1, 0.5, 0.9], domain=RealThresholds().domain)
    PublicRecords(3)
    """
    if isinstance(data, PublicRecords):
        return data
    source = as_source(data)
    values = data
    if source is not None and isinstance(domain, Schema):
        reading = table_reading(source, schema=domain)
        values = _features(source, reading)
    elif source is not None:
        values = _features(source, number_columns(source, column=column, domain=domain))
    elif not isinstance(domain, Schema):
        values = checked(data)
    held = np.ascontiguousarray(domain.coerce(values))
    if len(held) == 0:
        raise BadInput("there are no public records: the table has 0 rows")
    return PublicRecords(
        len(held),
        kappa=kappa,
        digest=_digest(held),
        values=held,
        read_from=outside(data if source is None else source),
    )


def _features(source: Source, reading: Reading) -> object:
    """The features of all records of a source."""
    return reading.features(read_table(used(source, words=reading.words), reading.names))


def with_public(task: Task, public: object, *, data: object, column: Names) -> Task:
    """The task with its public records, read before anything is charged."""
    given = task.public if public is None else public
    if given is not None and share_records(given, data):
        raise BadInput(
            "public records (public=, --public) must be other records than the private ones; "
            "these are kept in the same file, table or array"
        )
    if public is not None:
        found = public_records(public, domain=task.concept_class.domain, column=column)
        task = task.with_(public=found)
    if task.public is not None and task.public.values is None:
        raise BadInput("the task only says how many public records there are: pass public=...")
    return task


def _digest(held: npt.NDArray[np.generic]) -> str:
    """The SHA-256 of an array's type, shape and values."""
    told = hashlib.sha256(f"{held.dtype.str} {held.shape} ".encode())
    if held.dtype == object:  # whole numbers beyond 64 bits
        told.update(" ".join(map(str, held.ravel().tolist())).encode())
    else:
        told.update(held.tobytes())
    return told.hexdigest()
