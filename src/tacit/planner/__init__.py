"""From a task to a plan: what it costs, what it must cost, and why. Never sees data."""

from tacit.planner.planning import Planner, plan
from tacit.planner.plans import Needed, Option, Plan, Rejected
from tacit.planner.sweeps import Row, Sweep

__all__ = ["Needed", "Option", "Plan", "Planner", "Rejected", "Row", "Sweep", "plan"]
