"""feedback: choose what is read next by what was judged so far, until it no longer pays."""

from langgraph.runtime import Runtime
from pyroaring import BitMap

from agent.coverage import ReadingRound
from agent.history import Step
from agent.reasoner import ToolCall
from agent.state import State, Update
from graphs.context import Context
from graphs.routes import end_of_filtering
from graphs.scope import keeping, ledger, open_conditions
from graphs.search.rank_unread import next_round
from graphs.search.search_progress import SearchProgress


def feedback(state: State, runtime: Runtime[Context]) -> Update:
    """Conclude the last round of reading and choose the next, or say why reading ends.

    All unread chunks compete, those that filters ruled out included. What is left when reading
    ends is ruled out by rank, as a step of history; the audit then looks at a sample of it.
    """
    context = runtime.context
    if not open_conditions(state) or state.stopped:
        return {}
    reading = SearchProgress.of(state, context)
    update = _concluded(state, reading, context)
    rounds = update.get("rounds", state.rounds)
    chosen_by = context.components.next_round or next_round
    decision = chosen_by(state, rounds, reading, context)
    if decision.selection:
        chosen = ReadingRound(
            purpose="search",
            selection=context.store.put_ids(decision.selection),
            size=len(decision.selection),
            why=decision.why,
        )
        return update | {"rounds": (*rounds, chosen)}
    return update | _ended(decision.why, update.get("history", state.history), state, context)


def _concluded(state: State, reading: SearchProgress, context: Context) -> Update:
    """Enter what the last round of reading brought; before the first, why filtering ended."""
    if not state.rounds:
        ended = end_of_filtering(state, context.policy)
        early = ended.startswith("limit")
        told = f"filtering ended early: {ended}"
        return {"warnings": (*state.warnings, told)} if early else {}
    last = state.rounds[-1]
    if last.purpose == "audit" or last.hits is not None:
        return {}
    chosen = context.store.ids(last.selection)
    hits = len(chosen & reading.relevant)
    step = Step(
        round=len(state.history) + 1,
        call=ToolCall(tool="read", arguments={"chunks": last.size, "relevant": hits}, why=last.why),
        before=state.snapshot,
        after=state.snapshot,
        kept=hits,
        discarded=last.size - hits,
        verdict="keep",
        why=last.why,
    )
    return {
        "rounds": (*state.rounds[:-1], last.model_copy(update={"hits": hits})),
        "history": (*state.history, step),
    }


def _ended(why: str, history: tuple[Step, ...], state: State, context: Context) -> Update:
    """Rule the candidates that were not read out by rank, where there are any."""
    book = ledger(state, context)
    texts = [condition.id for condition in open_conditions(state)]
    unread = BitMap.union(*(book.ids(each, "unseen") for each in texts))
    unread |= BitMap.union(*(book.ids(each, "reverted") for each in texts))
    if not unread:
        return {}
    read = sum(each.size for each in state.rounds)
    candidates = context.store.ids(state.snapshot)
    call = ToolCall(tool="feedback", arguments={"read": read}, why=why)
    kept, round_ = candidates - unread, len(history) + 1
    step = keeping(kept, state.snapshot, call, round_, state, context, verdict="enough")
    book.prune(step.round, unread, conditions=texts)
    return {"history": (*history, step), "snapshot": step.after, "coverage": book.coverage()}
