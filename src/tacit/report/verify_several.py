"""Check what a release file states of the rules of several labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tacit.bounds.upper.noisy_count import NOISY_COUNT
from tacit.core import NamedRule
from tacit.core.certificate import Certificate, OneOfSeveral, Several
from tacit.core.named import label_count
from tacit.core.words import things
from tacit.mechanisms.calibration import mistakes_moved
from tacit.problems.several.rules import Rules
from tacit.problems.tables.label_noise import bounded, noise_of
from tacit.report.errors import MOST_LINES, MOST_RECORDS
from tacit.report.paid import least_variance, may_be_counted
from tacit.report.release_file import same_theorem
from tacit.report.verdict import Wrong


def several_errors(of: Certificate, proofs: Mapping[str, str]) -> str:
    """Whether the errors of several rules follow from their noisy mistakes, all at once."""
    found = of.several
    assert found is not None
    if not same_theorem(found.claim, NOISY_COUNT, proofs) or not found.labels:
        raise Wrong("the errors rest on another theorem than this version knows")
    if of.n is None or of.n > MOST_RECORDS:
        raise Wrong("errors are stated although the number of records is not known")
    if len(found.labels) > MOST_LINES:
        raise Wrong(f"there are more than {MOST_LINES} labels")
    if len(found.labels) != of.asked.k:
        raise Wrong("there are not as many errors as rules were asked for")
    noise = noise_of(found)
    if noise is None:
        raise Wrong("each rule has a certificate of its own: those are to be verified")
    if not _may_be_noise(of, found):
        raise Wrong("its mistakes are said to have been counted with less noise than was paid for")
    for one in found.labels:
        if one.values and sum(each.noisy_mistakes for each in one.values) != one.noisy_mistakes:
            raise Wrong("the mistakes on the values of a label are not all of its mistakes")
        if found.sizes is not None and not _are_sizes(one, n=of.n):
            raise Wrong("the numbers of records of the values of a label are not all records")
        if (
            one.prior is None
            or one.prior > 1
            or one
            != bounded(
                one, noise=noise[0], sizes=noise[1], n=of.n, beta=of.beta / len(found.labels)
            )
        ):
            raise Wrong("an error bound is not what the mistakes say")
    return f"the bounds on the errors follow from the noisy mistakes on {things(of, n=of.n)}"


def _may_be_noise(of: Certificate, found: Several) -> bool:
    """Whether noise like this on all counts, of mistakes and of the records of each label, may be a
    part of what was paid.
    """
    apart = any(one.values for one in found.labels)
    moved = of.asked.k * (mistakes_moved(of.event.relation, 2) if apart else 1)
    if found.epsilon is not None:
        sizes_pay = found.sizes is None or may_be_counted(of.event, found.sizes * of.asked.k)
        return sizes_pay and may_be_counted(of.event, found.epsilon * moved)
    least = least_variance(of.event, counts=moved)
    if least is None or found.variance is None or found.variance < least:
        return False
    least_of_sizes = least_variance(of.event, counts=of.asked.k)
    return found.sizes is None or (least_of_sizes is not None and found.sizes >= least_of_sizes)


def _are_sizes(one: OneOfSeveral, *, n: int) -> bool:
    """Whether the noisy numbers of records of both values are there: one of them was counted, and
    the other follows from it.
    """
    told = [each.size for each in one.values if each.size is not None]
    return len(one.values) == len(told) == 2 and sum(told) == n


def same_values(rules: Rules, of: Certificate) -> bool:
    """Whether the rules have the labels that the certificate names, and the values of each."""
    recipe = of.recipe or {}
    told, names = recipe.get("label_values"), recipe.get("labels")
    if names is not None and tuple(names) != rules.names:
        return False
    named = any(isinstance(rule, NamedRule) for rule in rules)
    stated = () if of.several is None else of.several.labels
    if named and stated and tuple(one.label for one in stated) != rules.names:
        return False
    if of.asked.values or (told is not None and len(told) != len(rules)):
        return False
    for place, rule in enumerate(rules):
        inner = rule.rule if isinstance(rule, NamedRule) else rule
        if told is None and label_count(inner) != 2:
            return False
        own = replace(rule.label, name=None).words if isinstance(rule, NamedRule) else None
        if told is not None and own is not None and list(told[place]) != list(own):
            return False
    return True
