"""The options that say how private a release is, the same for every command."""

from __future__ import annotations

from dataclasses import dataclass

from tacit.cli.common_options import Delta, Epsilon, RelationWord
from tacit.cli.person_options import Persons
from tacit.core import Privacy


@dataclass(frozen=True, slots=True, kw_only=True)
class PrivacyOptions:
    """How private a release is, and between which tables."""

    epsilon: Epsilon
    delta: Delta = "0"
    relation: RelationWord = "replace-one"

    def read(self, persons: Persons) -> Privacy:
        """So much privacy for these persons."""
        persons.check()
        unit, most = persons.unit, persons.most
        asked = Privacy(self.epsilon, self.delta, self.relation, unit=unit, rows_per_unit=most)
        return asked.check_range()
