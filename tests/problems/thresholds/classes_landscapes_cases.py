"""Cases that several tests share: Mistakes of all concepts at once, against counting them one by one."""

ORIENTATIONS = [">=", "<", "<=", "INTERVAL", "THRESH"]


def _candidates(concept_class):
    first = getattr(concept_class, "first", 0)
    return range(first, first + concept_class.size)


def _all_errors(landscape):
    levels = landscape.levels()
    return {
        landscape.member(error, rank): error
        for error, count in zip(levels.errors.tolist(), levels.counts.tolist(), strict=True)
        for rank in range(int(count))
    }
