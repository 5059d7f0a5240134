"""What a run depends on but does not store: corpus, reasoner, policy, run store, clock."""

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from agent.policy import Policy
from agent.reasoner import Reasoner
from agent.reasoners.rules import RulesReasoner
from tools.corpus.corpus import Corpus, open_corpus
from tools.runs.store import RunStore

__all__ = ("Context", "new_run_id")


def new_run_id() -> str:
    """Return a fresh run id: 12 hexadecimal digits."""
    return uuid.uuid4().hex[:12]


def now() -> str:
    """Return the current time in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True, kw_only=True)
class Context:
    """The dependencies of a run, injected into every node."""

    corpus: Corpus
    """What is searched."""
    reasoner: Reasoner = field(default_factory=RulesReasoner)
    """Who reads; the embedded rules unless a model is given."""
    policy: Policy = Policy()  # noqa: RUF009 - frozen, hence safe to share
    """How the run goes about it."""
    clock: Callable[[], float] = time.monotonic
    """Seconds, for the bill."""
    new_run: Callable[[], str] = new_run_id
    """Names a run that the caller did not name."""
    now: Callable[[], str] = now
    """The time as ISO 8601, for the list of runs."""

    def __post_init__(self) -> None:
        """Open a corpus that was given by its place, as a server's JSON context gives it."""
        place: object = self.corpus
        if isinstance(place, str | Path):
            object.__setattr__(self, "corpus", open_corpus(Path(place)))

    @cached_property
    def store(self) -> RunStore:
        """The store of snapshots, coverage, findings and answers, beside the corpus."""
        return RunStore(self.corpus.runs / "runs.sqlite")
