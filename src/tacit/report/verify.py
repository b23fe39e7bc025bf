"""Check a release file: every number is computed anew, by the theorems it names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

from tacit.accounting import total
from tacit.bounds.upper import occam
from tacit.core import BadInput, Pure, leaves
from tacit.core.certificate import Answered, Certificate
from tacit.core.named import label_count
from tacit.core.numbers import counted, show_rounded_up
from tacit.core.task_fields import RECORD
from tacit.mechanisms.calibration import spread
from tacit.mechanisms.persons import row_relation
from tacit.problems.marginals.worst_error import WORST_ERROR, worst_error
from tacit.problems.several.rules import Rules
from tacit.problems.tables.leaf_rates import LeafRates
from tacit.problems.tables.rated_rules import rated_rules, reach_of
from tacit.report.accounts import accounted
from tacit.report.anew import PATIENCE, computed_anew
from tacit.report.errors import MOST_LINES, MOST_RECORDS, checked_error
from tacit.report.paid import may_be_drawn, may_cost
from tacit.report.release_file import (
    ReleaseFile,
    digest_of,
    load,
    proof_hash,
    same_theorem,
    schema_digest,
)
from tacit.report.same_columns import same_columns
from tacit.report.verdict import Check, State, Verdict, Wrong, test
from tacit.report.verify_several import same_values, several_errors

if TYPE_CHECKING:
    from tacit.accounting import Ledger
    from tacit.report.signatures import PublicKey


def verify(
    path: str | Path,
    *,
    ledger: Ledger | None = None,
    key: PublicKey | None = None,
    seconds: float | None = PATIENCE,
) -> Verdict:
    """Check a release file, with the ledger that paid and the signer's key if given.

    Numbers of other people can be made to take for ever: what is computed anew runs in a
    process of its own that is given ``seconds`` and a limit of memory. ``None`` computes
    here, without a limit: for files of your own.
    """
    file = Path(path)
    try:
        release = load(file)
    except BadInput as wrong:
        return Verdict((Check("the file", State.FAILS, str(wrong)),))
    checks = list(_checks(release, ledger, seconds))
    checks.append(_signature(file, key))
    return Verdict(tuple(checks))


def verify_release(
    release: ReleaseFile,
    *,
    ledger: Ledger | None = None,
    key: PublicKey | None = None,
    seconds: float | None = PATIENCE,
) -> Verdict:
    """Check a release that was read; a signature is beside the file, so it is not seen here."""
    if key is not None:
        raise BadInput("a signature is checked with the file: tacit.verify(path, key=...)")
    return Verdict(tuple(_checks(release, ledger, seconds)))


def _checks(release: ReleaseFile, ledger: Ledger | None, seconds: float | None) -> Iterator[Check]:
    certificate = release.certificate
    quick = [
        test("digest", lambda: _digest(release)),
        test("privacy", lambda: _privacy(certificate)),
        test("words and bounds", lambda: _words(release)),
        test("rule or table", lambda: _value(release)),
        *_accuracy(certificate, release.record["made"]["proofs"]),
    ]
    yield from quick
    if certificate.recipe is None:
        words = "that the mechanism of this class of rules costs what is stated"
        yield Check("computed anew", State.CLAIMED, words)
    elif Verdict(tuple(quick)):  # what is wrong already is not worth the work
        yield computed_anew(release, seconds=seconds)
    yield _proofs(release)
    yield from accounted(release, ledger)
    yield Check(
        "what no file can show",
        State.CLAIMED,
        "that the program ran as it says on the records it says, and what the certificate lists "
        f"under Assumed, such as: {' '.join(certificate.assumed[:1])}",
    )


def _digest(release: ReleaseFile) -> str:
    digests = release.record["digests"]
    if digests["release"] != digest_of(release.record):
        raise Wrong("the file was changed after it was written")
    if digests["schema"] != schema_digest(release.record.get("rule", release.record.get("table"))):
        raise Wrong("the schema is not the one whose digest is given")
    return f"the file is whole: {digests['release']}"


def _privacy(of: Certificate) -> str:
    spent = total([of.event], delta=of.asked.delta)
    if (spent.epsilon, spent.delta) != (of.epsilon, of.delta):
        raise Wrong("epsilon or delta is not what the event costs")
    if of.event.relation is not of.asked.relation:
        raise Wrong("the event is stated for other neighbours than was asked")
    if of.epsilon is None:
        raise Wrong("no epsilon is known for this event")
    if of.epsilon > of.asked.epsilon or of.delta > of.asked.delta:
        raise Wrong("more was spent than asked for")
    if of.n is not None and not of.event.relation.size_is_public:
        raise Wrong("a number of records is stated, which is private")
    if not of.private:
        raise Wrong("it was drawn from a test seed and is not private at all")
    delta = f", delta = {show_rounded_up(of.delta)}" if of.delta else ""
    return (
        f"what was done costs epsilon = {show_rounded_up(of.epsilon)}{delta} "
        f"({of.event.relation.value}), which is what the certificate states"
    )


def _words(release: ReleaseFile) -> str:
    about, asked = release.about, release.certificate.asked
    said = (about.unit, about.rows_per_unit)
    if said not in ((RECORD, ""), (asked.unit, str(asked.rows_per_unit))):
        raise Wrong("the file names others as protected than its certificate")
    if release.certificate.to_dict() != release.record["certificate"]:
        raise Wrong("a sentence or a bound differs from what the numbers say")
    return "attack bounds, assumptions and what is not protected follow from the numbers"


def _value(release: ReleaseFile) -> str:
    described = release.record.get("rule", release.record.get("table"))
    if release.value.to_dict() != described:
        raise Wrong("it cannot be read back as it was written")
    _rates(release.value, release.certificate)
    rules = len(release.value.rules) if isinstance(release.value, Rules) else 1
    if rules != release.certificate.asked.k:
        raise Wrong("there are not as many rules as were asked for")
    if not _same_labels(release):
        raise Wrong("its label values are not the ones that the certificate names")
    if not same_columns(described, release.certificate.recipe):
        raise Wrong("its columns, or their cells, are not the ones that the certificate names")
    return "it can be read and applied as it is written"


def _rates(value: object, of: Certificate) -> None:
    """Refuse rates that nobody paid for, or whose noise is not what was paid for."""
    if not (rated := rated_rules(value)):
        if of.rates is not None:
            raise Wrong("rates are paid for, and it holds none")
        return
    if of.rates is None:
        raise Wrong("its rates were counted from the records, and no cost of that is stated")
    # The learner comes first: one part alone would have paid for the rule or for its rates.
    paid = Pure(epsilon=of.rates.epsilon, relation=of.event.relation)
    if len(leaves(of.event)) < 2 or leaves(of.event)[-1] != paid:
        raise Wrong("what its rates are said to cost is no part of what was paid for")
    counted = LeafRates.of_rows(
        rated[0].rule,
        epsilon=of.rates.epsilon / len(rated),
        relation=of.event.relation,
        rows=of.asked.rows_per_unit,  # one of each record
    )
    told = (of.rates.parts, counted.scale, of.rates.within)
    parts = sum(one.parts for one in rated)
    if told != (parts, rated[0].scale, reach_of(rated, of.rates.unsure)):
        raise Wrong("the noise of its rates is not what was paid for")


def _same_labels(release: ReleaseFile) -> bool:
    """Whether rule and certificate have the same label values, where there are more than two."""
    if isinstance(release.value, Rules):
        return same_values(release.value, release.certificate)
    stated, count = release.certificate.asked.values, label_count(release.value)
    if count == 2:
        return not stated
    told = release.classes or tuple(range(count))
    return stated == tuple(str(one) for one in told)


def _accuracy(of: Certificate, proofs: Mapping[str, str]) -> Iterator[Check]:
    if of.planned is not None and of.recipe is None:
        enough, ends = counted(of.planned.needed, "record"), "s" * (of.planned.needed == 1)
        words = f"that {enough} suffice{ends} for this class of rules"
        yield Check("accuracy", State.CLAIMED, words)
    if of.measured is not None:
        found = test("error", lambda: checked_error(of, proofs))
        silent = of.measured.error is None and found.state is State.HOLDS
        yield replace(found, state=State.ABSENT) if silent else found
        told = f"that {of.measured.noisy_mistakes} is the noisy count of mistakes"
        if of.measured.noisy_right is not None:
            told += f", {of.measured.noisy_right} that of right answers"
        if beside := [str(number) for number in of.measured.numbers]:
            told += f", and {', '.join(beside)} the numbers beside it, with noise of either sign"
        yield Check("count of mistakes", State.CLAIMED, told)
    if of.rates is not None:
        yield Check("rates", State.CLAIMED, "that these are the noisy numbers of each label")
    if of.several is not None:
        yield test("errors", lambda: several_errors(of, proofs))
        yield Check("counts of mistakes", State.CLAIMED, "that these are the noisy counts")
    if of.compared is not None:
        yield test("comparisons", lambda: _compared(of, proofs))
    if of.answered is not None:
        yield test("error", lambda: _answered(of, proofs))
        yield Check("count of the worst error", State.CLAIMED, _answer_claims(of, of.answered))


def _answer_claims(of: Certificate, found: Answered) -> str:
    """The noisy numbers behind a table's error: any others would give another error."""
    beside = counted(len(found.each), "number")
    each = f", the {beside} beside it those of each set of columns" if found.each else ""
    noisy = of.n is None or of.asked.rows_per_unit > 1
    share = f", and {found.records} that of all records, of which the error is a share"
    return f"that {found.noisy_worst} is the noisy count of the worst error{each}{share * noisy}"


