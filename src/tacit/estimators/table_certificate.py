"""What the certificate of a rule over a table says, and what is set aside to say it."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tacit.api import account_of
from tacit.bounds.upper import occam
from tacit.bounds.upper.noisy_count import (
    MOST_SHARE,
    NOISY_COUNT,
    certified_error,
    count_share,
)
from tacit.core import BadInput, Relation, Release
from tacit.core.certificate import (
    Asked,
    Certificate,
    Comparator,
    Compared,
    Counted,
    Measured,
)
from tacit.core.numbers import exact, positive, probability
from tacit.domains.schema import Schema
from tacit.estimators.base import TacitClassifier
from tacit.estimators.recipes import recipe_of
from tacit.mechanisms.calibration import spread
from tacit.problems.tables.checked import Checked
from tacit.problems.tables.rule_counts import (
    MOST_BESIDE,
    Beside,
    counted,
    plan_beside,
    wanted_counts,
)
from tacit.report.certify import spent_of

_SAME_FEATURES = "fresh labels of records with these same features"
"""What errors speak of where the features set the grid: ``occam.proof.md``, fixed features."""


class CertifiedClassifier(TacitClassifier):
    """A classifier whose rule has a public prior, and whose mistakes are counted with noise."""

    rule_: Any
    certificate_: Certificate
    error_share: Any

    @abstractmethod
    def _prior(self, learner: Any, rule: Any) -> Fraction:
        """The public prior of a released rule, or anything below it."""

    @abstractmethod
    def _sizes(self, learner: Any) -> list[tuple[str, Fraction]]:
        """Kinds of comparators: in words, and their least prior."""

    def _share(self, n: int | None) -> Fraction:
        """The part of ``epsilon`` that counts mistakes."""
        if isinstance(self.error_share, str) and self.error_share == "auto":
            return count_share(n=n, epsilon=positive(self.epsilon, name="epsilon"))
        share = exact(self.error_share, name="error_share")
        if not 0 <= share < 1:
            raise BadInput("error_share must be at least 0 and below 1, or 'auto'")
        return share

    def _beside(
        self, schema: Schema, n: int | None
    ) -> tuple[tuple[Beside, ...], tuple[Counted, ...]]:
        """What is counted beside the mistakes, and what is not, from public numbers."""
        negative = self._classes()[0]
        beside, left_out = plan_beside(
            wanted_counts(schema, declared=negative is not None),
            n=n,
            epsilon=positive(self.epsilon, name="epsilon"),
            beta=probability(self.beta, name="beta"),
        )
        return beside, tuple(Counted(what=what, needed=needed) for what, needed in left_out.items())

    def _least_draw(self) -> Fraction:
        """The least part of ``epsilon`` that is left for the draw, whatever ``n`` is."""
        automatic = isinstance(self.error_share, str) and self.error_share == "auto"
        share = MOST_SHARE if automatic else self._share(None)
        return 1 - share - MOST_BESIDE if share else Fraction(1)

    def _keep(
        self,
        release: Release[Any],
        learner: Any,
        schema: Schema,
        *,
        n: int | None,
        beta: Fraction,
        epsilon: Fraction,
        count: Fraction,
    ) -> None:
        """Keep the release and its certificate; ``count`` is what the mistakes were given."""
        certificate = replace(
            self.certify(learner, release, schema, n=n, beta=beta, epsilon=epsilon, count=count),
            recipe=recipe_of(self, schema, n),
            account=account_of(release, self.ledger),
        )
        rule = release.value.rule if isinstance(release.value, Checked) else release.value
        self.rule_ = rule
        self.certificate_ = certificate
        self.release_ = replace(release, value=rule, certificate=certificate)

    def certify(
        self,
        learner: Any,
        release: Release[Any],
        schema: Schema,
        *,
        n: int | None,
        beta: Fraction,
        epsilon: Fraction,
        count: Fraction,
    ) -> Certificate:
        """What may be said about a release of ``learner``, from public and released numbers."""
        relation = release.event.relation
        asked = Asked(
            epsilon=epsilon,
            delta=exact(self.delta, name="delta"),
            relation=relation,
            beta=beta,
        )
        return Certificate(
            asked=asked,
            spent=spent_of(release.event, delta=asked.delta),
            algorithm=type(learner).__name__,
            what=self._what(learner),
            n=n,
            private=release.private,
            privacy_claim=release.claim,
            measured=self._measured(learner, release.value, schema, n=n, beta=beta, count=count),
            compared=None if n is None else self._compared(learner, relation, n=n, beta=beta),
        )

    def _measured(
        self,
        learner: Any,
        found: Any,
        schema: Schema,
        *,
        n: int | None,
        beta: Fraction,
        count: Fraction,
    ) -> Measured | None:
        """The noisy mistakes, and what they say about the true error."""
        if not isinstance(found, Checked):
            return None
        prior = error = None
        if n is not None:
            prior = Fraction(self._prior(learner, found.rule))
            error = certified_error(
                noisy_mistakes=found.noisy_mistakes,
                n=n,
                prior=prior,
                epsilon=count,
                beta=beta / self._draws(),
            )
        beside, left_out = self._beside(schema, n)
        return Measured(
            noisy_mistakes=found.noisy_mistakes,
            epsilon=count,
            draws=self._draws(),
            prior=prior,
            error=error,
            claim=NOISY_COUNT,
            about="new records" if self.domain is not None else _SAME_FEATURES,
            beside=(*counted(beside, found.beside, beta=beta), *left_out),
        )

    def _compared(
        self, learner: Any, relation: Relation, *, n: int, beta: Fraction
    ) -> Compared | None:
        """What holds against the best rule of each public size."""
        rate = learner.epsilon / spread(relation)
        sizes = self._sizes(learner)
        if not sizes:
            return None
        least = min(prior for _, prior in sizes)
        among = []
        for what, prior in sizes:
            given = {"n": n, "rate": rate, "prior": prior, "beta": beta}
            among.append(
                Comparator(
                    what=what,
                    prior=prior,
                    realizable=occam.realizable_error(**given),
                    excess=occam.agnostic_excess(**given, least_prior=least),
                )
            )
        return Compared(rate=rate, least=least, claim=occam.COMPARATOR, among=tuple(among))

    def _draws(self) -> int:
        """How many noisy counts the released one may be the least of, on average."""
        return 1

    def _what(self, learner: Any) -> str:
        """The class that was drawn from, in words."""
        text: str = learner.concept_class.describe()
        return text
