"""clarify: write the question to the person; ask: wait for the reply; rewrite: take it in."""

from langgraph.runtime import Runtime
from langgraph.types import interrupt
from pydantic import ValidationError

import prompts
from agent.ambiguity import Ambiguity, Clarification, Exchange, Option, Reply
from agent.errors import LimitReached, ModelError, ProviderError, QuestionError
from agent.replies import ClarifyReply, InterpretReply
from agent.state import State, Update
from graphs.asking import ask as ask_reasoner
from graphs.context import Context
from graphs.nodes.interpret import usable

__all__ = ("ask", "clarify", "rewrite", "understood")


def clarify(state: State, runtime: Runtime[Context]) -> Update:
    """Write the question about the most consequential ambiguity that is still open.

    The readings are known already: where the reasoner cannot word them, they are asked as they are.
    """
    ambiguity = state.ambiguities[0]
    prompt = prompts.clarify(question=state.question, ambiguity=ambiguity)
    try:
        clarification = ask_reasoner(
            runtime, prompt, ClarifyReply, lambda reply: _clarification(ambiguity, reply)
        )
    except (ModelError, ProviderError, LimitReached):
        plain = ClarifyReply(question=f"What is meant by “{ambiguity.span}”?", options=[])
        clarification = _clarification(ambiguity, plain)
    return {"clarification": clarification}


def ask(state: State, runtime: Runtime[Context]) -> Update:  # noqa: ARG001 - a node's form
    """Wait for the reply; nothing is paid here, for the node runs again when it arrives."""
    asked = state.clarification
    if asked is None:
        raise QuestionError("nothing to ask: no clarification was written")
    problem = ""
    while True:
        given = interrupt(
            {"kind": "clarification", "problem": problem, **asked.model_dump(mode="json")}
        )
        reply = understood(given, asked)
        if isinstance(reply, Reply):
            return {"exchanges": (*state.exchanges, Exchange(asked=asked, reply=reply))}
        problem = reply


def rewrite(state: State, runtime: Runtime[Context]) -> Update:
    """Read the question again in the sense of the reply."""
    context = runtime.context
    if state.interpretation is None:
        raise QuestionError("nothing to rewrite: the question was never read")
    prompt = prompts.rewrite(
        question=state.question,
        interpretation=state.interpretation,
        exchange=state.exchanges[-1],
        corpus=context.corpus,
    )
    reading = ask_reasoner(runtime, prompt, InterpretReply, lambda reply: usable(reply, context))
    return {
        "interpretation": reading,
        "ambiguities": state.ambiguities[1:],
        "clarification": None,
    }


def understood(given: object, asked: Clarification) -> Reply | str:
    """Return the reply, or what is wrong with it in words for the person."""
    if isinstance(given, int) and not isinstance(given, bool):
        given = {"choice": given}
    if isinstance(given, str):
        given = Reply.of(given)
    try:
        reply = Reply.model_validate(given)
    except ValidationError:
        return "reply with the number of an option, or with words"
    if reply.choice is None and not reply.text.strip():
        return "the reply is empty: give the number of an option, or words"
    if reply.choice is not None and not 1 <= reply.choice <= len(asked.options):
        return f"there is no option {reply.choice}: choose 1 to {len(asked.options)}"
    return reply


def _clarification(ambiguity: Ambiguity, reply: ClarifyReply) -> Clarification:
    options = tuple(Option(label=each.label, meaning=each.meaning) for each in reply.options)
    if not options:
        options = tuple(
            Option(label=each.label, meaning=each.question) for each in ambiguity.readings
        )
    return Clarification(
        code=ambiguity.code, span=ambiguity.span, question=reply.question, options=options
    )
