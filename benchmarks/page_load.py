"""The page under load: planner requests at a fixed rate, half of them plans never seen.

``python -m benchmarks.page_load`` starts ``tacit serve``, asks 16 times a second for half a
minute, and prints the times; it fails if the slowest of a hundred takes half a second.
"""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
import time
from itertools import cycle

import httpx2

CLASSES = [
    {"class": "thresholds", "o.bits": "32"},
    {"class": "points", "o.bits": "64"},
    {"class": "parities", "o.bits": "8"},
    {"class": "lines", "o.p": "101"},
    {"class": "thresholds", "o.bits": "200", "delta": "0.000001"},
]


def _questions(total: int) -> list[dict[str, str]]:
    """Half the plans are new: an epsilon that nobody asked for; the others repeat one."""
    kinds = cycle(CLASSES)
    asked = []
    for place in range(total):
        new = {"epsilon": f"0.{1000 + place}"} if place % 2 else {"epsilon": "1"}
        asked.append(next(kinds) | new)
    return asked


async def _ask(address: str, rate: int, seconds: int) -> list[float]:
    taken: list[float] = []

    async def one(client: httpx2.AsyncClient, fields: dict[str, str]) -> None:
        begin = time.perf_counter()
        answer = await client.get(f"{address}/plan/answer", params=fields)
        assert answer.status_code == 200
        assert "records suffice" in answer.text, answer.text
        taken.append(time.perf_counter() - begin)

    async with httpx2.AsyncClient(timeout=30) as client:
        for fields in CLASSES:  # the first plan of a class loads its code
            await client.get(f"{address}/plan/answer", params=fields | {"epsilon": "2"})
        start, waiting = time.perf_counter(), []
        for place, fields in enumerate(_questions(rate * seconds)):
            await asyncio.sleep(max(0.0, start + place / rate - time.perf_counter()))
            waiting.append(asyncio.create_task(one(client, fields)))
        await asyncio.gather(*waiting)
    return sorted(taken)


def main(*, rate: int = 16, seconds: int = 30) -> int:
    words = [sys.executable, "-m", "tacit.cli", "serve"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        found = re.search(r"(http://\S+)/plan", server.stdout.readline())
        assert found is not None
        try:
            taken = asyncio.run(_ask(found[1], rate, seconds))
        finally:
            server.terminate()
    at = {share: taken[min(len(taken) - 1, int(share * len(taken)))] for share in (0.5, 0.9, 0.99)}
    print(
        f"{len(taken)} planner requests at {rate} a second, half never seen: "
        + ", ".join(f"p{share * 100:g} {took * 1000:.0f} ms" for share, took in at.items())
        + f", slowest {taken[-1] * 1000:.0f} ms (the target for p99 is 500 ms)"
    )
    return int(at[0.99] >= 0.5)


if __name__ == "__main__":
    sys.exit(main())
