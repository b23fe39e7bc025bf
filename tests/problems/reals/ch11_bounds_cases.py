"""Cases that several tests share: The numbers of CH11 Theorems 8, 9 and 27, printed and ours."""

from fractions import Fraction as F

from tacit.core import REPLACE_ONE
from tacit.problems.reals.covers_upper import public_reference

TENTH, TWENTIETH = F(1, 10), F(1, 20)


def _ours(
    family,
    *,
    setting="realizable",
    kappa=F(1),
    alpha=TENTH,
    beta=TWENTIETH,
    epsilon=F(1),
    relation=REPLACE_ONE,
):
    return public_reference(
        family,
        setting=setting,
        kappa=kappa,
        alpha=alpha,
        beta=beta,
        epsilon=epsilon,
        relation=relation,
    )
