"""Questions of one thread, one after another, in the form of chat clients: a list of messages."""

import re
from collections.abc import Sequence
from dataclasses import MISSING, dataclass, fields
from functools import wraps
from typing import Annotated, Any, Literal

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage
from langgraph.graph.message import add_messages
from langgraph.runtime import Runtime
from langgraph.types import Command

from agent.ambiguity import Clarification, Exchange, Reply, Turn
from agent.answer import Answer
from agent.errors import QuestionError, RunError
from agent.state import Question, State
from graphs.answering.headline import message_text
from graphs.context import Context
from graphs.node import Node, Outcome
from graphs.nodes.clarify import understood, unusable

_MARKUP = re.compile(r"[\[\]<]")
_NAMES = 20


@dataclass(frozen=True, kw_only=True)
class Asked(Question):
    """What a run starts from: a question, or messages of which the last is one."""

    messages: Annotated[Sequence[AnyMessage], add_messages] = ()
    """What was said in the thread. The caller, `clarify`, `ask`, `answer` → `hear`, clients."""


@dataclass(frozen=True, kw_only=True)
class RunState(State, Asked):
    """The state as LangGraph keeps it: of the answer, no checkpoint has the quotes."""

    answer: Annotated[Answer | None, Outcome(Answer)] = None
    heard: str = ""
    """The id of the last message that was taken for a question or a reply. `hear` → `hear`."""


def first(state: RunState) -> Literal["hear", "interpret"]:
    """Hear what is new in a thread that was asked before, or that has messages."""
    return "hear" if state.messages or state.interpretation is not None else "interpret"


def hear(
    state: RunState, runtime: Runtime[Context]
) -> Command[Literal["interpret", "rewrite", "ask"]]:
    """Take the question or the reply that a thread's last message is; begin a new run afresh.

    Raises QuestionError: criteria or an earlier run were given in a thread that was asked before;
    something is attached to the message.
    """
    said = state.messages[-1] if state.messages else None
    new = said if isinstance(said, HumanMessage) and said.id != state.heard else None
    if new is not None and state.clarification is not None:
        return _replied(new, state.clarification, state, runtime)
    if state.interpretation is not None and (state.criteria or state.earlier):
        raise QuestionError("criteria and an earlier run need a thread_id of their own")
    anew = {
        each.name: each.default if each.default is not MISSING else {}
        for each in fields(State)
        if each.name not in {"question", "run", "conversation", "messages"}
    }
    if state.interpretation is None:  # what the caller gave is of this question
        anew |= {"criteria": state.criteria, "earlier": state.earlier}
    elif state.run and _known(state.run, runtime.context):
        anew["run"] = ""
    before = () if state.answer is None else (turn_of(state, state.answer),)
    anew["conversation"] = (*state.conversation, *before)
    if new is not None:
        anew |= {"question": _words(new), "heard": new.id or ""}
    return Command(update=anew, goto="interpret")


def _replied(
    said: HumanMessage, asked: Clarification, state: RunState, runtime: Runtime[Context]
) -> Command[Literal["interpret", "rewrite", "ask"]]:
    """Take a message for the reply to what was asked; one that cannot be used is asked again."""
    heard: dict[str, Any] = {"heard": said.id or ""}
    reply = understood(_words(said), asked)
    if isinstance(reply, Reply):
        exchange = Exchange(asked=asked, reply=reply)
        reply = unusable(exchange, state, runtime)
        if not reply:
            return Command(
                update=heard | {"exchanges": (*state.exchanges, exchange)}, goto="rewrite"
            )
    again = _by_us(f"{reply}\n\n{asked.in_words}")
    return Command(update=heard | {"messages": [again]}, goto="ask")


def _words(said: HumanMessage) -> str:
    """Return a message's text; refuse one with something attached, of which nothing is read."""
    if attached := sorted({each["type"] for each in said.content_blocks} - {"text"}):
        raise QuestionError(
            f"what is attached ({', '.join(attached)}) is not read: send the words alone, and put "
            "documents into the corpus with `headcount index`"
        )
    return str(said.text)


def speaking(step: Node) -> Node:
    """Wrap a node, so that what it asks, is told, or answers is a message of the thread too."""

    @wraps(step)
    def spoken(state: State, runtime: Runtime[Context]) -> Any:
        update: dict[str, Any] = {**step(state, runtime)}
        if asked := update.get("clarification"):
            update["messages"] = [_by_us(asked.in_words)]
        elif exchanges := update.get("exchanges"):
            said = HumanMessage(exchanges[-1].in_words, id=f"{state.run}.{len(exchanges)}")
            update |= {"messages": [said], "heard": said.id}
        elif update.get("answered", 0) >= max(1, len(state.readings)):
            update["messages"] = [_by_us(message_text(update["answer"]))]
        return update

    return spoken


def _by_us(text: str) -> AIMessage:
    """Return a message; chat clients show Markdown, in which no document's words may be a link."""
    return AIMessage(_MARKUP.sub(r"\\\g<0>", text))


def _known(run: str, context: Context) -> bool:
    """Tell whether a run was made: then its id is what an earlier question left."""
    try:
        context.store.info(run)
    except RunError:
        return False
    return True


def turn_of(state: State, answer: Answer) -> Turn:
    """Return what a later question knows of one that was answered."""
    names = tuple(each.name for each in answer.entities[:_NAMES])
    return Turn(
        question=answer.question,
        interpretation=state.interpretation,
        value=answer.value,
        entities=names,
    )
