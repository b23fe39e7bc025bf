"""Learning online: games, experts, and what private learners have to do with them.

``play(learner, adversary)`` runs a game and returns its transcript. Learners:
``StandardOptimal``, ``Halving``, ``ConservativeHedge``, ``Hedge``, and whatever
``private_to_online`` makes of a pure private learner.
"""

from tacit.theory.dimensions.online import StandardOptimal
from tacit.theory.online.adversaries import Contrarian, Fixed, TreeAdversary, worst_case
from tacit.theory.online.compiled import (
    Compiled,
    experts_needed,
    hashes_needed,
    point_experts,
    private_to_online,
)
from tacit.theory.online.game import Adversary, Learner, Transcript, play
from tacit.theory.online.halving import Halving, halving_bound
from tacit.theory.online.hedge import ConservativeHedge, Hedge, mistake_bound, regret_bound
from tacit.theory.online.one_way_game import (
    Curve,
    brute_force,
    forward_order,
    play_orders,
    reverse_order,
)
from tacit.theory.online.panels import Panel, panel
from tacit.theory.online.polynomial import polynomial_learners

__all__ = [
    "Adversary",
    "Compiled",
    "ConservativeHedge",
    "Contrarian",
    "Curve",
    "Fixed",
    "Halving",
    "Hedge",
    "Learner",
    "Panel",
    "StandardOptimal",
    "Transcript",
    "TreeAdversary",
    "brute_force",
    "experts_needed",
    "forward_order",
    "halving_bound",
    "hashes_needed",
    "mistake_bound",
    "panel",
    "play",
    "play_orders",
    "point_experts",
    "polynomial_learners",
    "private_to_online",
    "regret_bound",
    "reverse_order",
    "worst_case",
]
