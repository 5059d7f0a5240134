"""Where the runs of a corpus are kept: beside it, or on a server that many machines share."""

from typing import TYPE_CHECKING

from graphs.context import Context

if TYPE_CHECKING:
    from graphs.runs.beside import RunsBeside
    from graphs.runs.shared import SharedRuns


def runs_of(context: Context) -> "RunsBeside | SharedRuns":
    """Return the place of the runs over the context's corpus."""
    if context.server is None:
        from graphs.runs.beside import RunsBeside

        return RunsBeside(context.corpus.runs)
    from graphs.runs.shared import SharedRuns
    from tools.corpus.manifest import corpus_id

    return SharedRuns(context.server, corpus_id(context.corpus.path))


def has_runs(context: Context) -> bool:
    """Return whether runs may be there; a look at a corpus never asked makes no file beside it."""
    return context.server is not None or (context.corpus.runs / "runs.sqlite").exists()
