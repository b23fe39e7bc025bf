"""What all else is built on. Read this package first; it uses the standard library only.

``Mechanism``  public parameters, a cost (``Event``), one private method that sees data.
``run``        charges a ledger, then lets a mechanism touch data: nothing else does.
``Task``       what is asked for; ``Algorithm`` how it can be had; ``Claim`` why it is true.
"""

from tacit.core.algorithm import Algorithm, LowerBound, SampleBound, Theorem, tiny_task
from tacit.core.applies import RECORDS, Applies, Condition, Speaks, Tasks
from tacit.core.charging import run
from tacit.core.claim import PAPERS, Claim, Status
from tacit.core.concept import (
    ConceptClass,
    Counted,
    CountsMistakes,
    Dimensioned,
    Learnable,
    Limited,
)
from tacit.core.domain import Domain
from tacit.core.drawer import Drawer, Found, Measuring
from tacit.core.errors import (
    BadInput,
    BudgetRefused,
    NeedMoreRecords,
    NotDelivered,
    NumericalDoubt,
    ReleaseFailed,
    SourceChanged,
    TacitError,
)
from tacit.core.event import (
    ZCDP,
    Approximate,
    Composed,
    Event,
    Pure,
    Selection,
    event_from_dict,
    leaves,
    privacy_event,
)
from tacit.core.hypothesis import PLAIN, Hypothesis, Labels, hypothesis_from_dict, hypothesis_kind
from tacit.core.mechanism import Mechanism
from tacit.core.named import Label, NamedRule, ReadsColumns
from tacit.core.public import PublicRecords
from tacit.core.registry import (
    ALGORITHMS,
    LOWER_BOUNDS,
    MECHANISMS,
    claims,
    concept_classes,
    mechanisms,
    public_class,
    theorem,
    theorems,
)
from tacit.core.relation import ADD_REMOVE, LABEL, REPLACE_ONE, Relation
from tacit.core.release import Release
from tacit.core.rng import Rng
from tacit.core.sample import Sample
from tacit.core.sampler import CountedStage, ErrorCounts, Sampler
from tacit.core.size import Known, Size
from tacit.core.source import Batch, Source
from tacit.core.task import Accuracy, Privacy, Task
from tacit.core.tiny import Tiny

__all__ = [
    "ADD_REMOVE",
    "ALGORITHMS",
    "LABEL",
    "LOWER_BOUNDS",
    "MECHANISMS",
    "PAPERS",
    "PLAIN",
    "RECORDS",
    "REPLACE_ONE",
    "ZCDP",
    "Accuracy",
    "Algorithm",
    "Applies",
    "Approximate",
    "BadInput",
    "Batch",
    "BudgetRefused",
    "Claim",
    "Composed",
    "ConceptClass",
    "Condition",
    "Counted",
    "CountedStage",
    "CountsMistakes",
    "Dimensioned",
    "Domain",
    "Drawer",
    "ErrorCounts",
    "Event",
    "Found",
    "Hypothesis",
    "Known",
    "Label",
    "Labels",
    "Learnable",
    "Limited",
    "LowerBound",
    "Measuring",
    "Mechanism",
    "NamedRule",
    "NeedMoreRecords",
    "NotDelivered",
    "NumericalDoubt",
    "Privacy",
    "PublicRecords",
    "Pure",
    "ReadsColumns",
    "Relation",
    "Release",
    "ReleaseFailed",
    "Rng",
    "Sample",
    "SampleBound",
    "Sampler",
    "Selection",
    "Size",
    "Source",
    "SourceChanged",
    "Speaks",
    "Status",
    "TacitError",
    "Task",
    "Tasks",
    "Theorem",
    "Tiny",
    "claims",
    "concept_classes",
    "event_from_dict",
    "hypothesis_from_dict",
    "hypothesis_kind",
    "leaves",
    "mechanisms",
    "privacy_event",
    "public_class",
    "run",
    "theorem",
    "theorems",
    "tiny_task",
]
