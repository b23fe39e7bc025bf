"""Cases that several tests share: Text is placed the quick way exactly as cell by cell."""

import pyarrow as pa

TEXTS = [
    *("0", "1", "-1", "+1", "01", "1.0", "1.", ".5", "-0", "1e2", "1e999", "-1e999", "1_0", " 1 "),
    *(
        "nan",
        "NaN",
        "inf",
        "-inf",
        "Infinity",
        "true",
        "TRUE",
        "yes",
        "no",
        "",
        " ",
        "a",
        "a ",
        "ä",
    ),
    *("9007199254740993", "0.1", "2.675", "1" * 150, "0." + "3" * 150, "1" * 400, "0x10", "1,5"),
    *("4.9406564584124654e-324", "179769313486231580793", "2024-05-01", "\u0663", "\n1", "1\n"),
    *("123456789.123456789123456789", "0." + "0" * 190 + "1", "99999999999999999999.5", None),
]


def _columns():
    many = [*TEXTS, *TEXTS[::-1], *TEXTS]
    yield many, pa.array(many, pa.string())
    yield many, pa.array(many, pa.large_string())
    yield many, pa.chunked_array([many[:20], many[20:21], [], many[21:]], pa.string())
    yield [], pa.array([], pa.string())
    yield [], pa.chunked_array([], pa.string())
    yield [None], pa.array([None], pa.string())
    yield ["1", "2.5"], pa.array(["1", "2.5"])
