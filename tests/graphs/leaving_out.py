"""Commands without parts of the search, which no setting leaves out: an experiment's components."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from evals.ablation import Ablation
from graphs.context import Components, Context

LEFT_OUT = "TESTS_LEAVE_OUT"
"""The variable that names parts, for a command in a process of its own."""
_DEFAULTS = Context.__init__.__kwdefaults__


def leave_out(environment: Mapping[str, str] = os.environ) -> None:
    """Leave out what the environment names wherever a context names no components."""
    named = environment.get(LEFT_OUT, "").split()
    _DEFAULTS["components"] = Ablation(**dict.fromkeys(named, False)).components()


@contextmanager
def left_out(environment: Mapping[str, str]) -> Iterator[None]:
    """The same for a while."""
    leave_out(environment)
    try:
        yield
    finally:
        _DEFAULTS["components"] = Components()
