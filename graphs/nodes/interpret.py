"""interpret: turn the question into an executable reading; reread: turn to the next reading."""

from langgraph.runtime import Runtime

import prompts
from agent.ambiguity import Clarification, Exchange, Option, Reading, Reply
from agent.errors import LimitReached, QuestionError
from agent.question import Interpretation
from agent.reading import interpretation_from
from agent.replies import InterpretReply
from agent.state import State, Update
from graphs.asking import ask
from graphs.context import Context
from graphs.version import graph_version

__all__ = ("chosen", "interpret", "reread", "usable")


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


def reread(state: State, runtime: Runtime[Context]) -> Update:
    """Take up the next reading of an ambiguous question, with a clean slate for its search."""
    context = runtime.context
    number = state.answered
    reading = state.readings[number]
    if state.interpretation is None:
        raise QuestionError("no reading to take up: the question was never read")
    prompt = prompts.rewrite(
        question=state.question,
        interpretation=state.interpretation,
        exchange=chosen(reading, state.readings),
        corpus=context.corpus,
    )
    stopped = state.stopped
    try:
        interpretation = ask(runtime, prompt, InterpretReply, lambda reply: usable(reply, context))
    except LimitReached as limit:
        interpretation = state.interpretation.model_copy(update={"text": reading.question})
        stopped = str(limit)
    if number:
        context.store.create(
            f"{state.run}.{number}",
            question=reading.question,
            corpus_digest=context.corpus.digest,
            graph_version=graph_version(),
            model=context.reasoner.name,
            created=context.now(),
        )
    return {
        "interpretation": interpretation,
        "reading": number,
        "snapshot": "",
        "call": None,
        "history": (),
        "rounds": (),
        "audits": (),
        "second_opinion": None,
        "batches": 0,
        "judged_batches": 0,
        "found": 0,
        "stopped": stopped,
    }


def usable(reply: InterpretReply, context: Context) -> Interpretation:
    """Check a reading against the corpus's fields."""
    return interpretation_from(reply, [field.name for field in context.corpus.fields])


def chosen(reading: Reading, readings: tuple[Reading, ...]) -> Exchange:
    """Return the exchange in which a person would have chosen the reading."""
    options = tuple(Option(label=each.label, meaning=each.question) for each in readings)
    asked = Clarification(
        code="A1", span="", question="Which reading is to be answered?", options=options
    )
    return Exchange(asked=asked, reply=Reply(choice=readings.index(reading) + 1))
