"""Cases that several tests share: The ledger in memory: an identity that is charged, copied by nobody, and refuses in words."""

import os

from tacit.core import (
    REPLACE_ONE,
    Pure,
)


def pure(epsilon, relation=REPLACE_ONE):
    return Pure(epsilon=epsilon, relation=relation)


def in_child(action):
    """Run ``action`` in a forked child; its return value must be true."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if action() else 1)
        except BaseException:
            os._exit(2)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
