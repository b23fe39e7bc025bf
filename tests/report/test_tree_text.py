"""A tree as text: one line for each question's answer and each leaf."""

from tacit.domains import Schema
from tacit.problems.tables.tree_nodes import Cut
from tacit.problems.tables.trees import TreeRule
from tacit.report.tree_text import sides, tree_text

SCHEMA = Schema.of({"age": (0, 160), "smoker": bool})
RULE = TreeRule(schema=SCHEMA, root=(Cut(0, 4, True), False, (Cut(0, 9, True), True, False)))


def test_every_leaf_stands_below_its_answers():
    lines = tree_text(RULE).splitlines()
    assert [line.count("|   ") for line in lines] == [0, 1, 0, 1, 2, 1, 2]
    assert [line.rsplit(" ", 1)[1] for line in lines if "class:" in line] == ["0", "1", "0"]


def test_names_of_labels_and_both_answers_are_shown():
    text = tree_text(RULE, labels=("well", "sick"))
    assert text.count("class: well") == 2
    assert text.count("class: sick") == 1
    yes, no = sides(RULE.root, RULE)
    assert yes in text
    assert no in text
    assert yes != no
