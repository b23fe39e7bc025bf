"""Cases that several tests share: Verifiers of covers, packings and doubling: each change is found."""

from fractions import Fraction

from tacit.theory.dimensions.incidence import read
from tacit.theory.dimensions.witnesses import Cover, HardBall, Packing

STEPS = read([[int(j >= i) for j in range(4)] for i in range(5)])


UNIFORM = (Fraction(1, 4),) * 4


HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


PACKED = Packing(
    digest="", radius=QUARTER, reference=UNIFORM, members=(0, 2, 4), centre=-1, within=Fraction(1)
)


COVERED = Cover(digest="", radius=QUARTER, reference=UNIFORM, centres=(1, 3))


HARD = HardBall(
    digest="", reference=UNIFORM, size=2, radius=HALF, centre=2, weights=(1, 0, 0, 0, 1)
)
