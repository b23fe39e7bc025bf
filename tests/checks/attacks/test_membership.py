"""Tests of ``tacit.checks.attacks.membership``."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_wine
from sklearn.neighbors import KNeighborsClassifier

from tacit.checks.attacks import membership
from tacit.core import BadInput


class Answers:
    """A model that gives labels only."""

    def __init__(self, model):
        self.predict, self.classes_ = model.predict, model.classes_


NAMES = np.array(["Barolo", "Grignolino", "Barbera"])


def halves():
    wine = load_wine(as_frame=True)
    order = np.random.default_rng(0).permutation(len(wine.data))
    x, y = wine.data.iloc[order], pd.Series(NAMES[wine.target]).iloc[order]
    return (x[:90], y[:90]), (x[90:], y[90:])


@pytest.mark.parametrize("positive", NAMES)
def test_membership_looks_at_the_label_it_is_told(positive):
    members, outsiders = halves()
    model = KNeighborsClassifier(1).fit(*members)
    # A nearest neighbour remembers its records: each one's own label, and no other.
    truths = (members[1] == positive).to_numpy()
    said = membership.fingerprints(
        model, members[0], truths, np.array([truths.mean()]), positive=positive
    )
    assert np.allclose(said, 1)
    found = membership.infer(model, members=members, outsiders=outsiders, positive=positive)
    assert found.members_accused == 90
    assert found.outsiders_accused < found.outsiders
    assert "accused: 90 of 90 members" in str(found)


def test_membership_reads_words_from_a_model_without_probabilities():
    members, outsiders = halves()
    given = {"members": members, "outsiders": outsiders}
    model = KNeighborsClassifier().fit(*members)
    truths = (outsiders[1] == "Barolo").to_numpy()
    said = membership.fingerprints(
        Answers(model), outsiders[0], truths, np.array([0.5]), positive="Barolo"
    )
    right = (model.predict(outsiders[0]) == "Barolo") == truths
    assert 0 < right.sum() < len(right)
    assert np.array_equal(np.isclose(said, 1), right)
    assert membership.infer(Answers(model), **given, positive="Barolo").members == 90
    with pytest.raises(BadInput, match="classes_"):
        membership.infer(KNeighborsClassifier().fit(*members), **given, positive="Asti")
