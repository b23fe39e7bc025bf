"""The planner with tiny classes and algorithms of its own, and with the real ones."""

import json
from dataclasses import dataclass
from fractions import Fraction as F
from io import StringIO

import pytest
from rich.console import Console

from tacit.core import (
    Accuracy,
    Algorithm,
    Applies,
    BadInput,
    Claim,
    Condition,
    LowerBound,
    Privacy,
    SampleBound,
    Speaks,
    Status,
    Task,
    Tasks,
)
from tacit.planner import plan, planning

CLAIM = Claim(paper="own", locator="a test", statement="a claim for tests", status=Status.CITED)


@dataclass(frozen=True)
class Toy:
    name: str = "toys"
    size: int = 3
    domain: object = None

    def describe(self):
        return "toys"


def applies(refuses):
    """Made for the toy class, but for what ``refuses`` says."""
    return Applies(
        proper=True,
        classes=(Toy,),
        tasks=Tasks.ANY,
        further=(Condition("", lambda task: refuses(task) is None, says=refuses),),
    )


def algorithm(name, n, *, refuses=None):
    return Algorithm(
        name=name,
        summary="for tests",
        applies=applies(lambda _task: refuses),
        claim=CLAIM,
        bound=lambda _task: SampleBound(
            n=n, claim=CLAIM, terms={"small": 1.0, "large": n - 1.0}, printed=10 * n
        ),
        build=lambda _task, _bound, _size: None,
        tiny=lambda _entry: None,
    )


def lower(name, n, *, refuses=None):
    return LowerBound(
        name=name,
        applies=Speaks(
            further=(Condition("", lambda _task: refuses is None, says=lambda _task: refuses),)
        ),
        claim=CLAIM,
        records=lambda _task: SampleBound(n=n, claim=CLAIM),
    )


@pytest.fixture
def toys(monkeypatch):
    def forget():
        for kept in planning.KEPT:
            kept.cache_clear()

    def use(algorithms, bounds):
        monkeypatch.setattr(planning, "ALGORITHMS", algorithms)
        monkeypatch.setattr(planning, "LOWER_BOUNDS", bounds)
        forget()

    yield use
    forget()


TASK = Task(Toy(), privacy=Privacy(1), accuracy=Accuracy(0.1, 0.05))


def test_options_are_sorted_and_the_gap_is_their_ratio(toys):
    toys([algorithm("slow", 90), algorithm("quick", 30)], [lower("weak", 2), lower("strong", 12)])
    p = plan(TASK)
    assert [option.name for option in p.options] == ["quick", "slow"]
    assert p.best.n == 30
    assert [needed.n for needed in p.lower_bounds] == [12, 2]
    assert p.gap == 2.5
    words = p.explain()
    assert "30 records suffice, by quick" in words
    assert "large (97% of it)" in words
    assert "own constants give 300" in words
    assert "fewer than 12 (strong" in words


def test_without_an_algorithm_there_is_no_best_and_the_reason_is_said(toys):
    sundays = "works on Sundays only"
    toys([algorithm("picky", 5, refuses=sundays), algorithm("odd", 6, refuses=sundays)], [])
    p = plan(TASK)
    assert p.best is None
    assert p.gap is None
    assert "No algorithm applies" in p.explain()
    assert "Not used: picky, odd (works on Sundays only)." in p.explain()
    assert p.rejected[0].reason == "works on Sundays only"
    assert "no algorithm applies" in str(p)


def test_a_bound_that_cannot_be_computed_is_a_rejection(toys):
    def samples(_task):
        raise BadInput("needs a larger table")

    broken = algorithm("broken", 1)
    broken = Algorithm(**{f: getattr(broken, f) for f in broken.__slots__} | {"bound": samples})
    toys([broken], [])
    assert plan(TASK).rejected[0].reason == "needs a larger table"


def test_silent_lower_bounds_are_listed_apart(toys):
    toys([algorithm("quick", 30)], [lower("mute", 5, refuses="is about pears")])
    p = plan(TASK)
    assert p.lower_bounds == ()
    assert p.inapplicable[0].name == "mute"
    assert "No lower bound is known" in p.explain()


def test_text_table_html_and_json(toys):
    toys([algorithm("quick <b>", 30)], [lower("strong", 12)])
    p = plan(TASK)
    assert "quick <b>" in str(p)
    assert "&lt;b&gt;" in p._repr_html_()
    assert "<b>" not in p._repr_html_()
    out = StringIO()
    Console(file=out, width=120).print(p)
    assert "suffices" in out.getvalue()
    assert "needed" in out.getvalue()
    record = json.loads(json.dumps(p.to_dict()))
    assert record["options"][0]["n"] == 30
    assert record["options"][0]["printed"] == 300
    assert record["lower_bounds"][0]["claim"]["paper"] == "own"
    assert record["gap"] == 2.5


def test_plans_are_remembered(toys):
    toys([algorithm("quick", 30)], [])
    assert plan(TASK) is plan(TASK)


def test_a_reference_that_cannot_be_hashed_is_planned_all_the_same(toys):
    toys([algorithm("quick", 30)], [])
    assert plan(TASK.with_(marginal=["a", "list"])).best.n == 30


def test_least_alpha_of_an_algorithm_that_needs_a_small_alpha(toys):
    sample = algorithm("shy", 1)
    changes = {
        "applies": applies(
            lambda task: "needs alpha below 1/4" if task.accuracy.alpha >= F(1, 4) else None
        ),
        "bound": lambda task: SampleBound(n=int(1 / task.accuracy.alpha), claim=CLAIM),
    }
    toys([Algorithm(**{f: getattr(sample, f) for f in sample.__slots__} | changes)], [])
    assert plan.least_alpha(TASK, 3) is None
    alpha = plan.least_alpha(TASK, 50)
    assert F(19, 1000) <= alpha <= F(21, 1000)
    assert plan(TASK.with_(alpha=alpha)).best.n <= 50


def test_most_tasks_counts_tasks(toys):
    def samples(task):
        return SampleBound(n=10 * task.k, claim=CLAIM)

    sample = algorithm("linear", 1)
    linear = Algorithm(**{f: getattr(sample, f) for f in sample.__slots__} | {"bound": samples})
    toys([linear], [])
    assert plan.most_tasks(TASK, 9) == 0
    assert plan.most_tasks(TASK, 1234) == 123
