"""Every bound keeps the same promises; a new file joins by existing."""

import inspect
from fractions import Fraction

import pytest

from tacit.classes import (
    Halfspaces,
    Parities,
    Points,
    RealIntervals,
    RealThresholds,
    Table,
    Thresholds,
)
from tacit.core import (
    ALGORITHMS,
    LOWER_BOUNDS,
    Accuracy,
    BadInput,
    Privacy,
    SampleBound,
    Task,
    theorems,
)

THEOREMS = theorems()
CLASSES = [
    Points(bits=6),
    Points(size=2),
    Thresholds(bits=6),
    Thresholds(size=1, orientation="<="),
    Table([[0, 1], [1, 1]]),
    Parities(bits=3),
    RealThresholds(),
    RealIntervals(),
    Halfspaces(columns=2),
]


def named(entry):
    return f"{entry.claim.cite}-{entry.function.__name__}".replace(" ", "-")


def tasks():
    for concepts in CLASSES:
        for setting in ("realizable", "agnostic"):
            for output in ("any", "proper", "improper"):
                for relation in ("replace-one", "add-remove", "label"):
                    for delta in (0, "1e-6"):
                        for k in (1, 3):
                            for goal in ("learn", "sanitize"):
                                yield Task(
                                    concepts,
                                    privacy=Privacy("1/2", delta, relation),
                                    accuracy=Accuracy("1/5", "1/10"),
                                    setting=setting,
                                    output=output,
                                    k=k,
                                    goal=goal,
                                )


TASKS = list(tasks())


@pytest.mark.parametrize("entry", THEOREMS, ids=named)
def test_a_theorem_takes_named_arguments_only_and_says_what_it_is(entry):
    parameters = inspect.signature(entry.function).parameters.values()
    assert all(p.kind is inspect.Parameter.KEYWORD_ONLY for p in parameters)
    assert entry.kind in ("upper", "lower", "fact")
    assert entry.setting.strip()
    assert entry.function.__doc__, "a theorem says in words what its number means"


@pytest.mark.parametrize("bound", list(LOWER_BOUNDS), ids=lambda bound: bound.name)
def test_a_lower_bound_is_silent_with_a_reason_or_speaks_a_whole_number(bound):
    spoke = 0
    for task in TASKS:
        reason = bound.why_not(task)
        if reason is not None:
            assert reason == reason.strip().rstrip(".")
            continue
        spoke += 1
        answer = bound.records(task)
        assert isinstance(answer, SampleBound)
        assert isinstance(answer.n, int)
        assert answer.n >= 1
    assert spoke or bound.name in {
        "random line",
        "relabelled parities",
        "shifted cuts",
    }


@pytest.mark.parametrize("algorithm", list(ALGORITHMS), ids=lambda algorithm: algorithm.name)
def test_no_lower_bound_is_above_an_algorithm_for_the_same_task(algorithm):
    for task in TASKS:
        if algorithm.why_not(task) is not None:
            continue
        try:
            enough = algorithm.bound(task).n
        except BadInput:
            continue
        for bound in LOWER_BOUNDS:
            if bound.why_not(task) is None:
                assert bound.records(task).n <= enough, bound.name


@pytest.mark.parametrize(
    "parameter", [{"alpha": 0}, {"alpha": 1}, {"beta": 0}, {"beta": "1.5"}, {"epsilon": 0}]
)
def test_parameters_out_of_range_are_refused(parameter):
    from tacit.bounds.upper import selection
    from tacit.problems.points import hashed_upper as hashing
    from tacit.problems.points import points_upper as points
    from tacit.problems.points.points_lower import rare_point
    from tacit.problems.thresholds import thresholds_upper as thresholds

    good = {"alpha": Fraction(1, 10), "beta": Fraction(1, 10), "epsilon": Fraction(1)}
    for function in (
        points.exact_tail,
        thresholds.exact_tail,
        selection.realizable,
        selection.agnostic,
        rare_point,
    ):
        with pytest.raises(BadInput):
            function(size=10, **{**good, **parameter})
    with pytest.raises(BadInput):
        hashing.realizable(**{**good, **parameter})
