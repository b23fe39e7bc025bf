"""Install programs of Debian's packages where tests need them and they are missing.

Only as root on Debian, as on a fresh machine of continuous integration; elsewhere nothing is
touched, and the reason says what to type. Standard library only: ``proofs`` runs it without
an environment.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

SECONDS = 420
"""How long one call of apt-get may take, waiting for another one included."""


def install(packages: Sequence[str], missing: Callable[[], str]) -> str:
    """Install the packages if ``missing()`` names something; why that is still missing, or nothing."""
    if not missing():
        return ""
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        return f"{missing()} not found; as root on Debian: apt-get install {' '.join(packages)}"
    print(f"installing {' '.join(packages)}", flush=True)
    # Another installation may be under way: its lock is waited for, and as lists of packages are
    # not waited for by apt-get, two of ours take turns.
    words = ["-o", "DPkg::Lock::Timeout=300"]
    with _turn():
        _apt([*words, "update"])
        _apt([*words, "install", "--yes", "--no-install-recommends", *packages])
    return f"{missing()} not found, and apt-get could not install it" if missing() else ""


@contextmanager
def _turn() -> Iterator[None]:
    import fcntl  # not everywhere

    folder = os.open("/var/lib/dpkg", os.O_RDONLY)
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _apt(words: list[str]) -> None:
    settings = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    try:
        subprocess.run(["apt-get", *words], check=False, env=settings, timeout=SECONDS, **quiet)
    except subprocess.TimeoutExpired:
        return  # what is missing then is said by who asked


def programs(names: Sequence[str]) -> Callable[[], str]:
    """Which of these programs are not on the path, as words."""
    return lambda: " and ".join(name for name in names if shutil.which(name) is None)
