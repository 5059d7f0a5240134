"""interpret: turn the question into an executable reading."""

from langgraph.runtime import Runtime

import prompts
from agent.evidence import Passage
from agent.prompt_values import InterpretValues
from agent.replies import InterpretReply
from agent.state import State, Update
from graphs.asking import ask
from graphs.context import Context
from graphs.disambiguation.readings import usable
from graphs.runs.run_entry import open_run
from tools.corpus.corpus import Corpus

_SHOWN = 600
"""Characters of a document's beginning."""


def interpret(state: State, runtime: Runtime[Context]) -> Update:
    """Read the question; open the run in the run store."""
    context = runtime.context
    run = open_run(state.question, state.run, context)
    prompt = prompts.interpret(
        InterpretValues(
            question=state.question,
            conversation=state.conversation,
            beginnings=_beginnings(context.corpus),
            corpus=context.corpus,
        )
    )
    reading = ask(runtime, prompt, InterpretReply, lambda reply: usable(reply, context))
    return {"run": run, "interpretation": reading}


def _beginnings(corpus: Corpus) -> tuple[Passage, ...]:
    """Return how the first, the middle and the last document begin."""
    last = len(corpus.documents) - 1
    return tuple(
        Passage(
            chunk=0,
            document=corpus.documents[place],
            title=corpus.titles[place],
            start=0,
            text=corpus.document_text(place)[:_SHOWN],
        )
        for place in sorted({0, last // 2, last})
        if last >= 0
    )
