"""clarify: write the question to the person; ask: wait for the reply; rewrite: take it in."""

from langgraph.runtime import Runtime
from langgraph.types import interrupt
from pydantic import ValidationError

import prompts
from agent.ambiguity import (
    Ambiguity,
    Clarification,
    Exchange,
    Option,
    Reply,
    left_open,
    lost,
    option_named,
    option_number,
)
from agent.errors import LimitReached, ModelError, ProviderError, QuestionError
from agent.prompt_values import ClarifyValues
from agent.question import Interpretation
from agent.replies import ClarifyReply
from agent.state import State, Update
from graphs.asking import ask as ask_reasoner
from graphs.context import Context
from graphs.disambiguation import asking_about, assuming, carried, likeliest, reread_as
from graphs.nodes.classify import assumed
from graphs.runs.run_entry import LONGEST

_OPEN = Clarification(
    code=None,
    span="",
    question="What exactly do you want to know? Say what counts, and what does not.",
    options=(),
)


def clarify(state: State, runtime: Runtime[Context]) -> Update:
    """Write the question about the most consequential ambiguity, or an open one without any."""
    if not state.ambiguities:
        return {"clarification": _OPEN}
    ambiguity = state.ambiguities[0]
    prompt = prompts.clarify(ClarifyValues(question=state.question, ambiguity=ambiguity))
    try:
        clarification = ask_reasoner(
            runtime, prompt, ClarifyReply, lambda reply: asking_about(ambiguity, reply.question)
        )
    except (ModelError, ProviderError, LimitReached):
        clarification = asking_about(ambiguity)
    return {"clarification": clarification}


def ask(state: State, runtime: Runtime[Context]) -> Update:
    """Wait for a reply; nothing is paid here, for the node runs again when it arrives."""
    asked = state.clarification
    if asked is None:
        raise QuestionError("nothing to ask: no clarification was written")
    problem = ""
    while True:
        given = interrupt(
            {"kind": "clarification", "problem": problem, **asked.model_dump(mode="json")}
        )
        reply = understood(given, asked)
        if isinstance(reply, str):
            problem = reply
            continue
        exchange = Exchange(asked=asked, reply=reply)
        problem = unusable(exchange, state, runtime)
        if not problem:
            return {"exchanges": (*state.exchanges, exchange)}


def rewrite(state: State, runtime: Runtime[Context]) -> Update:
    """Read the question again in the sense of the reply; say what was made of it.

    An option stands for a reading that was read already. What words name has to be in the reading,
    or the answer says that it is not.
    """
    exchange = state.exchanges[-1]
    ambiguity = state.ambiguities[0] if state.ambiguities else None
    reading, warnings = _chosen(exchange, ambiguity), state.warnings
    told = f"you said: {exchange.in_words}"
    if left_open(exchange.reply.text):
        reading, told = _left_open(exchange, ambiguity, state, runtime)
    elif ambiguity is not None:
        told = f"“{ambiguity.span}”, {told}"
    if reading is None:
        reading = reread_as(exchange, state, runtime)
        if missing := ", ".join(lost(exchange.reply.text, reading)):
            warning = f"your reply says {missing}, the reading does not: check it"
            warnings = (*warnings, warning)
    return {
        "interpretation": assuming(carried(state.interpreted, reading), told),
        "ambiguities": state.ambiguities[1:],
        "clarification": None,
        "warnings": warnings,
    }


def _left_open(
    exchange: Exchange, ambiguity: Ambiguity | None, state: State, runtime: Runtime[Context]
) -> tuple[Interpretation, str]:
    """Take what a person does not know in its likeliest sense, as without asking, and say so."""
    said = f"you said: {exchange.reply.text}"
    if ambiguity is None:
        return state.interpreted, f"{said}; the question is taken as it was read at first"
    taken = ambiguity.readings[0].interpretation or likeliest(ambiguity, state, runtime)
    return taken, f"{said}; {assumed(ambiguity)}"


def _chosen(exchange: Exchange, ambiguity: Ambiguity | None) -> Interpretation | None:
    """Return the reading that an option stands for, where it can be executed as it is."""
    choice = exchange.reply.choice
    if choice is None or ambiguity is None or choice > len(ambiguity.readings):
        return None
    return ambiguity.readings[choice - 1].interpretation


def understood(given: object, asked: Clarification) -> Reply | str:
    """Return the reply, or what is wrong with it in words for the person."""
    if isinstance(given, int) and not isinstance(given, bool):
        given = {"choice": given}
    elif isinstance(given, str):
        if len(given) > LONGEST:
            return f"the reply has {len(given):,} characters, {LONGEST:,} at most"
        given = {"text": given}
    try:
        reply = Reply.model_validate(given)
    except ValidationError:
        return "reply with the number of an option, or with words"
    reply = _naming(reply, asked.options)
    if reply.choice is None and not reply.text.strip():
        return "the reply is empty: give the number of an option, or words"
    if reply.choice is not None and not 1 <= reply.choice <= len(asked.options):
        return f"there is no option {reply.choice}: choose 1 to {len(asked.options)}"
    return reply


def unusable(exchange: Exchange, state: State, runtime: Runtime[Context]) -> str:
    """Return why a reply cannot be used, where finding out costs nothing; else empty."""
    chosen = _chosen(exchange, state.ambiguities[0] if state.ambiguities else None)
    said_nothing = left_open(exchange.reply.text)
    if runtime.context.reasoner.paid or chosen is not None or said_nothing:
        return ""
    try:
        reread_as(exchange, state, runtime)
    except QuestionError as declined:
        return str(declined)
    return ""


def _naming(reply: Reply, options: tuple[Option, ...]) -> Reply:
    """Return the choice of an option that the whole reply names; all else, as it is."""
    said = reply.text.strip() or ("" if reply.choice is None else str(reply.choice))
    if not options:
        return Reply(text=said)
    if reply.choice is not None and option_number(said) != reply.choice:
        return reply
    number = option_named(said, options)
    return reply if number is None else Reply(choice=number)
