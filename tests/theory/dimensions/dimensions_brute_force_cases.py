"""Cases that several tests share: The searches against brute force that follows the definitions."""

from itertools import combinations, permutations, product


def orbits(points, most):
    """One class from each orbit under exchanging points and labels."""
    seen = set()
    cube = list(product((0, 1), repeat=points))
    moves = [
        (order, flip)
        for order in permutations(range(points))
        for flip in product((0, 1), repeat=points)
    ]
    for size in range(1, most + 1):
        for rows in combinations(cube, size):
            if rows in seen:
                continue
            seen |= {
                tuple(
                    sorted(
                        tuple(row[i] ^ f for i, f in zip(order, flip, strict=True)) for row in rows
                    )
                )
                for order, flip in moves
            }
            yield rows


SMALL = [rows for points in (1, 2, 3, 4) for rows in orbits(points, 6)]
