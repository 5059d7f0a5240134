"""What a run depends on but does not store: corpus, reasoner, policy, run store, clock."""

import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from agent.policy import Policy
from agent.reasoner import Reasoner
from agent.reasoners.rules import RulesReasoner
from tools.corpus.corpus import Corpus
from tools.runs.store import RunStore

__all__ = ("Context", "new_run_id")


def new_run_id() -> str:
    """Return a fresh run id: 12 hexadecimal digits."""
    return uuid.uuid4().hex[:12]


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

    @cached_property
    def store(self) -> RunStore:
        """The store of snapshots, coverage, findings and answers, beside the corpus."""
        return RunStore(self.corpus.runs / "runs.sqlite")
