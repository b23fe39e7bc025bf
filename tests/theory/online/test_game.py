"""Games, transcripts, panels and adversaries."""

import numpy as np
import pytest

from tacit.checks.testing import seeded
from tacit.classes import Points, Table, Thresholds
from tacit.core import BadInput
from tacit.theory.dimensions import littlestone
from tacit.theory.online import (
    Contrarian,
    Fixed,
    Halving,
    Hedge,
    StandardOptimal,
    TreeAdversary,
    panel,
    play,
)


class Says:
    def __init__(self, label):
        self.label, self.heard = label, []

    def predict(self, point):
        return self.label

    def learn(self, point, label):
        self.heard.append((point, label))


def test_a_transcript_tells_what_happened():
    learner = Says(1)
    game = play(learner, Fixed([(4, 1), (5, 0), (4, 0), (6, 1)]))
    assert game.points == (4, 5, 4, 6)
    assert game.predictions == (1, 1, 1, 1)
    assert game.labels == (1, 0, 0, 1)
    assert game.curve.tolist() == [0, 1, 2, 2]
    assert (game.rounds, game.mistakes, game.error_rate) == (4, 2, 0.5)
    assert learner.heard == [(4, 1), (5, 0), (4, 0), (6, 1)]


def test_a_game_stops_after_its_rounds_or_when_nothing_is_asked():
    assert play(Says(0), Fixed([(0, 0)] * 9), rounds=3).rounds == 3
    assert play(Says(0), Fixed([]), rounds=3).rounds == 0
    assert play(Says(0), Fixed([])).error_rate == 0.0
    with pytest.raises(BadInput, match="rounds"):
        play(Says(0), Fixed([]), rounds=-1)


def test_labels_and_predictions_are_0_or_1():
    with pytest.raises(BadInput, match="0 or 1"):
        play(Says(2), Fixed([(0, 0)]))
    with pytest.raises(BadInput, match="0 or 1"):
        play(Says(0), Fixed([(0, 7)]))


def test_regret_is_against_the_best_expert():
    experts = panel([[0, 0, 1], [1, 1, 1]])
    game = play(Says(0), Fixed([(0, 1), (1, 1), (2, 1), (0, 0)]))
    assert sorted(game.expert_mistakes(experts).tolist()) == [1, 2]
    assert game.mistakes == 3
    assert game.regret(experts) == 2


def test_equal_seeds_give_equal_games():
    def game(seed):
        examples = [(t % 3, (t * t) % 2) for t in range(60)]
        return play(Hedge(np.eye(3, dtype=int), rounds=60, rng=seeded(seed)), Fixed(examples))

    assert game("a") == game("a")
    assert game("a") != game("b")


@pytest.mark.parametrize("concepts", [Points(size=6), Thresholds(size=7), Table(np.eye(3))])
def test_the_tree_adversary_forces_the_dimension_on_everybody(concepts):
    wanted = littlestone(concepts).value
    for learner in (StandardOptimal(concepts), Halving(concepts), Says(0), Says(1)):
        game = play(learner, TreeAdversary(concepts))
        assert game.rounds == game.mistakes == wanted
        # some concept is right about every label
        assert game.expert_mistakes(panel(concepts)).min() == 0


def test_the_contrarian_stops_when_the_learner_is_right_everywhere():
    concepts = Thresholds(size=15)
    labels = [int(x >= 11) for x in range(15)]
    learner = StandardOptimal(concepts)
    game = play(learner, Contrarian(learner, range(15), labels))
    assert game.mistakes == game.rounds <= concepts.littlestone
    assert [learner.predict(x) for x in range(15)] == labels
    with pytest.raises(BadInput, match="equally long"):
        Contrarian(learner, [1], [])


def test_halving_hears_costly_experts_once_a_round():
    asked = []

    class Counted:
        size = 4

        def votes(self, point, members):
            asked.append((point, len(members)))
            return np.array([point == i for i in members.tolist()])

    play(Halving(Counted()), Fixed([(0, 0), (1, 0), (2, 1)]))
    assert asked == [(0, 4), (1, 3), (2, 2)]
