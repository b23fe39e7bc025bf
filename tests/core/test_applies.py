"""Refusals and words are derived from the same data, for algorithms and for lower bounds."""

from fractions import Fraction as F

import pytest

from tacit import Accuracy, Privacy, Task
from tacit.classes import Parities, Points, Thresholds
from tacit.core import ALGORITHMS, LOWER_BOUNDS, Condition, Relation, Speaks

TASK = Task(Points(size=8), privacy=Privacy(1), accuracy=Accuracy("0.1", "0.1"))

SPEAKS = {
    "classes": (Speaks(classes=(Thresholds,)), {"concept_class": Points(size=8)}, "thresholds"),
    "goal": (Speaks(goal="sanitize"), {}, "synthetic tables"),
    "proper": (Speaks(proper=True), {}, "proper answers"),
    "several": (Speaks(several=True), {}, "several concepts"),
    "settings": (Speaks(settings=("agnostic",)), {}, "agnostic"),
    "relations": (Speaks(), {"relation": "label"}, "whole records"),
    "marginals": (Speaks(marginals=("uniform",)), {}, "uniform"),
    "own distribution": (Speaks(), {"marginal": "uniform"}, "of its own choice"),
    "pure": (Speaks(pure=True), {"delta": "1/100"}, "pure privacy"),
    "alpha": (Speaks(alpha=F(1, 10)), {}, "alpha below 1/10"),
    "concepts": (Speaks(concepts=9), {}, "9 concepts"),
    "further": (Speaks(further=(Condition("a Sunday", lambda _: False),)), {}, "needs a Sunday"),
}


@pytest.mark.parametrize("name", SPEAKS)
def test_every_part_of_the_data_refuses(name):
    speaks, changes, words = SPEAKS[name]
    refusal = speaks.refusal(TASK.with_(**changes))
    assert refusal is not None
    assert words in refusal


def test_what_fits_is_not_refused():
    assert Speaks().refusal(TASK) is None
    fits = Speaks(
        classes=(Points, Parities),
        proper=True,
        several=True,
        settings=("agnostic",),
        relations=tuple(Relation),
        marginals=("any", "uniform"),
        pure=True,
        alpha=F(1, 2),
        concepts=8,
        further=(Condition("a Monday", lambda _: True),),
    )
    changes = {"output": "proper", "k": 2, "setting": "agnostic", "relation": "label"}
    assert fits.refusal(TASK.with_(marginal="uniform", **changes)) is None


def test_words_name_every_part():
    words = Speaks(
        classes=(Points,), proper=True, several=True, pure=True, alpha=F(1, 2), concepts=3
    ).words()
    for part in ("points", "proper", "several", "pure", "1/2", "3 concepts", "replace-one"):
        assert part in words


def test_every_entry_has_words():
    entries = [*ALGORITHMS, *LOWER_BOUNDS]
    assert len(entries) >= 75
    assert all(entry.when == entry.applies.words() != "" for entry in entries)


def test_every_class_is_named_in_words():
    """A name that depends on the instance is not shown as Python shows a property."""
    said = [entry.applies.words() for entry in ALGORITHMS]
    assert len(said) > 50
    assert not [words for words in said if "<" in words or "object" in words]
