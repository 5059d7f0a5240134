"""Opening a run: where it is kept, and its question looked at and entered in the run store."""

import hashlib
from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING

from agent.errors import QuestionError
from agent.records.analysis import AnalystState
from agent.state import State
from graphs.context import Context

if TYPE_CHECKING:
    from graphs.runs.beside import RunsBeside
    from graphs.runs.shared import SharedRuns


LONGEST = 10_000
"""Characters of a question at most."""
_NODES = (
    "interpret classify clarify ask rewrite assume reread route records decide narrow plan apply "
    "observe feedback batch judge audit align answer"
)


@cache
def graph_version() -> str:
    """Return a digest of the form of what fields hold, the node names and the states' fields."""
    kept = (*fields(State), *fields(AnalystState))
    parts = ["form 2", *_NODES.split(), *(f"{field.name}: {field.type}" for field in kept)]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


def open_run(question: str, run: str, context: Context) -> str:
    """Enter a run, or find it entered already; return its id, made where none is given.

    Raises:
        QuestionError: the question is no text.
        RunError: the id is taken by a run on another question, corpus, graph or model.
    """
    check_question(question)
    run = run or context.new_run()
    enter(run, question, context, graph_version())
    return run


def enter(run: str, question: str, context: Context, version: str) -> None:
    """Enter a run, or what belongs to one, by its own name; raise RunError as `open_run`."""
    context.store.create(
        run,
        question=question,
        corpus_digest=context.corpus.digest,
        graph_version=version,
        model=context.reasoner.name,
        created=context.now(),
    )


def check_question(question: str) -> None:
    """Raise QuestionError where a question is empty, no valid text, or too long."""
    if not isinstance(question, str) or not question.strip():
        raise QuestionError("the question is empty; ask for instance 'How many … mention …?'")
    if any("\ud800" <= letter <= "\udfff" for letter in question):
        raise QuestionError("the question is no valid text: the terminal's encoding must be UTF-8")
    if "\0" in question:
        raise QuestionError("the question is no valid text: it holds a null character")
    if len(question) > LONGEST:
        raise QuestionError(f"the question has {len(question):,} characters, {LONGEST:,} at most")


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
