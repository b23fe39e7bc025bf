"""Cases that several tests share: The mechanisms draw from the laws that the exact tests judge, and from no others."""

from collections import Counter

from tests.tools.levels import accepts

from tacit.checks.testing import seeded

DRAWS = 8_000


def check(draw, law, *wrong):
    """The draws fit the law and none of the wrong ones."""
    rng = seeded(3)
    counts = Counter(draw(rng) for _ in range(DRAWS))
    assert set(counts) <= set(law)
    outputs = sorted(law, key=lambda output: -float(law[output]))
    for other in (law, *wrong):
        fits = accepts([counts[o] for o in outputs], [float(other.get(o, 0)) for o in outputs])
        assert fits == (other is law)
