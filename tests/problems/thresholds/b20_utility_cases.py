"""Cases that several tests share: Stated accuracy at exactly the stated number of records, on data made to break it."""

from fractions import Fraction

from scipy.stats import binomtest

from tacit import Accuracy, Privacy, Task

LEVEL = 1e-6


ONE, BETA, DELTA = Fraction(1), Fraction(1, 10), Fraction(1, 10**6)


ALPHA = 0.1


TRIALS = 120


def too_often(bad, trials=TRIALS):
    return binomtest(int(bad), trials, float(BETA), alternative="greater").pvalue < LEVEL


def surely_fails(bad, trials=TRIALS):
    """Fails more often than twice beta, beyond doubt."""
    return binomtest(int(bad), trials, 2 * float(BETA), alternative="greater").pvalue < LEVEL


def task(concepts, *, delta=0, marginal="any", relation="replace-one", alpha=ALPHA):
    return Task(
        concepts,
        privacy=Privacy(1, delta, relation),
        accuracy=Accuracy(alpha, BETA),
        marginal=marginal,
    )
