"""The control tools of the filter loop; only their arguments: the graph carries them out."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from tools.filters.arguments import Arguments, Words

__all__ = ("CONTROLS", "Control", "FinishArguments", "RollbackArguments", "UnionArguments")


class UnionArguments(Arguments):
    """The snapshots to join."""

    snapshots: Annotated[tuple[Words, ...], Field(min_length=2, max_length=50)]
    """Two or more snapshot ids of the history, e.g. `["3f2a…", "90c1…"]`."""


class RollbackArguments(Arguments):
    """The snapshot to go back to."""

    snapshot: Words
    """A snapshot id of the history."""


class FinishArguments(Arguments):
    """Nothing."""


@dataclass(frozen=True, slots=True)
class Control:
    """A tool whose effect is on the loop, not on the candidates."""

    description: str
    arguments: type[Arguments]


CONTROLS = {
    "union": Control(
        "Join snapshots: a chunk is kept that any of them holds. Use it to combine two ways of "
        'finding the same thing, each called on the same parent: {"snapshots": ["<id>", "<id>"]}.',
        UnionArguments,
    ),
    "rollback": Control(
        "Go back to an earlier snapshot, when a call discarded chunks that matter: "
        '{"snapshot": "<id>"}.',
        RollbackArguments,
    ),
    "finish": Control(
        "Stop filtering: the candidates are few enough to be read, or no call would discard only "
        "what is irrelevant. {}",
        FinishArguments,
    ),
}
