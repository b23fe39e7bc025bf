"""Runs reproductions part by part, in several processes, and keeps each part when it is done."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

from tacit import __version__
from tacit.core import BadInput
from tacit.reproduce.experiment import EFFORTS, Effort, Experiment, Row, named


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """An experiment with the rows that are there, and the parts that failed or are missing."""

    experiment: Experiment
    effort: Effort
    rows: tuple[Row, ...]
    missing: tuple[str, ...]


Told = Callable[[str], None]


def reproduce(
    names: Sequence[str],
    *,
    effort: str = "quick",
    folder: Path,
    workers: int = 2,
    progress: Told | None = None,
) -> list[Outcome]:
    """Make the tables of ``names``; what an earlier run has left in ``folder`` is not made again.

    Every finished part is appended to ``folder/NAME.EFFORT.jsonl`` at once. A part that
    fails is named in the outcome; the others are finished and kept.
    """
    chosen, asked = named(names), EFFORTS.get(effort)
    if asked is None:
        raise BadInput(f"effort must be one of {', '.join(EFFORTS)}")
    if workers < 1:
        raise BadInput("workers must be at least 1")
    folder.mkdir(parents=True, exist_ok=True)
    todo = [
        (entry.name, part.key)
        for entry in chosen
        for done in (_kept(folder, entry, asked),)
        for part in entry.parts(asked)
        if part.key not in done
    ]
    _run(todo, asked, folder, workers, progress)
    return [_outcome(folder, entry, asked) for entry in chosen]


def _run(
    todo: list[tuple[str, str]],
    effort: Effort,
    folder: Path,
    workers: int,
    progress: Told | None,
) -> None:
    if not todo:
        return
    tell = progress or (lambda _: None)
    # Fresh processes: nothing of the caller's (locks, threads, entropy) is carried over.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        waiting: dict[Future[list[Row]], tuple[str, str]] = {
            pool.submit(_made, name, key, effort.name): (name, key) for name, key in todo
        }
        try:
            while waiting:
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    name, key = waiting.pop(future)
                    failed = future.exception()
                    if failed is None:
                        _keep(folder, name, effort, key, future.result())
                    said = "done" if failed is None else f"failed ({type(failed).__name__})"
                    tell(f"{len(todo) - len(waiting)} of {len(todo)}: {name}, {key}: {said}")
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _made(name: str, key: str, effort: str) -> list[Row]:
    """In a worker: the rows of one part."""
    asked = EFFORTS[effort]
    return [dict(row) for row in named([name])[0].part(key, asked).rows()]


def _file(folder: Path, name: str, effort: Effort) -> Path:
    return folder / f"{name}.{effort.name}.jsonl"


def _keep(folder: Path, name: str, effort: Effort, key: str, rows: list[Row]) -> None:
    line = json.dumps({"part": key, "software": __version__, "rows": rows}) + "\n"
    with _file(folder, name, effort).open("a", encoding="utf-8") as file:
        file.write(line)
        file.flush()
        os.fsync(file.fileno())


def _kept(folder: Path, entry: Experiment, effort: Effort) -> dict[str, list[Row]]:
    """What this version has left; a line that an interruption cut short is not there."""
    path, found = _file(folder, entry.name, effort), {}
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                record = json.loads(line)
                if record["software"] == __version__:
                    found[str(record["part"])] = list(record["rows"])
            except (ValueError, KeyError, TypeError):
                continue
    return found


def _outcome(folder: Path, entry: Experiment, effort: Effort) -> Outcome:
    kept = _kept(folder, entry, effort)
    keys = [part.key for part in entry.parts(effort)]
    rows = tuple(row for key in keys if key in kept for row in kept[key])
    missing = tuple(key for key in keys if key not in kept)
    return Outcome(experiment=entry, effort=effort, rows=rows, missing=missing)
