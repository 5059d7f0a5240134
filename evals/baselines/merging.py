"""The node that answers from notes: what notes prove together."""

from collections.abc import Sequence

from langgraph.runtime import Runtime

from evals.baselines import prompts
from evals.baselines.asking import ask_each
from evals.baselines.replies import MergedReply, MergeReply
from evals.baselines.state import BaselineState, BaselineUpdate, Item
from evals.names import normal_name
from graphs.context import Context

__all__ = ("merge",)


def merge(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Answer from the notes; without a usable reply there is no answer, only notes.

    Where a limit left no room to ask, the names in the notes are what there is to answer with.
    """
    prompt = prompts.merge(question=state.question, notes=state.items)
    received = ask_each(state, runtime, [(prompt, None)], MergeReply)
    (reply,) = received.replies
    if reply is None and received.update["stopped"]:
        named = {normal_name(note.name): note for note in state.items}
        return received.update | {"items": tuple(named.values()), "value": len(named)}
    if reply is None:
        return received.update | {"items": ()}
    return received.update | {
        "items": tuple(_merged(each, state.items) for each in reply.items),
        "value": len(reply.items) if reply.value is None else reply.value,
        "unit": reply.unit,
    }


def _merged(said: MergedReply, notes: Sequence[Item]) -> Item:
    proving = [notes[number - 1] for number in said.notes if 1 <= number <= len(notes)]
    return Item(
        name=said.name.strip(),
        evidence=tuple(dict.fromkeys(each for note in proving for each in note.evidence)),
        documents=tuple(dict.fromkeys(each for note in proving for each in note.documents)),
    )
