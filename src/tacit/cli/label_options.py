"""The options that say what the label is, and label values from their words."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

from tacit.core import BadInput, Label
from tacit.core.label_values import OTHER, OTHERS
from tacit.core.named import SeveralLabels, Value
from tacit.core.several_values import BOTH_FOR_CLASS

SEVERAL_CLASSES = (
    "--classes is for one --label: of several, say the values of each: "
    "--labels 'risk=low/mid/high,smoker=yes/no'"
)
if TYPE_CHECKING:
    from tacit.core.source import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelOptions:
    """The label column, or several, and the values that are declared."""

    label: Annotated[str | None, typer.Option(help="The label column.")] = None
    labels: Annotated[
        str | None,
        typer.Option(
            help="Several label columns at once: a,b,c or 'dx_*', of a table with values of their "
            "own after =, the positive one first: 'smoker=yes/no,dx_*', or three and more, of "
            "which the first stands for any other: 'risk=low/mid/high'; a slash in a value is "
            r"written \/, as in 'risk=n\/a/low'. A --delta makes more of them learnable."
        ),
    ] = None
    shared: Annotated[
        bool | None,
        typer.Option(
            "--shared/--own",
            help="Of several labels: compare with trees that ask the same questions for all of "
            "them, and draw such trees where that is proved to need fewer records; or give each "
            "label questions of its own. Default: of trees of --depth 1 or 2 a private choice "
            "between both, where that is proved to need fewer records.",
        ),
    ] = None
    positive: Annotated[
        str | None,
        typer.Option(
            help="The label value that the rule looks for; default: 1, beside --negative 0."
        ),
    ] = None
    negative: Annotated[
        str | None,
        typer.Option(
            help="The other label value; default: whatever is not --positive, missing too."
        ),
    ] = None
    classes: Annotated[
        str | None,
        typer.Option(
            help="All label values, where there are more than two: a,b,c (trees, lists, scores)."
        ),
    ] = None
    other: Annotated[
        str,
        typer.Option(
            help="What a label does that is not declared, or missing: negative (counts as that "
            "one, of several as the first), ignore (its record counts as no mistake; needs "
            "--negative), or class (all such labels together are one more label, 'other'; trees "
            "and rule lists)."
        ),
    ] = "negative"

    def declared(self) -> Declared:
        """The label values that the options declare: 0 and 1 where none does.

        Of two ``--classes`` the first is the negative and the second the positive one.
        """
        if self.label is not None and self.labels is not None:
            raise BadInput("give --label NAME or --labels a,b,c, not both")
        if self.label is None and self.labels is None:
            raise BadInput(
                "name the label column: --label NAME, or several of a table: --labels a,b,c"
            )
        if self.shared is not None and self.labels is None:
            told = "--shared" if self.shared else "--own"
            raise BadInput(f"{told} is for several label columns of a table: --labels a,b,c")
        positive, negative = self.positive, self.negative
        classes: tuple[str, ...] = ()
        if self.classes is not None:
            if negative is not None or positive is not None:
                raise BadInput(
                    "--classes lists all label values: leave out --positive and --negative"
                )
            classes = read_values(self.classes)
            if len(classes) == 2:
                negative, positive = classes
                classes = ()
        elif positive is None:
            if negative is not None:
                raise BadInput(
                    "--negative needs --positive: the label value that the rule looks for"
                )
            positive, negative = "1", "0"
        found = Declared(
            column=self.label,
            columns=self.labels,
            shared=self.shared,
            positive="1" if positive is None else positive,
            negative=negative,
            classes=classes,
            other=self.other,
            named=self.positive is not None or self.classes is not None,
        )
        found.check()
        return found

    def answers(self) -> Answers:
        """The label values of a task, where no column is named."""
        names = () if self.classes is None else read_values(self.classes)
        return Answers(names=names, other=self.other)


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """The label values of a task: names where there are any, and what all others do."""

    names: tuple[str, ...] = ()
    other: str = "negative"


ANSWERS = Answers()


@dataclass(frozen=True, slots=True, kw_only=True)
class Declared:
    """A label column, or the words for several, and the label values as they were written.

    ``classes`` are all values where there are more than two, and empty where there are two.
    ``named`` says whether any value was written: 0 and 1 are the labels where none was.
    """

    column: str | None
    columns: str | None
    shared: bool | None
    positive: str
    negative: str | None
    classes: tuple[str, ...]
    other: str
    named: bool = True

    @property
    def values(self) -> tuple[str | None, ...]:
        """All label values, the negative one first, ``None`` if it is not declared."""
        return self.classes or (self.negative, self.positive)

    def check(self) -> None:
        """Refuse what cannot become of other labels, and values that cannot be told apart."""
        if self.other not in OTHERS:
            raise BadInput(f"--other must be one of {', '.join(OTHERS)}")
        if self.classes and self.columns is not None:
            raise BadInput(SEVERAL_CLASSES)
        declared = self.negative is not None or bool(self.classes) or self.columns is not None
        if self.other == "ignore" and not declared:
            raise BadInput("--other ignore needs both label values: --negative and --positive")
        self.read()

    def read(self) -> Label | SeveralLabels:
        """The label column and its two values, or more."""
        several = self._several()
        if several:
            return SeveralLabels(name=self.column, values=several)
        return read_target(self.column, positive=self.positive, negative=self.negative)

    def _several(self) -> tuple[Value, ...]:
        """All labels of a rule where there are more than two, "other" among them; else none."""
        own = self.other == "class"
        if not self.classes and not own:
            return ()
        if None in self.values:
            raise BadInput(BOTH_FOR_CLASS)
        values = tuple(read_label(one) for one in self.values if one is not None)
        if own and OTHER in values:
            raise BadInput(
                f"--other class calls all other labels {OTHER!r}: leave it out of the declared ones"
            )
        return (*values, OTHER) if own else values

    def answers(self) -> Answers:
        """The label values of a task."""
        return Answers(names=self.classes, other=self.other)


def refuse_measured(
    names: Iterable[str], *, source: Source | None, declared: Mapping[str, object]
) -> None:
    """Refuse labels that hold measurements by the file's types or the schema's declaration, where
    nobody named label values; what the records hold is not asked.
    """
    from tacit.core.numbers import show
    from tacit.domains.fields import Integer, Number
    from tacit.domains.schema import Schema
    from tacit.sources.types import OUT_OF_SCOPE, refuse_measurements

    for name in names:
        if source is not None:
            refuse_measurements(source.types.get(name), column=name, name=source.name)
        if name not in declared:
            continue
        (field,) = Schema.of({name: declared[name]}).fields
        if isinstance(field, (Number, Integer)) and not 0 <= field.low <= field.high <= 1:
            raise BadInput(
                f"the label {name!r} is declared as numbers from {show(Fraction(field.low))} to "
                f"{show(Fraction(field.high))}, "
                f"{OUT_OF_SCOPE}; nothing was charged"
            )


def read_label(text: str) -> str | int | float:
    """A label given on the command line: a number where it looks like one."""
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def read_values(text: str) -> tuple[str, ...]:
    """The values of ``--classes``, with commas between them; quoted if one has a comma itself."""
    from tacit.domains.labels import check_values

    found = [name.strip() for name in next(csv.reader([text], skipinitialspace=True), [])]
    if len(found) < 2 or not all(found):
        raise BadInput("--classes takes two or more label values with commas between them: a,b,c")
    check_values(tuple(map(read_label, found)), name="--classes")
    return tuple(found)


def read_target(column: str | None, *, positive: str, negative: str | None) -> Label:
    """The label column and its two values."""
    from tacit.domains.labels import check_values

    target = Label(
        name=column,
        negative=None if negative is None else read_label(negative),
        positive=read_label(positive),
    )
    told = (target.positive,) if negative is None else (target.negative, target.positive)
    check_values(told, name="--positive and --negative")
    return target