def _answered(of: Certificate, proofs: Mapping[str, str]) -> str:
    found, asked = of.answered, of.asked
    assert found is not None
    if not same_theorem(found.claim, WORST_ERROR, proofs):
        raise Wrong("the error rests on another theorem than this version knows")
    relation = row_relation(asked.relation, asked.rows_per_unit)
    if found.cost.relation is not relation or not may_cost(of.event, found.cost):
        raise Wrong("its errors are said to have been counted with less noise than was paid for")
    # Several rows of each person are as many as came, with noise.
    if of.n is not None and asked.rows_per_unit == 1 and found.records != of.n:
        raise Wrong("the error is a share of another number of records")
    error = worst_error(found.noisy_worst, records=found.records, cost=found.cost, beta=of.beta)
    if error != found.error:
        raise Wrong("the bound on the error of every answer is not what the noisy worst error says")
    return "the bound on the error of every answer follows from the noisy worst error"


def _compared(of: Certificate, proofs: Mapping[str, str]) -> str:
    compared = of.compared
    assert compared is not None
    known = same_theorem(compared.claim, occam.COMPARATOR, proofs)
    if not known or of.n is None or of.n > MOST_RECORDS:
        raise Wrong("the comparisons rest on another theorem than this version knows")
    if not may_be_drawn(of.event, compared.rate * spread(of.event.relation)):
        raise Wrong("the rule is said to have been drawn at a higher rate than was paid for")
    if compared.least != min((one.prior for one in compared.among), default=Fraction(0)):
        raise Wrong("the least prior is not the least")
    if len(compared.among) > MOST_LINES:
        raise Wrong(f"there are more than {MOST_LINES} comparisons")
    for one in compared.among:
        realizable = occam.realizable_error(
            n=of.n, rate=compared.rate, prior=one.prior, beta=of.beta
        )
        excess = occam.agnostic_excess(
            n=of.n,
            rate=compared.rate,
            prior=one.prior,
            least_prior=compared.least,
            beta=of.beta,
        )
        if (realizable, excess) != (one.realizable, one.excess):
            raise Wrong(f"a bound against {one.what} is wrong")
    return "the bounds against rules of other sizes follow from the number of records"


def _proofs(release: ReleaseFile) -> Check:
    stated = release.record["made"]["proofs"]
    if not stated:
        return Check("proofs", State.CLAIMED, "no proof of this package is named")
    differs = [name for name, value in stated.items() if proof_hash(str(name)) != value]
    if differs:
        words = f"this installation has other versions of {', '.join(map(str, differs))}"
        return Check("proofs", State.CLAIMED, words)
    words = (
        "the one proof behind it is that of this installation"
        if len(stated) == 1
        else f"the {len(stated)} proofs behind it are those of this installation"
    )
    return Check("proofs", State.HOLDS, words)


def _signature(path: Path, key: PublicKey | None) -> Check:
    from tacit.report.signatures import check_signature, fingerprint, signature_path

    beside = signature_path(path)
    if key is None:
        there = "its signature is not checked without --key"
        there = there if beside.exists() else f"there is no signature {beside.name} beside it"
        return Check("signature", State.CLAIMED, f"who made it: {there}")
    try:
        check_signature(path, key)
    except BadInput as wrong:
        return Check("signature", State.FAILS, str(wrong))
    words = f"the file is signed with the key that was given ({fingerprint(key)}); whose key it is "
    return Check("signature", State.HOLDS, f"{words}and when it signed, no signature can show")
