"""Every public class is planned for, learned from arrays, frames and files, and named in words."""

import numpy as np
import pandas as pd
import pytest

import tacit.classes
from tacit import Accuracy, Ledger, Privacy, Task, learn, plan
from tacit.core import ConceptClass, Domain
from tacit.domains import Schema
from tacit.testing import seeded

NAMES = tacit.classes.__all__
UNIFORM = {"Halfspaces", "Parities", "RealBoxes", "RealIntervals", "RealThresholds"}
REALIZABLE = {"KTermDnf", "Lines", "OneWaySequences", "Parities", "PseudorandomPoints"}


def task_for(name):
    """A small task that some algorithm runs."""
    return Task(
        getattr(tacit.classes, name).tiny(),
        privacy=Privacy(1, "1/1000" if name == "Lines" else 0),
        accuracy=Accuracy("0.2", "0.1"),
        setting="realizable" if name in REALIZABLE else "agnostic",
        marginal="uniform" if name in UNIFORM else "any",
    )


def records(domain):
    """The names of the columns of 300 made-up records, and a frame of them with labels."""
    rng = np.random.default_rng(7)
    if isinstance(domain, Schema):
        names = list(domain.names)
    else:
        names = ["x"] if domain.width > 4 else [f"x{place}" for place in range(domain.width)]
    frame = pd.DataFrame({name: rng.integers(0, 2, 300) for name in names})
    frame["sick"] = rng.integers(0, 2, 300)
    return names, frame


def test_there_are_classes():
    assert len(NAMES) >= 19


@pytest.mark.parametrize("name", NAMES)
def test_a_class_says_what_it_is(name):
    tiny = getattr(tacit.classes, name).tiny()
    assert isinstance(tiny, ConceptClass)
    assert isinstance(tiny.domain, Domain)
    assert tiny.describe()
    assert tiny.domain.describe()
    assert tiny == type(tiny).tiny() or name == "Table"


@pytest.mark.parametrize("name", NAMES)
def test_a_class_is_planned(name):
    answer = plan(task_for(name))
    assert answer.runnable is not None, answer.explain()


@pytest.mark.parametrize("name", NAMES)
def test_frames_and_files_give_the_release_that_arrays_give(name, tmp_path):
    task = task_for(name)
    names, frame = records(task.concept_class.domain)
    frame.to_csv(tmp_path / "data.csv", index=False)
    frame.to_parquet(tmp_path / "data.parquet")
    x = frame[names] if isinstance(task.concept_class.domain, Schema) else frame[names].to_numpy()
    given = {
        "array": (x if len(names) > 1 else x[names[0]] if hasattr(x, "columns") else x[:, 0], None),
        "frame": (frame, names),
        "csv": (tmp_path / "data.csv", names),
        "parquet": (tmp_path / "data.parquet", names),
    }
    found = {}
    for kind, (data, column) in given.items():
        more = {"label": "sick", "column": column} if column else {}
        release = learn(
            task,
            data if column else (data, frame["sick"].to_numpy()),
            rng=seeded("same"),
            ledger=Ledger.memory(epsilon=9, delta="1/100"),
            **more,
        )
        certificate = release.certified.to_dict()
        # Which ledger paid, and when, is no part of what was released.
        certificate.pop("account")
        rule = release.value.to_dict()
        if column:  # frames and files have names
            assert rule["label"]["name"] == "sick"
        found[kind] = (rule["rule"] if rule["kind"] == "named" else rule, certificate)
    assert len(found) == 4
    for release in found.values():
        assert release == found["array"]
