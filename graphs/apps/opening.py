"""From settings and a corpus's place to the context that a run needs."""

from pathlib import Path
from typing import TYPE_CHECKING

from agent.cost import Cost

if TYPE_CHECKING:
    from agent.settings import Settings
    from graphs.context import Context

__all__ = ("open_context",)


def open_context(corpus: Path, settings: "Settings", spent: Cost | None = None) -> "Context":
    """Open a corpus and the reasoner that the settings name.

    Args:
        corpus: the corpus's directory.
        settings: flags, environment and files, already merged.
        spent: what an interrupted run has spent already; it counts against the budget.
    """
    from agent.reasoners import select_reasoner
    from graphs.context import Context
    from tools.corpus.corpus import open_corpus

    opened = open_corpus(corpus)
    opened.runs.mkdir(parents=True, exist_ok=True)
    reasoner = select_reasoner(
        settings, cache=opened.runs / "responses.sqlite", spent=spent or Cost()
    )
    return Context(corpus=opened, reasoner=reasoner, policy=settings.policy())
