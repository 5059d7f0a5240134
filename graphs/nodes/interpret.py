"""interpret: turn the question into an executable reading."""

from langgraph.runtime import Runtime

import prompts
from agent.errors import QuestionError
from agent.replies import InterpretReply
from agent.state import State, Update
from graphs.asking import ask
from graphs.context import Context
from graphs.readings import usable
from graphs.version import graph_version

__all__ = ("interpret",)


def interpret(state: State, runtime: Runtime[Context]) -> Update:
    """Read the question; open the run in the run store."""
    context = runtime.context
    _check(state.question)
    run = state.run or context.new_run()
    context.store.create(
        run,
        question=state.question,
        corpus_digest=context.corpus.digest,
        graph_version=graph_version(),
        model=context.reasoner.name,
        created=context.now(),
    )
    prompt = prompts.interpret(
        question=state.question, conversation=state.conversation, corpus=context.corpus
    )
    reading = ask(runtime, prompt, InterpretReply, lambda reply: usable(reply, context))
    return {"run": run, "interpretation": reading}


def _check(question: str) -> None:
    if not isinstance(question, str) or not question.strip():
        raise QuestionError("the question is empty; ask for instance 'How many … mention …?'")
    if any("\ud800" <= letter <= "\udfff" for letter in question):
        raise QuestionError("the question is no valid text: the terminal's encoding must be UTF-8")
