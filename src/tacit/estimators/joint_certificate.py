"""One certificate for rules of several labels that were each released by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from tacit.accounting.statement import spent_of
from tacit.core import Composed, Hypothesis
from tacit.core.certificate import Certificate, OneOfSeveral, Planned, Rates, Several
from tacit.core.certify import NEW_RECORDS
from tacit.core.said import declared_schema
from tacit.problems.several.direct_sum import DirectSum
from tacit.problems.several.rules import Rules
from tacit.problems.tables.rated_rule import UNSURE
from tacit.problems.tables.rated_rules import rated_rules, reach_of


def joint_certificate(
    each: Sequence[Certificate],
    rules: Sequence[Hypothesis],
    names: Sequence[str],
    *,
    asked: tuple[Fraction, Fraction, Fraction],
) -> Certificate:
    """What holds for all of these rules at once; ``asked`` are epsilon, delta and beta in all.

    Each certificate fails with its own ``beta``, and these add up to that of all of them: the
    claim of ``DirectSum``. All were learned by one algorithm over one schema; a choice between
    classes may have drawn each from another one.
    """
    epsilon, delta, beta = asked
    if sum(one.beta for one in each) > beta:
        raise ValueError("the certificates fail more often than all of them together may")
    last = each[-1]
    event = Composed(events=tuple(one.event for one in each), relation=last.event.relation)
    return Certificate(
        asked=replace(last.asked, epsilon=epsilon, delta=delta, beta=beta, k=len(each)),
        spent=spent_of(event, delta=delta),
        algorithm=last.algorithm,
        what=" and from ".join(dict.fromkeys(one.what for one in each)),
        n=last.n,
        private=all(one.private for one in each),
        privacy_claim=DirectSum.CLAIM,
        planned=_planned(each),
        several=_several(each, names),
        rates=_rates(each, rules),
        account=last.account,
        recipe=_recipe(last),
    )


def _recipe(one: Certificate) -> dict[str, object] | None:
    """The declared columns: these are said of all rules, too."""
    schema = declared_schema(one.recipe or {})
    return {"kind": "labels apart", "schema": dict(schema)} if schema else None


def _planned(each: Sequence[Certificate]) -> Planned | None:
    """The theorem that needs most records: with these the others hold as well."""
    planned = [one.planned for one in each if one.planned is not None]
    if len(planned) < len(each):
        return None
    return max(planned, key=lambda one: one.needed)


def _several(each: Sequence[Certificate], names: Sequence[str]) -> Several | None:
    measured = [one.measured for one in each if one.measured is not None]
    if len(measured) < len(each) or any(one.error is None for one in measured):
        return None
    about = measured[-1].about
    return Several(
        variance=None,
        claim=measured[-1].claim,
        labels=tuple(
            OneOfSeveral(
                label=name, noisy_mistakes=one.noisy_mistakes, prior=one.prior, error=one.error
            )
            for name, one in zip(names, measured, strict=True)
        ),
        about=None if about == NEW_RECORDS else about,
    )


def _rates(each: Sequence[Certificate], rules: Sequence[Hypothesis]) -> Rates | None:
    rates = [one.rates for one in each if one.rates is not None]
    if len(rates) < len(each):
        return None
    return replace(
        rates[-1],
        epsilon=sum((one.epsilon for one in rates), Fraction(0)),
        parts=sum(one.parts for one in rates),
        within=reach_of(rated_rules(Rules(rules=tuple(rules))), UNSURE),
        unsure=UNSURE,
    )
