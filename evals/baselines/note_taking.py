"""Note-taking multi-hop RAG: search, note, search for what the notes lack (after DeepNote)."""

from typing import Final, Literal

from langgraph.graph import END
from langgraph.runtime import Runtime

from agent.adf_state import Retrieval
from evals.baselines import prompts
from evals.baselines.asking import ask_each
from evals.baselines.concluding import conclude
from evals.baselines.fitting import NOTING, affordable, fitted
from evals.baselines.merging import merge
from evals.baselines.reading import proven
from evals.baselines.replies import NoteReply
from evals.baselines.retrieving import begin, retrieve
from evals.baselines.state import BaselineState, BaselineUpdate
from evals.baselines.step import BaselineGraph, baseline_graph
from graphs.context import Context

__all__ = ("after_note", "note", "note_taking")

_STEPS: Final = 3
"""`max_step` of DFA, appendix A.7.1: searches after the first."""
_IDLE: Final = 2
"""`max_fail_step`: rounds in a row that add nothing to the notes."""


def note_taking(k: int, mode: Retrieval) -> BaselineGraph:
    """Build begin → retrieve → note → retrieve … → merge → conclude, k chunks a search."""
    builder = baseline_graph(begin, retrieve(k, mode), note, merge, conclude)
    builder.add_edge("begin", "retrieve")
    builder.add_edge("retrieve", "note")
    builder.add_conditional_edges("note", after_note)
    builder.add_edge("merge", "conclude")
    builder.add_edge("conclude", END)
    return builder


def note(state: BaselineState, runtime: Runtime[Context]) -> BaselineUpdate:
    """Add to the notes what the last search brought, and get the next query."""
    noted = "\n".join(each.quote for note in state.items for each in note.evidence)
    budget = affordable(state, NOTING)
    shown = fitted(state.latest, runtime.context, besides=noted, budget=budget)
    if not shown.passages:
        stopped = state.stopped or shown.stopped
        return {"query": "", "idle": state.idle + 1, "stopped": stopped}
    prompt = prompts.note(
        question=state.question,
        task=state.question,
        queries=state.queries,
        notes=state.items,
        passages=shown.passages,
    )
    received = ask_each(state, runtime, [(prompt, shown)], NoteReply)
    (reply,) = received.replies
    if reply is None:
        return received.update | {"query": "", "idle": state.idle + 1}
    return received.update | {
        "items": (*state.items, *proven(reply.items, shown.passages)),
        "query": (reply.query or "").strip(),
        "idle": 0 if reply.items else state.idle + 1,
    }


def after_note(state: BaselineState) -> Literal["retrieve", "merge"]:
    """Search again while something is lacking and the notes grow."""
    spent = state.stopped or not state.query or state.rounds > _STEPS
    return "merge" if spent or state.idle >= _IDLE else "retrieve"
