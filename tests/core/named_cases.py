"""Cases that several tests share: A rule with names: what it says, writes, reads back and answers are one object."""

from tacit.core import Label
from tacit.domains import Schema
from tacit.problems.tables.tree_nodes import Cut
from tacit.problems.tables.trees import TreeRule

LONG = "number of previous stays in any hospital of the region"


SCHEMA = Schema.of({LONG: (0, 500), "ward": ("north", "south"), "unused": bool})


TREE = TreeRule(
    schema=SCHEMA,
    root=(Cut(0, 1, ordered=True), False, (Cut(1, 2, ordered=False), True, False)),
)


SICK = Label(name="sick", negative="no", positive="yes")
