"""Opening a run: the question is looked at, and entered in the run store."""

from agent.errors import QuestionError
from graphs.context import Context
from graphs.runs.version import graph_version

__all__ = ("open_run",)


def open_run(question: str, run: str, context: Context) -> str:
    """Enter a run, or find it entered already; return its id, made where none is given.

    Raises:
        QuestionError: the question is no text.
        RunError: the id is taken by a run on another question, corpus, graph or model.
    """
    _check(question)
    run = run or context.new_run()
    context.store.create(
        run,
        question=question,
        corpus_digest=context.corpus.digest,
        graph_version=graph_version(),
        model=context.reasoner.name,
        created=context.now(),
    )
    return run


def _check(question: str) -> None:
    if not isinstance(question, str) or not question.strip():
        raise QuestionError("the question is empty; ask for instance 'How many … mention …?'")
    if any("\ud800" <= letter <= "\udfff" for letter in question):
        raise QuestionError("the question is no valid text: the terminal's encoding must be UTF-8")
    if "\0" in question:
        raise QuestionError("the question is no valid text: it holds a null character")
